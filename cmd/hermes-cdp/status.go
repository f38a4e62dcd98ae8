package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show the daemon: its tasks, plugins and counters",
		Long: "Show the daemon: its tasks, plugins and counters. The exit code is 6 if it does not match its configuration: the last\n" +
			"reload was refused, a plugin is not the configured one or was removed, the host decides in place of one, or what serves is not kept.",
		Args: cobra.NoArgs,
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, _ []string) error {
			s, err := api.Status(ctx)
			if err != nil {
				return err
			}
			return errors.Join(a.WriteRows(s, slices.Concat(
				daemonRows(s.Daemon), taskRows(s.Tasks), runningRows(s.Plugins), withdrawnRows(s.Withdrawn), serverRows(s.MCPServers), counterRows(s.Counters), toolCounterRows(s.Tools),
			)), degraded(s))
		}),
	}
}

// degraded says that a daemon runs, and is not what its operator configured.
func degraded(s control.Status) error {
	if reasons := s.Deviations(); len(reasons) > 0 {
		return &fault.Error{Code: fault.ErrDegraded, Err: errors.New("the daemon does not match its configuration: " + strings.Join(reasons, "; "))}
	}
	return nil
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
	for _, name := range slices.Sorted(maps.Keys(d.Config.PluginProblems)) {
		rows = append(rows, []string{"plugin " + name + " is not as configured", d.Config.PluginProblems[name]})
	}
	return rows
}

func taskRows(tasks []control.TaskStatus) [][]string {
	if len(tasks) == 0 {
		return [][]string{{"tasks", "none; hermes-cdp connect adds one"}}
	}
	var rows [][]string
	for _, t := range tasks {
		text := fmt.Sprintf("%d targets, %d pending dialogs, page %s", t.Targets, t.PendingDialogs, cli.PageText(t.URL))
		if t.Disconnected != "" {
			text = "disconnected: " + t.Disconnected
		}
		if t.Sandbox != "" {
			text += ", browser sandbox " + t.Sandbox
		}
		if t.Recorded {
			text += ", recorded"
		}
		if t.RecordingProblem != "" {
			text += ", its recording failed: " + cli.OneLine(t.RecordingProblem)
		}
		if t.Rented != nil {
			text += rentedText(*t.Rented)
		}
		if t.Fallback != "" {
			text += ", local because renting failed: " + cli.OneLine(t.Fallback)
		}
		rows = append(rows, []string{"task " + t.ID, text})
	}
	return rows
}

func rentedText(r host.Rental) string {
	text := fmt.Sprintf(", rented from %s, session %s", r.Provider, cli.OneLine(r.SessionID))
	if !r.ExpiresAt.IsZero() {
		text += ", until " + cli.Moment(r.ExpiresAt)
	}
	if r.LiveView != "" {
		text += ", live view " + cli.OneLine(r.LiveView)
	}
	return text
}

func runningRows(plugins []host.PluginInfo) [][]string {
	var rows [][]string
	for _, p := range plugins {
		rows = append(rows, []string{"plugin " + p.Name, runningText(p)})
	}
	return rows
}

// withdrawnRows say which configured plugins an operator removed.
func withdrawnRows(list []host.WithdrawnPlugin) [][]string {
	var rows [][]string
	for _, w := range list {
		text := "removed at " + cli.Moment(w.Since) + "; hermes-cdp plugin add " + w.Name + " puts it back"
		if w.Reason != "" {
			text += "; the reason was: " + cli.OneLine(w.Reason)
		}
		rows = append(rows, []string{"plugin " + w.Name, text})
	}
	return rows
}

