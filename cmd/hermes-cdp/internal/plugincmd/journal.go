package plugincmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/incident"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/replay"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// JournalJSON is the JSON of plugin journal.
type JournalJSON struct {
	Calls []host.JournalEntry `json:"calls"`
	// Problems are lines of a journal file that could not be read.
	Problems []string `json:"problems,omitempty"`
}

func (a app) journalCommand() *cobra.Command {
	var f host.JournalFilter
	var journal string
	cmd := &cobra.Command{
		Use:   "journal",
		Short: "List the latest hook calls of the daemon, or of a journal on disk: event, verdict, module",
		Long: "List the latest hook calls of the daemon, or of a journal on disk. --json has all of a call, with secrets masked:\n" +
			"event, verdict, configuration, and what the plugin asked the host for.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, problems, err := a.journalCalls(cmd.Context(), journal, f)
			if err != nil {
				return err
			}
			if a.JSON {
				return a.WriteJSON(JournalJSON{Calls: list, Problems: problems})
			}
			a.tellProblems(problems)
			rows := [][]string{{"CALL", "TIME", "TASK", "HOOK", "SUBJECT", "PLUGIN", "SHA256", "OUTCOME", "TOOK"}}
			for _, e := range list {
				rows = append(rows, journalRow(e))
			}
			return a.WriteTable(rows)
		},
	}
	addJournalFlags(cmd, &f, &journal)
	cmd.Flags().IntVar(&f.Max, "max", 50, "the latest `N` calls; 0: all")
	cmd.Flags().BoolVar(&f.Candidates, "candidates", false, "also the calls of candidates that only shadow")
	return cmd
}

// addJournalFlags are the flags that say which calls are meant.
func addJournalFlags(cmd *cobra.Command, f *host.JournalFilter, journal *string) {
	cmd.Flags().StringVar(journal, "journal", "", "a journal `FILE`, or a directory of them, instead of the daemon")
	cmd.Flags().StringVar(&f.Plugin, "plugin", "", "`NAME` of the plugin")
	cmd.Flags().StringVar(&f.Task, "task", "", "`NAME` of the task")
	cmd.Flags().Uint64Var(&f.Sequence, "call", 0, "the `NUMBER` of the call")
	cmd.Flags().StringVar((*string)(&f.Hook), "hook", "", "`NAME` of the hook, such as "+string(abi.HookDialog))
	cmd.Flags().StringVar(&f.Subject, "subject", "", "what the call is about: the `ID` of a dialog or of a target")
}

// journalCalls lists the calls that fit, of a journal on disk, else of the daemon.
func (a app) journalCalls(ctx context.Context, journal string, f host.JournalFilter) (list []host.JournalEntry, problems []string, err error) {
	if journal != "" {
		return replay.Entries(journal, f)
	}
	err = a.WithDaemon(func(api control.API) error {
		list, err = api.Journal(ctx, f)
		return err
	})
	return list, nil, err
}

// tellProblems writes warnings about a journal.
func (a app) tellProblems(problems []string) {
	for _, p := range problems {
		_, _ = fmt.Fprintf(a.Stderr, "hermes-cdp: warning: %s\n", cli.OneLine(p))
	}
}

func journalRow(e host.JournalEntry) []string {
	outcome := e.Outcome
	switch {
	case e.Fault != "":
		outcome += " " + e.Fault
	case e.Reason != "":
		outcome += ": " + shortened(e.Reason, 60)
	case len(e.Verdict) > 0:
		outcome = shortened(string(e.Verdict), 100)
	}
	if e.Candidate {
		outcome = "(candidate) " + outcome
	}
	return []string{
		fmt.Sprint(e.Sequence), e.Time.UTC().Format(time.RFC3339), e.Task, string(e.Hook), cmp.Or(e.Subject, "-"), e.Plugin, cli.Short(e.SHA256),
		outcome, e.Duration.Round(time.Microsecond).String(),
	}
}

// shortened cuts a text for a table or a shell, with a mark; --json has all of it.
func shortened(text string, limit int) string {
	if short := pagetext.ShortenRunes(text, limit); short != text {
		return short + "…"
	}
	return text
}

func (a app) recordCommand() *cobra.Command {
	var f host.JournalFilter
	var journal, dir, dialog string
	var last bool
	cmd := &cobra.Command{
		Use:   "record --last|--dialog ID|--call NUMBER",
		Short: "Make a failing golden case of a hook call that the daemon, or a journal on disk, has",
		Long: "Make a golden case of a hook call in the directory of its plugin: the event, the configuration, and what the plugin found in\n" +
			"its store go to " + incident.Table + ". The case fails, and says what the plugin gives, until you state what it should\n" +
			"have given. Secrets are masked. Without a test that runs the table, a directory with Go sources gets one.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := dialogFilter(&f, dialog); err != nil {
				return err
			}
			if !last && f.Sequence == 0 && f.Subject == "" {
				return cli.UsageError{Err: errors.New("say which call: --last, --dialog ID, --subject ID or --call NUMBER")}
			}
			var own incident.Own
			if f.Max = 1; last && f.Plugin == "" {
				own, f.Max = incident.OwnOf(dir), 0
			}
			list, problems, err := a.journalCalls(cmd.Context(), journal, f)
			if err != nil {
				return err
			}
			a.tellProblems(problems)
			if f.Plugin == "" {
				f.Plugin = own.Name // for the error
			}
			e, err := incident.Find(own.Calls(list), f)
			if err != nil {
				return err
			}
			recorded, err := incident.Record(dir, e)
			if err != nil {
				return err
			}
			return a.Write(recorded, recordedLines(recorded)...)
		},
	}
	addJournalFlags(cmd, &f, &journal)
	cmd.Flags().BoolVar(&last, "last", false, "the latest call that fits; in the directory of a plugin, of that plugin unless --plugin names another")
	cmd.Flags().StringVar(&dialog, "dialog", "", "the call that decided on the dialog of this `ID`")
	cmd.Flags().StringVar(&dir, "dir", ".", "the `DIRECTORY` of the plugin")
	return cmd
}

// dialogFilter makes a filter mean the decision on a dialog.
func dialogFilter(f *host.JournalFilter, dialog string) error {
	if dialog == "" {
		return nil
	}
	if f.Subject != "" || f.Hook != "" {
		return cli.UsageError{Err: errors.New("--dialog says subject and hook: leave out --subject and --hook")}
	}
	f.Subject, f.Hook = dialog, abi.HookDialog
	return nil
}

func recordedLines(r incident.Recorded) []string {
	lines := []string{
		fmt.Sprintf("%s: added %q", r.Table, r.Case),
		fmt.Sprintf("call %d of %s by %s, sha256 %s", r.Sequence, r.Hook, cli.OneLine(r.Plugin), cli.Short(r.SHA256)),
		"it gave " + cli.OneLine(shortened(r.Gave, 500)),
		`write what it should have given in place of "verdict": null; the case fails until then`,
	}
	if r.Test != "" {
		lines = append(lines, r.Test+": a test that runs the table")
	}
	if r.Masked {
		lines = append(lines, "secrets in the event or the configuration are masked: put made-up ones in their places where the decision depends on them")
	}
	return lines
}
