package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
)

func (a *app) auditCommand() *cobra.Command {
	var filter audit.Filter
	var since time.Duration
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "List what operators did: who, what, when, and what came of it; oldest first",
		Long: "List what operators did: who, what, when, and what came of it; oldest first. It reads the record of the daemon, or the\n" +
			"files in audit.dir if none is running.",
		Example: "  hermes-cdp audit --since 24h --action plugin\n  hermes-cdp audit --task shop-7 --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if since < 0 || filter.Max < 1 {
				return cli.UsageError{Err: errors.New("--since and --max must be greater than 0")}
			}
			if since > 0 {
				filter.Since = time.Now().Add(-since)
			}
			sources := a.Sources()
			sources.ControlOnly = true // a file that the daemon would refuse is no reason not to know what was done
			cfg, _, err := a.LoadFrom(sources)
			if err != nil {
				return err
			}
			client, err := a.Client(cfg)
			var list []audit.Entry
			if err == nil {
				defer client.Close()
				list, err = audit.Read(cmd.Context(), client, filter)
			}
			if errors.Is(err, fault.ErrNoDaemon) && !a.IsAgent() {
				list, err = a.auditFiles(filter)
			}
			if err != nil {
				return err
			}
			rows := [][]string{{"TIME", "WHO", "VIA", "ACTION", "ON", "OUTCOME", "DETAILS"}}
			for _, e := range list {
				rows = append(rows, auditRow(e))
			}
			return a.WriteRows(list, rows)
		},
	}
	cmd.Flags().DurationVar(&since, "since", 0, "only what was done in the last `TIME`, such as 24h")
	cmd.Flags().StringVar(&filter.Action, "action", "", "only this `ACTION`, such as plugin.swap, or plugin for all of plugins")
	cmd.Flags().StringVar(&filter.Who, "who", "", "only what this `USER` did")
	cmd.Flags().StringVar(&filter.Task, "task", "", "only what was done to the task of this `NAME`")
	cmd.Flags().StringVar(&filter.Plugin, "plugin", "", "only what was done to the plugin of this `NAME`")
	cmd.Flags().IntVar(&filter.Max, "max", audit.DefaultMax, "at most so many, the newest (a `NUMBER`)")
	return cmd
}

// auditLog is the record that a command without a daemon reads and adds to; nil: there is none.
func (a *app) auditLog(cfg *config.Config) (*audit.Log, error) {
	if !config.On(cfg.Audit.Enabled) {
		return nil, nil
	}
	return audit.Open(options.Audit(cfg.Audit, a.QuietLogger(cfg, a.Report)))
}

func (a *app) auditFiles(f audit.Filter) ([]audit.Entry, error) {
	cfg, _, err := a.Load()
	if err != nil {
		return nil, err
	}
	record, err := a.auditLog(cfg)
	if err != nil {
		return nil, err
	}
	return record.Read(f)
}

func auditRow(e audit.Entry) []string {
	via := e.Via
	if e.PID != 0 {
		via += fmt.Sprintf(" (pid %d)", e.PID)
	}
	var details []string
	for _, name := range slices.Sorted(maps.Keys(e.Details)) {
		text := fmt.Sprint(e.Details[name])
		if name == "sha256" {
			text = cli.Short(text)
		}
		details = append(details, name+"="+text)
	}
	if e.Error != "" {
		details = append(details, e.Error)
	}
	return []string{cli.Moment(e.Time), e.Who, via, e.Action, cmp.Or(e.Task, e.Plugin, "-"), strings.TrimSpace(e.Outcome + " " + e.Code), strings.Join(details, " ")}
}
