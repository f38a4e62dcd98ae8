package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/incident"
	"github.com/hermes-cdp/hermes-cdp/host"
)

func (a *app) pluginRecordCommand() *cobra.Command {
	var f host.JournalFilter
	var journal, dir, dialog string
	var last bool
	cmd := &cobra.Command{
		Use:   "record --last|--dialog ID|--call NUMBER",
		Short: "Make a failing golden case of a hook call that the daemon, or a journal on disk, has",
		Long: "Make a golden case of a hook call in the folder of its plugin: the event, the configuration, and what the plugin found in\n" +
			"its store go to " + incident.Table + ". The case fails, and says what the plugin gives, until you state what it should\n" +
			"have given. Secrets are masked. Without a test that runs the table, a folder with Go sources gets one.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := dialogFilter(&f, dialog); err != nil {
				return err
			}
			if !last && f.Sequence == 0 && f.Subject == "" {
				return usageError{errors.New("say which call: --last, --dialog ID, --subject ID or --call NUMBER")}
			}
			f.Max = 1
			list, problems, err := a.journalCalls(cmd.Context(), journal, f)
			if err != nil {
				return err
			}
			a.tellProblems(problems)
			e, err := incident.Find(list, f)
			if err != nil {
				return err
			}
			recorded, err := incident.Record(dir, e)
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(recorded)
			}
			return a.writeLines(recordedLines(recorded))
		},
	}
	addJournalFlags(cmd, &f, &journal)
	cmd.Flags().BoolVar(&last, "last", false, "the latest call that fits")
	cmd.Flags().StringVar(&dialog, "dialog", "", "the call that decided on the dialog of this `ID`")
	cmd.Flags().StringVar(&dir, "dir", ".", "the `FOLDER` of the plugin")
	return cmd
}

// dialogFilter makes a filter mean the decision on a dialog.
func dialogFilter(f *host.JournalFilter, dialog string) error {
	if dialog == "" {
		return nil
	}
	if f.Subject != "" || f.Hook != "" {
		return usageError{errors.New("--dialog says subject and hook: leave out --subject and --hook")}
	}
	f.Subject, f.Hook = dialog, abi.HookDialog
	return nil
}

func recordedLines(r incident.Recorded) []string {
	lines := []string{
		fmt.Sprintf("%s: added %q", r.Table, r.Case),
		fmt.Sprintf("call %d of %s by %s, sha256 %s", r.Sequence, r.Hook, oneLine(r.Plugin), short(r.SHA256)),
		"it gave " + oneLine(shortened(r.Gave, 500)),
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
