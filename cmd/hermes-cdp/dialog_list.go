package main

import (
	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

type dialogListJSON struct {
	Pending []host.Dialog     `json:"pending_dialogs"`
	Recent  []host.Dialog     `json:"recent_dialogs"`
	Armed   *host.ArmedAnswer `json:"armed_dialog,omitempty"`
}

func (a *app) dialogListCommand() *cobra.Command {
	var on onTask
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the open dialogs and the last that closed",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withTask(cmd.Context(), on, func(api control.API) error {
				s, err := api.Snapshot(cmd.Context(), on.task)
				if err != nil {
					return err
				}
				if a.json {
					return a.writeJSON(dialogListJSON{s.PendingDialogs, s.RecentDialogs, s.Armed})
				}
				return a.writeLines(dialogLines(s))
			})
		},
	}
	on.addFlags(cmd)
	return cmd
}
