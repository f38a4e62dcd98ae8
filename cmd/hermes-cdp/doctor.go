package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

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
			cfg, report, err := config.Load(a.sources())
			checks := doctor.Run(cmd.Context(), doctor.Options{Config: cfg, Report: report, ConfigError: err, Shipped: a.shipped})
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
	err := a.withDaemon(func(api control.API) (err error) {
		status, err = api.Status(ctx)
		return err
	})
	return doctor.Daemon(status, err)
}

func (a *app) writeChecks(checks []doctor.Check) error {
	if a.json {
		return a.writeJSON(doctorJSON{OK: !doctor.Failed(checks), Checks: checks})
	}
	for _, check := range checks {
		if _, err := fmt.Fprintf(a.stdout, "%-4s  %s: %s\n", check.Status, check.Name, oneLine(check.Detail)); err != nil {
			return err
		}
		if check.Fix == "" {
			continue
		}
		if _, err := fmt.Fprintf(a.stdout, "      fix: %s\n", check.Fix); err != nil {
			return err
		}
	}
	return nil
}
