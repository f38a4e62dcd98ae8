package main

import (
	"cmp"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) resumeCommand() *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "resume CALL_ID",
		Short: "Wait for the result of a call that a dialog interrupted; nothing is run again",
		Long: "Wait for the result of a call that a dialog interrupted: of eval, cdp, a plugin's tool, or one of hermes-cdp browser.\n" +
			"Nothing is run again.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := a.withDaemon(func(api control.API) error {
				r, err := api.Resume(cmd.Context(), task, args[0])
				switch {
				case err != nil:
					return err
				case r.PluginTool != nil:
					return cmp.Or(a.write(r, toolLines(*r.PluginTool)...), toolFailure(*r.PluginTool))
				case r.Evaluation != nil:
					return a.write(r, evaluationLine(*r.Evaluation))
				case r.CDP != nil:
					return a.write(r, resultText(*r.CDP))
				case a.json:
					return a.writeJSON(r)
				}
				return nil
			})
			if errors.Is(err, control.ErrToolCall) { // what the tool makes of it is its result
				return a.callTool(cmd.Context(), callOptions{task: task, toolsets: []string{"browser_resume"}}, "browser_resume", mustJSON(map[string]string{"call_id": args[0]}))
			}
			return err
		},
	}
	addTaskFlag(cmd, &task)
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
