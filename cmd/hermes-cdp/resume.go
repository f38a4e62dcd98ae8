package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) resumeCommand() *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "resume CALL_ID",
		Short: "Wait for the result of an eval, cdp or plugin call that a dialog interrupted; nothing is run again",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDaemon(func(api control.API) error {
				r, err := api.Resume(cmd.Context(), task, args[0])
				switch {
				case err != nil:
					return err
				case a.json && r.PluginTool != nil:
					return cmp.Or(a.writeJSON(r), toolFailure(*r.PluginTool))
				case a.json:
					return a.writeJSON(r)
				case r.CDP != nil:
					return a.writeResult(*r.CDP)
				case r.PluginTool != nil:
					return cmp.Or(a.writeToolResult(*r.PluginTool), toolFailure(*r.PluginTool))
				case r.Evaluation != nil:
					return a.writeLines([]string{evaluationLine(*r.Evaluation)})
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&task, "task", "", "`NAME` of the task (default: the only one, else \"default\")")
	return cmd
}
