package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) eventsCommand() *cobra.Command {
	var on cli.OnTask
	var follow bool
	cmd := &cobra.Command{
		Use:   "events --follow",
		Short: "Print what happens to a task as it happens, one line each, until SIGINT or the end of the task or the daemon",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !follow {
				return cli.UsageError{Err: errors.New("events needs --follow: events that are over are in snapshot")}
			}
			following := a.WithTask(cmd.Context(), on, func(api control.API) error {
				return api.Events(cmd.Context(), on.Task, a.printFollowing, a.printEvent)
			})
			if errors.Is(following, context.Canceled) && cmd.Context().Err() != nil {
				following = nil // it was asked to end
			}
			return following
		},
	}
	cmd.Flags().BoolVar(&follow, "follow", false, "print events as they happen")
	on.AddFlags(cmd)
	return cmd
}

// printFollowing says that nothing is missed from here on; standard output has events only.
func (a *app) printFollowing() {
	if a.JSON {
		_ = cli.WriteJSONLine(a.Stderr, followingJSON{true})
		return
	}
	_, _ = fmt.Fprintln(a.Stderr, "hermes-cdp: following")
}

type followingJSON struct {
	Following bool `json:"following"`
}

func (a *app) printEvent(e host.Event) error {
	if a.JSON {
		return a.WriteJSONLine(e)
	}
	line := cli.Moment(e.At.Time) + " " + string(e.Kind)
	switch {
	case e.Dialog != nil:
		line += " " + dialogLine(*e.Dialog)
	case e.Target != nil:
		line += fmt.Sprintf(" %s %s %s", e.Target.Type, e.Target.ID, cli.PageText(e.Target.URL))
	case e.Console != nil:
		line += fmt.Sprintf(" %s, the page says %s", cli.OneLine(e.Console.Type), cli.PageText(e.Console.Text))
	}
	if e.Navigation != nil {
		line += " " + navigationLine(*e.Navigation)
	}
	if e.Reason != "" {
		line += ": " + cli.OneLine(e.Reason)
	}
	return a.WriteLines(line)
}

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