func runningText(p host.PluginInfo) string {
	text := fmt.Sprintf("generation %d since %s, sha256 %s, %s", p.Generation, cli.Moment(p.Since), cli.Short(p.SHA256), p.Source)
	switch {
	case p.Outage != "" && p.Generation == 0:
		text = "out of service, the host decides instead: " + p.Outage
	case p.Outage != "":
		text += ", " + p.Outage
	}
	if p.Unkept != "" {
		text += ", " + p.Unkept
	}
	if p.StoreProblem != "" {
		text += ", what it stores is not kept for the next start: " + cli.OneLine(p.StoreProblem)
	}
	if p.Generation > 0 {
		text += fmt.Sprintf(", %d calls and %d faults of this generation", p.GenerationCalls, p.GenerationFaults)
	}
	text += fmt.Sprintf(", %d calls and %d faults in total", p.Calls, p.Faults)
	if f := p.LastFault; f != nil {
		text += fmt.Sprintf(", the last at %s: %s", cli.Moment(f.Time), f.Kind)
	}
	if p.Returns > 0 {
		text += fmt.Sprintf(", gone back to another module %d times", p.Returns)
	}
	if c := p.Candidate; c != nil {
		text += fmt.Sprintf(", candidate %d compared on %d calls, %d decided otherwise", c.Generation, c.Compared, c.Differing)
	}
	return text
}

func toolCounterRows(tools map[string]agent.ToolCounters) [][]string {
	var rows [][]string
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		n := tools[name]
		rows = append(rows, []string{"tool " + cli.OneLine(name), fmt.Sprintf("%d calls, %s a call, the longest %s; failures %s; %d timeouts, %d terminations; fallbacks %s",
			n.Calls, time.Duration(n.TotalNS/int64(max(n.Calls, 1))).Round(time.Millisecond), time.Duration(n.MaxNS).Round(time.Millisecond),
			counts(n.Failures), n.Timeouts, n.Terminations, counts(n.Fallbacks))})
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
		{"navigations", navigationsText(c.Navigations)},
		{"evaluate", fmt.Sprintf("%d calls, %d timeouts, %d terminations", c.Evaluate.Calls, c.Evaluate.Timeouts, c.Evaluate.Terminations)},
		{"network", fmt.Sprintf("%d requests and %d tunnels, %d of them open; %d refused, %d failed", c.Network.Requests, c.Network.Tunnels, c.Network.Open, c.Network.Refused, c.Network.Failed)},
		{"reconnects", fmt.Sprintf("%d, of %d attempts; %d browsers given up", c.Reconnects, c.ReconnectAttempts, c.ReconnectFailures)},
		{"verdicts", fmt.Sprintf("%d applied, %d dropped", c.Verdicts.Applied, c.Verdicts.Dropped)},
		{"events", fmt.Sprintf("%d decoded, %d skipped, %d dropped, %d ignored", c.Events.Decoded, c.Events.Skipped, c.Events.Dropped, c.Events.Ignored)},
		{"queues", fmt.Sprintf("%d inbox, %d outgoing, %d in flight, %d held, %d hooks", c.Queues.Inbox, c.Queues.Outgoing, c.Queues.InFlight, c.Queues.Held, c.Queues.Hooks)},
	}
}

// navigationsText counts what plugins and the host decided on navigations.
func navigationsText(n host.NavigationCounters) string {
	return fmt.Sprintf("%d asked about, %d allowed, %d denied, %d rewritten; %d allowed and %d denied as no plugin decided; %d refused by scheme, %d unseen",
		n.Asked, n.Allowed, n.Denied, n.Rewritten, n.FailedOpen, n.FailedClosed, n.Refused, n.Unseen)
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

// serverRows say how the MCP servers are.
func serverRows(list []upstream.Status) [][]string {
	var rows [][]string
	for _, s := range list {
		rows = append(rows, []string{"MCP server " + s.Name, serverText(s)})
	}
	return rows
}

func serverText(s upstream.Status) string {
	text := string(s.State)
	if s.State == upstream.StateReady {
		text += fmt.Sprintf(", %s, %d tools, started again %d times", s.Program, len(s.Tools), s.Restarts)
	}
	if s.Error != "" {
		text += ": " + s.Error
	}
	if s.RetryAt != nil {
		text += ", next try at " + s.RetryAt.Format(time.TimeOnly)
	}
	if len(s.Unmatched) > 0 {
		text += "; include or exclude name what it does not have: " + strings.Join(s.Unmatched, ", ")
	}
	for _, why := range s.LeftOut {
		text += "; left out: " + why
	}
	return text
}
