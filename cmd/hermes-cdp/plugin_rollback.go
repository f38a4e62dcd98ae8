package main

import (
	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) pluginRollbackCommand() *cobra.Command {
	var reason string
	var drop []string
	cmd := &cobra.Command{
		Use:   "rollback NAME",
		Short: "Put the module back that served before, with its configuration",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDaemon(func(api control.API) error {
				g, err := api.RollbackPlugin(cmd.Context(), args[0], reason, drop...)
				if err != nil {
					return err
				}
				return a.writeGeneration(args[0], g)
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "`TEXT` for the history")
	addDropFlag(cmd, &drop)
	return cmd
}
