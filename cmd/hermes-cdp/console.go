package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) consoleCommand() *cobra.Command {
	var on cli.OnTask
	var clear bool
	cmd := &cobra.Command{
		Use:   "console",
		Short: "Show the last 50 console messages and the last 50 uncaught exceptions of a task",
		Args:  cobra.NoArgs,
		RunE: a.OnTask(&on, func(ctx context.Context, api control.API, _ []string) error {
			return cli.Shown(&a.App, consoleLines)(api.Console(ctx, on.Task, clear))
		}),
	}
	cmd.Flags().BoolVar(&clear, "clear", false, "forget them after showing them")
	on.AddFlags(cmd)
	return cmd
}

func consoleLines(c control.Console) []string {
	lines := []string{fmt.Sprintf("%d messages, %d kept; the page says:", c.Total, len(c.Messages))}
	for _, m := range c.Messages {
		lines = append(lines, fmt.Sprintf("  %s %s at %s", cli.OneLine(strings.TrimSpace(m.From+" "+m.Type)), cli.PageText(m.Text), cli.PageText(m.Source)))
	}
	return lines
}
