package main

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

type reapJSON struct {
	Reaped []host.Reaped `json:"reaped"`
	DryRun bool          `json:"dry_run,omitempty"`
}

func (a *app) reapCommand() *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use:   "reap",
		Short: "End what hosts that are gone have left: browsers, profiles, rented sessions, recordings",
		Long: "End what hosts that are gone have left: browsers with their temporary profiles, rented sessions, recordings that were\n" +
			"not completed. What a living host has, and what was not started by one, is left alone. The exit code is 1 if something\n" +
			"could not be ended.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, report, err := a.Load()
			if err != nil {
				return err
			}
			o := options.Host(cfg, report, slog.New(slog.DiscardHandler))
			list, err := host.Reap(cmd.Context(), host.ReapOptions{Recording: o.Recording, Rental: o.Rental, DryRun: dry})
			return errors.Join(a.Write(reapJSON{append([]host.Reaped{}, list...), dry}, reapLines(list, dry)...), err, unreaped(list))
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show what would be ended")
	return cmd
}

func reapLines(list []host.Reaped, dry bool) []string {
	lines := make([]string, 0, len(list)+1)
	for _, r := range list {
		lines = append(lines, reapLine(r, dry))
	}
	if len(list) == 0 {
		lines = append(lines, "nothing is left")
	}
	return lines
}

func reapLine(r host.Reaped, dry bool) string {
	what, done := "removed the profile", "would remove the profile"
	switch r.Kind {
	case host.ReapedBrowser:
		what, done = fmt.Sprintf("ended the browser (processes %v) and removed its profile", r.PIDs), fmt.Sprintf("would end the browser (processes %v) and remove its profile", r.PIDs)
	case host.ReapedDownloads:
		what, done = "removed the downloads", "would remove the downloads"
	case host.ReapedSession:
		what, done = "released the session of", "would release the session of"
	case host.ReapedRecording:
		what, done = "completed the recording", "would complete the recording"
	}
	switch {
	case dry:
		return done + " " + cli.OneLine(r.What)
	case r.Error != "":
		return "could not end " + string(r.Kind) + " " + cli.OneLine(r.What) + ": " + cli.OneLine(r.Error)
	}
	return what + " " + cli.OneLine(r.What)
}

// unreaped says that something could not be ended.
func unreaped(list []host.Reaped) error {
	left := 0
	for _, r := range list {
		if r.Error != "" {
			left++
		}
	}
	if left == 0 {
		return nil
	}
	return &fault.Error{Code: fault.ErrFailed, Err: fmt.Errorf("%d of %d could not be ended", left, len(list))}
}
