package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) snapshotCommand() *cobra.Command {
	var on onTask
	cmd := &cobra.Command{
		Use:   "snapshot",
		Short: "Show the tabs, frames, dialogs and console of a task",
		Long: "Show the tabs, frames, dialogs and console of a task, as far as the daemon knows them: no page is asked.\n" +
			"hermes-cdp browser snapshot reads a page.",
		Args: cobra.NoArgs,
		RunE: a.onTask(&on, func(ctx context.Context, api control.API, _ []string) error {
			return shown(a, snapshotLines)(api.Snapshot(ctx, on.task))
		}),
	}
	on.addFlags(cmd)
	return cmd
}

func snapshotLines(s *host.Snapshot) []string {
	lines := []string{fmt.Sprintf("task %s, revision %d", oneLine(s.TaskID), s.Revision)}
	if s.Disconnected != "" {
		lines = append(lines, "disconnected: "+oneLine(s.Disconnected))
	}
	for _, t := range s.Targets {
		line := fmt.Sprintf("%s %s %s title %s", t.Type, t.ID, pageText(t.URL), pageText(t.Title))
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
	return append(lines, fmt.Sprintf("console: %d messages, %d kept", s.ConsoleTotal, len(s.Console)))
}
