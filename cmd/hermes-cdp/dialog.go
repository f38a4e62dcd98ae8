package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) dialogCommand() *cobra.Command {
	return cli.Group("dialog", "List, answer and explain dialogs",
		a.dialogListCommand(), a.dialogAnswerCommand("accept", "Accept a dialog", true), a.dialogAnswerCommand("dismiss", "Dismiss a dialog", false),
		a.dialogArmCommand(), a.dialogDisarmCommand(), a.dialogExplainCommand())
}

type dialogListJSON struct {
	Pending []host.Dialog     `json:"pending_dialogs"`
	SignIns []*host.SignIn    `json:"sign_ins,omitempty"`
	Recent  []host.Dialog     `json:"recent_dialogs"`
	Armed   *host.ArmedAnswer `json:"armed_dialog,omitempty"`
}

func (a *app) dialogListCommand() *cobra.Command {
	var on cli.OnTask
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the open dialogs and the last that closed",
		Args:  cobra.NoArgs,
		RunE: a.OnTask(&on, func(ctx context.Context, api control.API, _ []string) error {
			s, err := api.Snapshot(ctx, on.Task)
			if err != nil {
				return err
			}
			return a.Write(dialogListJSON{s.PendingDialogs, s.SignIns(), s.RecentDialogs, s.Armed}, dialogLines(s)...)
		}),
	}
	on.AddFlags(cmd)
	return cmd
}

func (a *app) dialogAnswerCommand(verb, short string, accept bool) *cobra.Command {
	var on cli.OnTask
	var text string
	cmd := &cobra.Command{
		Use:   verb + " [ID]",
		Short: short + ": the one of this id, else the only pending one",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			answer := control.DialogAnswer{Accept: accept}
			if len(args) == 1 {
				answer.DialogID = args[0]
			}
			if accept && cmd.Flags().Changed("text") {
				answer.PromptText = &text
			}
			return a.WithTask(cmd.Context(), on, func(api control.API) error {
				s, err := api.Snapshot(cmd.Context(), on.Task)
				if err == nil && s.AnswersSignIn(answer.DialogID) {
					return cli.ShownLine(&a.App, signInLine)(api.RespondSignIn(cmd.Context(), on.Task, control.SignInAnswer{ID: answer.DialogID, Accept: accept, Account: text}))
				}
				return cli.ShownLine(&a.App, dialogLine)(api.RespondDialog(cmd.Context(), on.Task, answer))
			})
		},
	}
	if accept {
		cmd.Flags().StringVar(&text, "text", "", "`TEXT` that a prompt returns (default: the page's own), or the account to sign in with")
	}
	on.AddFlags(cmd)
	return cmd
}

func (a *app) dialogArmCommand() *cobra.Command {
	var task string
	var answer host.ArmedAnswer
	var text string
	cmd := &cobra.Command{
		Use:       "arm accept|dismiss",
		Short:     "Answer the next dialog before it opens, or with --repeat all that follow, unless the policy's verdict is final",
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"accept", "dismiss"},
		RunE: func(cmd *cobra.Command, args []string) error {
			answer.Accept = args[0] == "accept"
			if cmd.Flags().Changed("text") {
				if !answer.Accept {
					return cli.UsageError{Err: fmt.Errorf("--text is for accept: a prompt that is dismissed returns nothing")}
				}
				answer.PromptText = &text
			}
			return a.WithDaemon(func(api control.API) error {
				return cli.ShownLine(&a.App, armedLine)(api.ArmDialog(cmd.Context(), task, answer))
			})
		},
	}
	cmd.Flags().StringVar(&text, "text", "", "`TEXT` that a prompt returns (default: the page's own)")
	cmd.Flags().BoolVar(&answer.Repeat, "repeat", false, "answer every dialog until then, not only the next")
	cmd.Flags().DurationVar(&answer.Expires, "expires", time.Minute, "how long the answer waits, as `90s`")
	cmd.Flags().StringVar((*string)(&answer.Type), "type", "", "only for a dialog of this `TYPE`: alert, confirm, prompt or beforeunload")
	cli.AddTaskFlag(cmd, &task)
	return cmd
}

type disarmedJSON struct {
	Disarmed *host.ArmedAnswer `json:"disarmed"` // null: nothing was armed
}

