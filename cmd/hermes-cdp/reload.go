package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) reloadCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "reload",
		Short: "Have the daemon read its configuration again, and print what came of it",
		Long: "Have the daemon read its configuration again, as SIGHUP does, and print what came of it. The exit code is that of\n" +
			"hermes-cdp status: 6 if the configuration was refused, so that the previous one stays, or a plugin does not follow it.",
		Args: cobra.NoArgs,
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, _ []string) error {
			s, err := api.Reload(ctx)
			if err != nil {
				return err
			}
			return errors.Join(a.WriteRows(s.Daemon.Config, daemonRows(s.Daemon)), degraded(s))
		}),
	}
}
