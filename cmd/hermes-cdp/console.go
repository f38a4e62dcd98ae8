package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) consoleCommand() *cobra.Command {
	var on onTask
	var clear bool
	cmd := &cobra.Command{
		Use:   "console",
		Short: "Show the last 50 console messages and the last 50 uncaught exceptions of a task",
		Args:  cobra.NoArgs,
		RunE: a.onTask(&on, func(ctx context.Context, api control.API, _ []string) error {
			return shown(a, consoleLines)(api.Console(ctx, on.task, clear))
		}),
	}
	cmd.Flags().BoolVar(&clear, "clear", false, "forget them after showing them")
	on.addFlags(cmd)
	return cmd
}

func consoleLines(c control.Console) []string {
	lines := []string{fmt.Sprintf("%d messages, %d kept; the page says:", c.Total, len(c.Messages))}
	for _, m := range c.Messages {
		lines = append(lines, fmt.Sprintf("  %s %s at %s", oneLine(strings.TrimSpace(m.From+" "+m.Type)), pageText(m.Text), pageText(m.Source)))
	}
	return lines
}
