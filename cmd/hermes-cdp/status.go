package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show the daemon: its tasks, plugins and counters",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDaemon(func(api control.API) error {
				s, err := api.Status(cmd.Context())
				if err != nil {
					return err
				}
				if a.json {
					return a.writeJSON(s)
				}
				return a.writeTable(slices.Concat(daemonRows(s.Daemon), taskRows(s.Tasks), runningRows(s.Plugins), counterRows(s.Counters)))
			})
		},
	}
}

func daemonRows(d control.DaemonStatus) [][]string {
	rows := [][]string{{"daemon", fmt.Sprintf("version %s, pid %d, up %s", d.Version, d.PID, d.Uptime.Round(time.Second))}}
	if d.Config.File != "" {
		rows = append(rows, []string{"configuration", d.Config.File})
	}
	if len(d.Config.NeedRestart) > 0 {
		rows = append(rows, []string{"needs a restart for", strings.Join(d.Config.NeedRestart, ", ")})
	}
	if d.Config.Error != "" {
		rows = append(rows, []string{"last reload refused", d.Config.Error})
	}
	return rows
}

func taskRows(tasks []control.TaskStatus) [][]string {
	if len(tasks) == 0 {
		return [][]string{{"tasks", "none; hermes-cdp connect adds one"}}
	}
	var rows [][]string
	for _, t := range tasks {
		text := fmt.Sprintf("%d targets, %d pending dialogs, page %s", t.Targets, t.PendingDialogs, pageText(t.URL))
		if t.Disconnected != "" {
			text = "disconnected: " + t.Disconnected
		}
		rows = append(rows, []string{"task " + t.ID, text})
	}
	return rows
}

func runningRows(plugins []host.PluginInfo) [][]string {
	var rows [][]string
	for _, p := range plugins {
		rows = append(rows, []string{"plugin " + p.Name, fmt.Sprintf("sha256 %s, %d calls, %d faults", short(p.SHA256), p.Calls, p.Faults)})
	}
	return rows
}

func counterRows(c host.Counters) [][]string {
	return [][]string{
		{"dialogs by type", counts(c.Dialogs.ByType)},
		{"dialogs by policy", counts(c.Dialogs.ByPolicy)},
		{"dialogs by closed_by", counts(c.Dialogs.ByClosedBy)},
		{"bridge proven", counts(c.Bridge.Proven)},
		{"bridge refused", counts(c.Bridge.Refused)},
		{"evaluate", fmt.Sprintf("%d calls, %d timeouts, %d terminations", c.Evaluate.Calls, c.Evaluate.Timeouts, c.Evaluate.Terminations)},
		{"reconnects", fmt.Sprintf("%d, of %d attempts; %d browsers given up", c.Reconnects, c.ReconnectAttempts, c.ReconnectFailures)},
		{"verdicts", fmt.Sprintf("%d applied, %d dropped", c.Verdicts.Applied, c.Verdicts.Dropped)},
		{"events", fmt.Sprintf("%d decoded, %d skipped, %d ignored", c.Events.Decoded, c.Events.Skipped, c.Events.Ignored)},
		{"queues", fmt.Sprintf("%d inbox, %d outgoing, %d in flight, %d held, %d hooks", c.Queues.Inbox, c.Queues.Outgoing, c.Queues.InFlight, c.Queues.Held, c.Queues.Hooks)},
	}
}

func counts(m map[string]uint64) string {
	words := make([]string, 0, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		words = append(words, fmt.Sprintf("%s %d", key, m[key]))
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
