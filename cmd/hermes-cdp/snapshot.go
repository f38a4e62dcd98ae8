package main

import (
	"fmt"
	"strings"
	"time"

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
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withTask(cmd.Context(), on, func(api control.API) error {
				s, err := api.Snapshot(cmd.Context(), on.task)
				if err != nil {
					return err
				}
				if a.json {
					return a.writeJSON(s)
				}
				return a.writeLines(snapshotLines(s))
			})
		},
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

// dialogLines are what a task knows of dialogs.
func dialogLines(s *host.Snapshot) []string {
	lines := []string{"pending dialogs: none"}
	if len(s.PendingDialogs) > 0 {
		lines = []string{"pending dialogs:"}
		for _, d := range s.PendingDialogs {
			lines = append(lines, "  "+dialogLine(d))
		}
	}
	if len(s.RecentDialogs) > 0 {
		lines = append(lines, "recent dialogs:")
		for _, d := range s.RecentDialogs {
			lines = append(lines, "  "+dialogLine(d))
		}
	}
	if s.Armed != nil {
		lines = append(lines, armedLine(*s.Armed))
	}
	return lines
}

func armedLine(a host.ArmedAnswer) string {
	verb, kind := "dismiss", "dialog"
	if a.Accept {
		verb = "accept"
	}
	if a.Type != "" {
		kind = a.Type
	}
	line := fmt.Sprintf("armed: %s the next %s", verb, kind)
	if a.PromptText != nil {
		line += " with " + pageText(*a.PromptText)
	}
	return line + ", until " + a.ExpiresAt.Local().Format(time.TimeOnly)
}

func indent(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = "  " + line
	}
	return out
}

func (a *app) writeLines(lines []string) error {
	_, err := fmt.Fprintln(a.stdout, strings.Join(lines, "\n"))
	return err
}
