package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) snapshotCommand() *cobra.Command {
	var on cli.OnTask
	cmd := &cobra.Command{
		Use:   "snapshot",
		Short: "Show the tabs, frames, dialogs and console of a task",
		Long: "Show the tabs, frames, dialogs and console of a task, as far as the daemon knows them: no page is asked.\n" +
			"hermes-cdp browser snapshot reads a page.",
		Args: cobra.NoArgs,
		RunE: a.OnTask(&on, func(ctx context.Context, api control.API, _ []string) error {
			return cli.Shown(&a.App, snapshotLines)(api.Snapshot(ctx, on.Task))
		}),
	}
	on.AddFlags(cmd)
	return cmd
}

// navigationLine says what became of a navigation, who decided it and why.
func navigationLine(n host.DeniedNavigation) string {
	line := fmt.Sprintf("at %s %s", cli.Moment(n.At.Time), cli.PageText(n.URL))
	if n.RewrittenTo != "" {
		line += " to " + cli.PageText(n.RewrittenTo)
	}
	if n.DecidedBy.Module != "" {
		line += " by plugin " + n.DecidedBy.Module
	}
	if n.DecidedBy.Rule != "" {
		line += " (" + cli.OneLine(n.DecidedBy.Rule) + ")"
	}
	if n.Reason != "" {
		line += ": " + cli.OneLine(n.Reason)
	}
	return line
}

func snapshotLines(s *host.Snapshot) []string {
	lines := []string{fmt.Sprintf("task %s, revision %d", cli.OneLine(s.TaskID), s.Revision)}
	if s.Disconnected != "" {
		lines = append(lines, "disconnected: "+cli.OneLine(s.Disconnected))
	}
	for _, t := range s.Targets {
		line := fmt.Sprintf("%s %s %s title %s", t.Type, t.ID, cli.PageText(t.URL), cli.PageText(t.Title))
		if t.Crashed {
			line += " crashed"
		}
		if t.ID == s.TabInUse {
			line += " in use"
		}
		lines = append(lines, line)
		if t.FrameTree != nil {
			lines = append(lines, indent(frameLines(t.FrameTree))...)
		}
	}
	lines = append(lines, dialogLines(s)...)
	for _, n := range s.RecentNavigations {
		lines = append(lines, "denied "+navigationLine(n))
	}
	if s.NavigationsUnseen > 0 {
		lines = append(lines, fmt.Sprintf("%d documents loaded without a plugin having been asked", s.NavigationsUnseen))
	}
	return append(lines, fmt.Sprintf("console: %d messages, %d kept", s.ConsoleTotal, len(s.Console)))
}
