package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) connectCommand() *cobra.Command {
	var r control.ConnectRequest
	cmd := &cobra.Command{
		Use:   "connect [ADDRESS]",
		Short: "Let the daemon supervise a browser",
		Long: "Let the daemon supervise a browser: the one at ADDRESS (ws://, http://, host:port), else the configured one, else one\n" +
			"that it rents or starts. Connecting a task again to the same browser changes nothing.",
		Args: cobra.MaximumNArgs(1),
		RunE: a.onlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			if len(args) == 1 {
				r.Address = args[0]
			}
			return shownLine(a, func(t control.TaskStatus) string {
				return fmt.Sprintf("supervising task %s: %d targets", oneLine(t.ID), t.Targets)
			})(api.Connect(ctx, r))
		}),
	}
	cmd.Flags().StringVar(&r.Task, "task", "", "`NAME` of the task (default \"default\")")
	cmd.Flags().BoolVar(&r.Launch, "launch", false, "start a browser, whatever is configured")
	addScopeFlags(cmd, &r)
	return cmd
}

func addScopeFlags(cmd *cobra.Command, r *control.ConnectRequest) {
	cmd.Flags().StringVar(&r.Scope, "scope", "", "what of a running browser belongs to the task: a new `tab` (default) and what comes from it, a new context, or the browser")
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
		RunE: a.onlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			if len(args) == 1 {
				task = args[0]
			}
			return shownLine(a, func(t control.TaskStatus) string { return "task " + oneLine(t.ID) + " has ended" })(api.Disconnect(ctx, task))
		}),
	}
	addTaskFlag(cmd, &task)
	return cmd
}
