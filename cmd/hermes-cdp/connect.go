package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) connectCommand() *cobra.Command {
	var r control.ConnectRequest
	var start bool
	cmd := &cobra.Command{
		Use:   "connect [ADDRESS]",
		Short: "Let the daemon supervise a browser",
		Long: "Let the daemon supervise a browser: the one at ADDRESS (ws://, http://, host:port, or a port of this machine), else the\n" +
			"configured one, rented ones included, else one that you have running and that accepts debugging: Chrome does once you\n" +
			"allow it at chrome://inspect/#remote-debugging, and asks you about each connection. With --start, one is started for it\n" +
			"if there is none, with a window and a profile of its own, and stays yours. Connecting a task again to the same browser\n" +
			"changes nothing.\n\n" +
			"The task has a context with cookies of its own there, except in the browser that you have running, where it opens tabs\n" +
			"beside yours and with your cookies. --scope and browser.scope say otherwise.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, report, err := a.Load()
			if err != nil {
				return err
			}
			if err := a.OnlySetsControl(); err != nil && !start { // a browser for a person is started by this command
				return err
			}
			switch {
			case len(args) == 1:
				r.Address = args[0]
			case !r.Launch && r.Profile == "" && cfg.Browser.CDPURL == "" && options.Rent(cfg, report) == nil:
				r.Address = host.Running
			}
			return a.OnDaemon(cfg, func(api control.API) error {
				t, err := api.Connect(cmd.Context(), r)
				if r.Address == host.Running && errors.Is(err, host.ErrNoBrowser) && (start || a.agrees("No browser is running that accepts debugging. Start one for it, with a window?")) {
					launch := options.Launch(cfg.Browser)
					if _, err := host.OpenWindow(cmd.Context(), &launch); err != nil {
						return err
					}
					t, err = api.Connect(cmd.Context(), r)
				}
				return cli.ShownLine(&a.App, func(t control.TaskStatus) string {
					return fmt.Sprintf("supervising task %s: %d targets", cli.OneLine(t.ID), t.Targets)
				})(t, err)
			})
		},
	}
	cmd.Flags().StringVar(&r.Task, "task", "", "`NAME` of the task (default \"default\")")
	cmd.Flags().BoolVar(&r.Launch, "launch", false, "start a browser that ends with the task, whatever is configured")
	cmd.Flags().BoolVar(&start, "start", false, "start a browser with a window if none is running that accepts debugging")
	cmd.MarkFlagsMutuallyExclusive("launch", "start")
	addScopeFlags(cmd, &r)
	return cmd
}

// agrees asks the person at the terminal; without one the answer is no.
func (a *app) agrees(question string) bool {
	in, out, ok := a.terminal()
	if !ok {
		return false
	}
	fmt.Fprintf(out, "%s [y/N] ", question)
	answer, _ := bufio.NewReader(in).ReadString('\n')
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer)))
}

func addScopeFlags(cmd *cobra.Command, r *control.ConnectRequest) {
	cmd.Flags().StringVar(&r.Scope, "scope", "", "`WORD` for what of a running browser belongs to the task: a new context, a new tab with the browser's cookies, or all (default: the configured one)")
	cmd.Flags().BoolVar(&r.NoProxy, "no-proxy", false, "accept that browser.proxy does not hold in a browser that is not started here")
	cmd.Flags().StringVar(&r.Profile, "profile", "", "start a browser with the profile of this `NAME`, which keeps its cookies")
	cmd.Flags().StringVar(&r.TargetID, "target", "", "take over the tab of this `ID` instead of opening one")
	cmd.Flags().StringVar(&r.URL, "url", "", "open this `URL` in the new tab")
	cmd.Flags().StringVar(&r.DialogPolicy, "dialog-policy", "", "`RULE` of the dialog-policy plugin (default: the configured one)")
}

func (a *app) disconnectCommand() *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "disconnect [TASK]",
		Short: "End a task of the daemon: its dialogs are dismissed, its own tabs closed, a browser that it started ends",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			if len(args) == 1 {
				task = args[0]
			}
			return cli.ShownLine(&a.App, func(t control.TaskStatus) string { return "task " + cli.OneLine(t.ID) + " has ended" })(api.Disconnect(ctx, task))
		}),
	}
	cli.AddTaskFlag(cmd, &task)
	return cmd
}
