package main

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) cdpCommand() *cobra.Command {
	var on cli.OnTask
	var call control.CDPRequest
	cmd := &cobra.Command{
		Use:   "cdp METHOD [JSON]",
		Short: "Send a raw command of the Chrome DevTools Protocol, on a session of its own",
		Long:  "Send a raw command of the Chrome DevTools Protocol (https://chromedevtools.github.io/devtools-protocol/), on a session\nof its own, so that the supervision is not disturbed.",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			call.Method = args[0]
			if len(args) == 2 {
				var object map[string]json.RawMessage
				if err := json.Unmarshal([]byte(args[1]), &object); err != nil || object == nil {
					return cli.UsageError{Err: errors.New("the parameters are no JSON object")}
				}
				call.Params = json.RawMessage(args[1])
			}
			return a.WithTask(cmd.Context(), on, func(api control.API) error {
				ctx, cancel := cli.WithTimeout(cmd.Context(), call.Timeout)
				defer cancel()
				return cli.ShownLine(&a.App, resultText)(api.CDP(ctx, on.Task, call))
			})
		},
	}
	cmd.Flags().StringVar(&call.TargetID, "target", "", "`ID` of the tab or worker (default: the tab in use)")
	cmd.Flags().StringVar(&call.FrameID, "frame", "", "`ID` of the frame")
	cmd.MarkFlagsMutuallyExclusive("target", "frame")
	cmd.Flags().DurationVar(&call.Timeout, "timeout", cli.CallTimeout, "give up after this `TIME`")
	on.AddFlags(cmd)
	return cmd
}

func resultText(r host.CDPResult) string {
	var text bytes.Buffer
	if json.Indent(&text, r.Result, "", "  ") != nil { // it is no JSON
		return cli.OneLine(string(r.Result))
	}
	return cli.EscapeJSON(text.Bytes())
}
