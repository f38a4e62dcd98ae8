package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/plugincmd"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) evalCommand() *cobra.Command {
	var on cli.OnTask
	var r control.EvaluateRequest
	var world, selector string
	var noWait bool
	cmd := &cobra.Command{
		Use:   "eval EXPRESSION",
		Short: "Evaluate a JavaScript expression in a frame",
		Long: "Evaluate a JavaScript expression in a frame as a console does (a bare function is called, await works, const may be repeated),\n" +
			"and wait for the promise that it may return. What it gives is the page's.\n" +
			"When a dialog opens meanwhile the exit code is 3: answer the dialog, then hermes-cdp resume CALL_ID gives the result.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Expression, r.AwaitPromise = args[0], !noWait
			switch world {
			case "main":
			case "isolated":
				r.World = host.WorldIsolated
			default:
				return cli.UsageError{Err: fmt.Errorf("--world is %q, want main or isolated", world)}
			}
			if selector != "" {
				r.Element = &control.Element{Selector: selector}
			}
			return a.WithTask(cmd.Context(), on, func(api control.API) error {
				ctx, cancel := cli.WithTimeout(cmd.Context(), r.Timeout)
				defer cancel()
				return cli.ShownLine(&a.App, evaluationLine)(api.Evaluate(ctx, on.Task, r))
			})
		},
	}
	cmd.Flags().StringVar(&r.FrameID, "frame", "", "`ID` of the frame (default: the top frame)")
	cmd.Flags().StringVar(&r.TargetID, "target", "", "`ID` of the tab (default: the first)")
	cmd.Flags().StringVar(&selector, "selector", "", "the expression is a function that takes the first element of this CSS `SELECTOR`")
	cmd.Flags().StringVar(&world, "world", "main", "main, the page's own, or isolated, which its scripts cannot see")
	cmd.Flags().DurationVar(&r.Timeout, "timeout", cli.CallTimeout, "end what still runs after this `TIME`")
	cmd.Flags().BoolVar(&r.UserGesture, "user-gesture", false, "let the page believe that a person acted")
	cmd.Flags().BoolVar(&noWait, "no-wait", false, "do not wait for a promise")
	on.AddFlags(cmd)
	return cmd
}

// evaluationLine shows a value as JSON where it is any, else as a console would.
func evaluationLine(v host.Evaluation) string {
	if len(v.Value) > 0 {
		return cli.EscapeJSON(v.Value)
	}
	return cli.OneLine(cmp.Or(v.Unserializable, v.Description, v.Subtype, v.Type))
}

func (a *app) resumeCommand() *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "resume CALL_ID",
		Short: "Wait for the result of a call that a dialog interrupted; nothing is run again",
		Long: "Wait for the result of a call that a dialog interrupted: of eval, cdp, a plugin's tool, or one of hermes-cdp browser.\n" +
			"Nothing is run again.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := a.WithDaemon(func(api control.API) error {
				r, err := api.Resume(cmd.Context(), task, args[0])
				switch {
				case err != nil:
					return err
				case r.PluginTool != nil:
					return cmp.Or(a.Write(r, plugincmd.ToolLines(*r.PluginTool)...), plugincmd.ToolFailure(*r.PluginTool))
				case r.Evaluation != nil:
					return a.Write(r, evaluationLine(*r.Evaluation))
				case r.CDP != nil:
					return a.Write(r, resultText(*r.CDP))
				case a.JSON:
					return a.WriteJSON(r)
				}
				return nil
			})
			if errors.Is(err, fault.ErrToolCall) { // what the tool makes of it is its result
				return a.callTool(cmd.Context(), callOptions{task: task, toolsets: []string{"browser_resume"}}, "browser_resume", mustJSON(map[string]string{"call_id": args[0]}))
			}
			return err
		},
	}
	cli.AddTaskFlag(cmd, &task)
	return cmd
}

// mustJSON writes texts, which always are JSON.
func mustJSON(v map[string]string) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

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
