package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) dialogExplainCommand() *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "explain ID",
		Short: "Say who decided a dialog and why: event, module, rule, verdict, timings",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDaemon(func(api control.API) error {
				e, err := api.ExplainDialog(cmd.Context(), task, args[0])
				if err != nil {
					return err
				}
				if a.json {
					return a.writeJSON(e)
				}
				return a.writeLines(explainLines(e))
			})
		},
	}
	cmd.Flags().StringVar(&task, "task", "", "`NAME` of the task (default: the only one, else \"default\")")
	return cmd
}

func explainLines(e host.DialogExplanation) []string {
	by := e.Dialog.DecidedBy
	lines := []string{dialogLine(e.Dialog), fmt.Sprintf("action  %s, rule %s", cmp.Or(e.Dialog.Action, "none yet"), oneLine(cmp.Or(by.Rule, "none")))}
	lines = append(lines, callLines(e.Calls)...)
	if len(e.Event) > 0 {
		lines = append(lines, "event   "+escapeJSON(e.Event))
	}
	if len(e.Verdict) > 0 {
		lines = append(lines, "verdict "+escapeJSON(e.Verdict))
	}
	if by.Fault != "" {
		lines = append(lines, "fault   "+oneLine(by.Fault))
	}
	at := e.Timings
	return append(lines, fmt.Sprintf("times   asked %s, decided %s, answered %s, closed %s after it opened",
		after(at.Asked), after(at.Decided), after(at.Answered), after(at.Closed)))
}

func callLines(calls []host.HookCall) []string {
	lines := make([]string, len(calls))
	for i, c := range calls {
		lines[i] = fmt.Sprintf("module  %s, sha256 %s, configuration %s, call %d, %s in %s",
			oneLine(c.Module), c.SHA256, short(c.ConfigHash), c.Sequence, c.Outcome, c.Duration)
	}
	return lines
}

func after(d *time.Duration) string {
	if d == nil {
		return "never"
	}
	return d.String()
}