func (a *app) dialogDisarmCommand() *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "disarm",
		Short: "Take an armed answer back",
		Args:  cobra.NoArgs,
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, _ []string) error {
			was, err := api.DisarmDialog(ctx, task)
			if err != nil {
				return err
			}
			line := "nothing was armed"
			if was != nil {
				line = "taken back, was " + armedLine(*was)
			}
			return a.Write(disarmedJSON{was}, line)
		}),
	}
	cli.AddTaskFlag(cmd, &task)
	return cmd
}

func (a *app) dialogExplainCommand() *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "explain ID",
		Short: "Say who decided a dialog and why: event, module, rule, verdict, timings",
		Args:  cobra.ExactArgs(1),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			return cli.Shown(&a.App, explainLines)(api.ExplainDialog(ctx, task, args[0]))
		}),
	}
	cli.AddTaskFlag(cmd, &task)
	return cmd
}

func explainLines(e host.DialogExplanation) []string {
	by := e.Dialog.DecidedBy
	lines := []string{dialogLine(e.Dialog), fmt.Sprintf("action  %s, rule %s", cmp.Or(e.Dialog.Action, "none yet"), cli.OneLine(cmp.Or(by.Rule, "none")))}
	lines = append(lines, callLines(e.Calls)...)
	if len(e.Event) > 0 {
		lines = append(lines, "event   "+cli.EscapeJSON(e.Event))
	}
	if len(e.Verdict) > 0 {
		lines = append(lines, "verdict "+cli.EscapeJSON(e.Verdict))
	}
	if by.Fault != "" {
		lines = append(lines, "fault   "+cli.OneLine(by.Fault))
	}
	at := e.Timings
	return append(lines, fmt.Sprintf("times   asked %s, decided %s, answered %s, closed %s after it opened",
		after(at.Asked), after(at.Decided), after(at.Answered), after(at.Closed)))
}

func callLines(calls []host.HookCall) []string {
	lines := make([]string, len(calls))
	for i, c := range calls {
		lines[i] = fmt.Sprintf("module  %s, sha256 %s, configuration %s, call %d, %s in %s",
			cli.OneLine(c.Module), c.SHA256, cli.Short(c.ConfigHash), c.Sequence, c.Outcome, c.Duration)
	}
	return lines
}

func after(d *time.Duration) string {
	if d == nil {
		return "never"
	}
	return d.String()
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
	if list := s.SignIns(); len(list) > 0 {
		lines = append(lines, "dialogs to sign in:")
		for _, in := range list {
			lines = append(lines, "  "+signInLine(*in))
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

// signInLine is a dialog of the browser's own to sign in.
func signInLine(in host.SignIn) string {
	line := fmt.Sprintf("%s %s, the browser says %s", in.ID, in.Kind, cli.PageText(in.Title))
	for _, account := range in.Accounts {
		line += ", " + cli.PageText(account.Label())
	}
	return line
}

func armedLine(a host.ArmedAnswer) string {
	verb, kind := "dismiss", "dialog"
	if a.Accept {
		verb = "accept"
	}
	if a.Type != "" {
		kind = string(a.Type)
	}
	which := "the next"
	if a.Repeat {
		which = "every"
	}
	line := fmt.Sprintf("armed: %s %s %s", verb, which, kind)
	if a.PromptText != nil {
		line += " with " + cli.PageText(*a.PromptText)
	}
	return line + ", until " + a.ExpiresAt.Local().Format(time.TimeOnly)
}

// dialogLine is a dialog on one line.
func dialogLine(d host.Dialog) string {
	line := fmt.Sprintf("%s %s, the page says %s", d.ID, d.Type, cli.PageText(d.Message))
	if d.DefaultPrompt != "" {
		line += ", default " + cli.PageText(d.DefaultPrompt)
	}
	if d.ArmedUnused != "" {
		line += ", armed answer not used: " + cli.OneLine(d.ArmedUnused)
	}
	if d.ClosedBy == "" {
		return line + ", on " + cli.PageText(d.URL)
	}
	line += ", closed by " + string(d.ClosedBy)
	if d.CloseReason != "" {
		line += " (" + cli.OneLine(d.CloseReason) + ")"
	}
	if d.Accepted {
		line += ", accepted"
	} else {
		line += ", dismissed"
	}
	if d.DecidedBy.Rule != "" {
		line += ", rule " + cli.OneLine(d.DecidedBy.Rule)
	}
	return line
}
