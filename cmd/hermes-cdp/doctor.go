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
	Fixed  []doctor.Fixed `json:"fixed,omitempty"`
	Checks []doctor.Check `json:"checks"`
}

func (a *app) doctorCommand() *cobra.Command {
	var fix bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the configuration, the browser, the plugins, the MCP servers and clients, files and directories, and the daemon",
		Long: "Check the configuration, the browser, the plugins, the MCP servers, the files and directories, what hosts that are gone\n" +
			"have left, the MCP clients and the daemon, and say for each finding how to mend it.\n\n" +
			"--fix does what is safe, and checks again: it installs a Chromium where none is found (as root, or with sudo that asks\n" +
			"for no password), closes files and directories to others, and ends what hosts that are gone have left. What somebody\n" +
			"wrote, or uses, it leaves alone.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			checks := a.checks(cmd.Context())
			var fixed []doctor.Fixed
			if fix {
				if fixed = doctor.Mend(cmd.Context(), checks, a.Stderr); fixed != nil {
					checks = a.checks(cmd.Context())
				}
			}
			if err := a.writeChecks(checks, fixed, fix); err != nil {
				return err
			}
			if doctor.Failed(checks) {
				return fmt.Errorf("something will not work; see the checks that say fail")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "do what is safe about the findings, and check again")
	return cmd
}

// checks makes all of them.
func (a *app) checks(ctx context.Context) []doctor.Check {
	cfg, report, err := config.Load(a.Sources())
	o := doctor.Options{Config: cfg, Report: report, ConfigError: err, Shipped: a.Shipped}
	if m, err := a.machine(); err == nil {
		o.Machine = &m
		o.Self, _ = a.ownServer(setupOptions{})
	}
	return append(doctor.Run(ctx, o), a.checkDaemon(ctx))
}

func (a *app) checkDaemon(ctx context.Context) doctor.Check {
	var status control.Status
	err := a.AskDaemon(func(api control.API) (err error) {
		status, err = api.Status(ctx)
		return err
	})
	return doctor.Daemon(status, err)
}

func (a *app) writeChecks(checks []doctor.Check, fixed []doctor.Fixed, fix bool) error {
	if a.JSON {
		return a.WriteJSON(doctorJSON{OK: !doctor.Failed(checks), Fixed: fixed, Checks: checks})
	}
	var lines []string
	for _, f := range fixed {
		if f.Error != "" {
			lines = append(lines, "not fixed  "+f.Name+": "+cli.OneLine(f.Error))
			continue
		}
		lines = append(lines, "fixed  "+f.Name+": "+cli.OneLine(f.Done))
	}
	for _, check := range checks {
		lines = append(lines, fmt.Sprintf("%-4s  %s: %s", check.Status, check.Name, cli.OneLine(check.Detail)))
		if check.Fix == "" {
			continue
		}
		by := ""
		if check.Fixable && !fix {
			by = " (hermes-cdp doctor --fix does it)"
		}
		lines = append(lines, "      fix: "+cli.OneLine(check.Fix)+by)
	}
	return a.WriteLines(lines...)
}
