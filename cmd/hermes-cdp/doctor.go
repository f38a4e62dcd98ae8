package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/doctor"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

type doctorJSON struct {
	OK     bool           `json:"ok"`
	Checks []doctor.Check `json:"checks"`
}

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the configuration, the browser, the plugins, the MCP servers, the directories and the daemon",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, report, err := config.Load(a.Sources())
			checks := doctor.Run(cmd.Context(), doctor.Options{Config: cfg, Report: report, ConfigError: err, Shipped: a.Shipped})
			checks = append(checks, a.checkDaemon(cmd.Context()))
			if err := a.writeChecks(checks); err != nil {
				return err
			}
			if doctor.Failed(checks) {
				return fmt.Errorf("something will not work; see the checks that say fail")
			}
			return nil
		},
	}
}

func (a *app) checkDaemon(ctx context.Context) doctor.Check {
	var status control.Status
	err := a.WithDaemon(func(api control.API) (err error) {
		status, err = api.Status(ctx)
		return err
	})
	return doctor.Daemon(status, err)
}

func (a *app) writeChecks(checks []doctor.Check) error {
	if a.JSON {
		return a.WriteJSON(doctorJSON{OK: !doctor.Failed(checks), Checks: checks})
	}
	for _, check := range checks {
		if _, err := fmt.Fprintf(a.Stdout, "%-4s  %s: %s\n", check.Status, check.Name, cli.OneLine(check.Detail)); err != nil {
			return err
		}
		if check.Fix == "" {
			continue
		}
		if _, err := fmt.Fprintf(a.Stdout, "      fix: %s\n", check.Fix); err != nil {
			return err
		}
	}
	return nil
}
