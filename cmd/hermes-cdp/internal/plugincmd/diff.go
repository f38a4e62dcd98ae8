package plugincmd

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/incident"
	"github.com/hermes-cdp/hermes-cdp/host/replay"
)

type diffJSON struct {
	Outline []replay.OutlineDifference `json:"outline"`
	// Decisions is absent without --journal and --events.
	Decisions *replay.Report `json:"decisions,omitempty"`
}

func (a app) diffCommand() *cobra.Command {
	var flags replayFlags
	var events string
	cmd := &cobra.Command{
		Use:   "diff BEFORE AFTER",
		Short: "Compare two modules: what they are, and on which calls of a journal they decide otherwise",
		Long: "Compare two modules: hooks, imports, capabilities, size and manifest; and with --journal, or with the events of a golden\n" +
			"table where there is no journal, what they decide. How calls are run is told at plugin replay.\n\n" + allowHelp +
			" That files differ changes nothing in it.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.journal != "" && events != "" {
				return cli.UsageError{Err: errors.New("give --journal or --events, not both")}
			}
			return a.diff(cmd.Context(), &flags, events, args[0], args[1])
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&events, "events", "", "the `FILE` of a golden table, or a plugin's directory that has one, for its events")
	return cmd
}

func (a app) diff(ctx context.Context, flags *replayFlags, events, before, after string) error {
	o, err := flags.options()
	if err != nil {
		return err
	}
	cfg, _, err := a.Load()
	if err != nil {
		return err
	}
	first, err := a.replayed(cfg, before, flags.name)
	if err != nil {
		return err
	}
	second, err := a.replayed(cfg, after, flags.name)
	if err != nil {
		return err
	}
	var out diffJSON
	if out.Outline, err = replay.Outlines(first, second); err != nil {
		return err
	}
	var report replay.Report
	switch {
	case flags.journal != "":
		progress := a.Progress("replaying")
		o.Progress = progress.At
		report, err = replay.Between(ctx, flags.journal, first, second, o)
		progress.End()
	case events != "":
		report, err = replay.Golden(ctx, incident.TableOf(events), first, second, o)
	default:
		return a.writeDiff(out)
	}
	if err != nil {
		return err
	}
	out.Decisions = &report
	if err := a.writeDiff(out); err != nil {
		return err
	}
	a.warnOfMasks(report)
	return flags.conclude(report)
}

func (a app) writeDiff(d diffJSON) error {
	if a.JSON {
		return a.WriteJSON(d)
	}
	rows := [][]string{{"", "BEFORE", "AFTER"}}
	for _, o := range d.Outline {
		rows = append(rows, []string{o.What, cmp.Or(shortened(o.Before, maxShownDecision), "-"), cmp.Or(shortened(o.After, maxShownDecision), "-")})
	}
	if len(d.Outline) == 0 {
		rows = [][]string{{"the files are the same"}}
	}
	if err := a.WriteTable(rows); err != nil || d.Decisions == nil {
		return err
	}
	return a.writeReplay(*d.Decisions)
}
