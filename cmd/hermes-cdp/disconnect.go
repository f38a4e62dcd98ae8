package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) disconnectCommand() *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "disconnect [TASK]",
		Short: "End a task of the daemon: its dialogs are dismissed, its own tabs closed, a browser that it started ends",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				task = args[0]
			}
			return a.withDaemon(func(api control.API) error {
				t, err := api.Disconnect(cmd.Context(), task)
				if err != nil {
					return err
				}
				if a.json {
					return a.writeJSON(t)
				}
				_, err = fmt.Fprintf(a.stdout, "task %s has ended\n", oneLine(t.ID))
				return err
			})
		},
	}
	cmd.Flags().StringVar(&task, "task", "", "`NAME` of the task (default: the only one, else \"default\")")
	return cmd
}
