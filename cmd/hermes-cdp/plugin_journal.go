package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/replay"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

type journalJSON struct {
	Calls []host.JournalEntry `json:"calls"`
	// Problems are lines of a journal file that could not be read.
	Problems []string `json:"problems,omitempty"`
}

func (a *app) pluginJournalCommand() *cobra.Command {
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
			if a.json {
				return a.writeJSON(journalJSON{Calls: list, Problems: problems})
			}
			a.tellProblems(problems)
			rows := [][]string{{"CALL", "TIME", "TASK", "HOOK", "SUBJECT", "PLUGIN", "SHA256", "OUTCOME", "TOOK"}}
			for _, e := range list {
				rows = append(rows, journalRow(e))
			}
			return a.writeTable(rows)
		},
	}
	addJournalFlags(cmd, &f, &journal)
	cmd.Flags().IntVar(&f.Max, "max", 50, "the latest `N` calls; 0: all")
	cmd.Flags().BoolVar(&f.Candidates, "candidates", false, "also the calls of candidates that only shadow")
	return cmd
}

// addJournalFlags are the flags that say which calls are meant.
func addJournalFlags(cmd *cobra.Command, f *host.JournalFilter, journal *string) {
	cmd.Flags().StringVar(journal, "journal", "", "a journal `FILE`, or a folder of them, instead of the daemon")
	cmd.Flags().StringVar(&f.Plugin, "plugin", "", "`NAME` of the plugin")
	cmd.Flags().StringVar(&f.Task, "task", "", "`NAME` of the task")
	cmd.Flags().Uint64Var(&f.Sequence, "call", 0, "the `NUMBER` of the call")
	cmd.Flags().StringVar((*string)(&f.Hook), "hook", "", "`NAME` of the hook, such as "+string(abi.HookDialog))
	cmd.Flags().StringVar(&f.Subject, "subject", "", "what the call is about: the `ID` of a dialog or of a target")
}

// journalCalls lists the calls that fit, of a journal on disk, else of the daemon.
func (a *app) journalCalls(ctx context.Context, journal string, f host.JournalFilter) (list []host.JournalEntry, problems []string, err error) {
	if journal != "" {
		return replay.Entries(journal, f)
	}
	err = a.withDaemon(func(api control.API) error {
		list, err = api.Journal(ctx, f)
		return err
	})
	return list, nil, err
}

// tellProblems writes warnings about a journal.
func (a *app) tellProblems(problems []string) {
	for _, p := range problems {
		_, _ = fmt.Fprintf(a.stderr, "hermes-cdp: warning: %s\n", oneLine(p))
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
		fmt.Sprint(e.Sequence), e.Time.UTC().Format(time.RFC3339), e.Task, string(e.Hook), cmp.Or(e.Subject, "-"), e.Plugin, short(e.SHA256),
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
