package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) uiCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "ui",
		Short: "Print a link that opens the live page of the daemon in one browser, within ten minutes",
		Args:  cobra.NoArgs,
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, _ []string) error {
			link, err := api.NewLiveLink(ctx)
			if err != nil {
				return err
			}
			return a.Write(link, link.URL)
		}),
	}
}

func (a *app) takeoverCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "takeover [TASK]",
		Short: "Take a task from its agent, whose calls then fail with held_by_operator",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			return cli.ShownLine(&a.App, func(h host.Hold) string { return "the task is yours since " + h.Since.Local().Format(time.TimeOnly) })(api.TakeOver(ctx, taskIn(args)))
		}),
	}
}

func (a *app) giveBackCommand() *cobra.Command {
	var note string
	cmd := &cobra.Command{
		Use:   "give-back [TASK]",
		Short: "Give a task back to its agent, with a note for it",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			return cli.ShownLine(&a.App, func(b host.HandBack) string {
				return fmt.Sprintf("the agent has the task again; you had it for %s", b.Held.Round(time.Second))
			})(api.GiveBack(ctx, taskIn(args), note))
		}),
	}
	cmd.Flags().StringVar(&note, "note", "", "`TEXT` that the agent's next result has")
	return cmd
}

// taskIn is the task that an argument names; empty: the only one.
func taskIn(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
