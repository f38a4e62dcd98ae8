package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/top"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) topCommand() *cobra.Command {
	var every time.Duration
	var once bool
	cmd := &cobra.Command{
		Use:   "top",
		Short: "Show tasks (those that wait for a person first), browsers and plugins, and keep them up to date",
		Long: "Show tasks (those that wait for a person first), browsers and plugins, and keep them up to date: q leaves. Where there is no\n" +
			"terminal, with --once and with --json it looks twice, a second apart, and prints what it saw.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if every < 100*time.Millisecond {
				return cli.UsageError{Err: errors.New("--every must be at least 100ms")}
			}
			return a.WithDaemon(func(api control.API) error {
				look := looker(cmd.Context(), api)
				if once || a.JSON || !cli.OnTerminal(a.Stdout) {
					return a.topOnce(cmd.Context(), look)
				}
				return topScreen(cmd.Context(), every, look)
			})
		},
	}
	cmd.Flags().DurationVar(&every, "every", 2*time.Second, "look again after this `TIME`")
	cmd.Flags().BoolVar(&once, "once", false, "print it once")
	return cmd
}

// looker returns what looks at a daemon, each time in comparison with the time before.
func looker(ctx context.Context, api control.API) func() (top.View, error) {
	var before control.Status
	var last time.Time
	return func() (top.View, error) {
		now, err := api.Status(ctx)
		if err != nil {
			return top.View{}, err
		}
		at := time.Now()
		var apart time.Duration
		if !last.IsZero() {
			apart = at.Sub(last)
		}
		v := top.New(before, now, apart, withProcesses(now.Browsers), at)
		before, last = now, at
		return v, nil
	}
}

// withProcesses adds what the processes of local browsers take, if that can be seen.
func withProcesses(list []host.BrowserInfo) []host.BrowserInfo {
	if len(list) == 0 {
		return nil
	}
	measured, err := host.LocalBrowsers(list)
	if err != nil || len(measured) < len(list) {
		return list
	}
	return measured[:len(list)] // those of other hosts come after them
}

func (a *app) topOnce(ctx context.Context, look func() (top.View, error)) error {
	if _, err := look(); err != nil {
		return err
	}
	second := time.NewTimer(time.Second)
	defer second.Stop()
	select {
	case <-second.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	v, err := look()
	if err != nil {
		return err
	}
	var lines []string
	for _, line := range v.Lines() {
		lines = append(lines, line.Text)
	}
	return a.Write(v, lines...)
}

func topScreen(ctx context.Context, every time.Duration, look func() (top.View, error)) error {
	screen, err := tcell.NewScreen()
	if err == nil {
		err = screen.Init()
	}
	if err != nil {
		return fmt.Errorf("the terminal: %w; --once prints without it", err)
	}
	defer screen.Fini()
	return top.OnScreen(ctx, screen, every, look)
}
