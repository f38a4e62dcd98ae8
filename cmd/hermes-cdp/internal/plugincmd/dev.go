package plugincmd

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/builder"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/candidate"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/devloop"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/incident"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// shownCalls is how many calls are shown at a time.
const shownCalls = 10

func (a app) devCommand() *cobra.Command {
	var swap string
	o := builder.Options{Debug: true}
	cmd := &cobra.Command{
		Use:   "dev [DIR]",
		Short: "Build a plugin's directory whenever a file in it is saved, run its golden table, and with --swap put it into service",
		Long: "Build a plugin's directory whenever a file in it is saved, and run its golden table. With --swap NAME, a module that passes\n" +
			"goes into service under that name in the running daemon, and the calls that it then decides on are shown. It ends with\n" +
			"Ctrl-C, and leaves the last module in service: plugin rollback puts the one before back.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := folder(args)
			o.Dir, o.Environ = dir, a.Environ
			var built builder.Built
			seen := uint64(0)
			steps := devloop.Steps{
				Build: func(ctx context.Context) (err error) {
					built, err = a.build(ctx, o)
					return err
				},
				Test: func(ctx context.Context) error {
					return a.golden(ctx, built.File, filepath.Join(dir, filepath.FromSlash(incident.Table)))
				},
				Tell: func(err error) {
					if err != nil {
						a.PrintError(control.ErrorOf(err))
					}
					if !a.JSON {
						_ = a.WriteLines("waiting for changes in " + dir)
					}
				},
			}
			if swap != "" {
				steps.Swap = func(ctx context.Context) error { return a.devSwap(ctx, swap, built.File) }
				steps.Calls = func(ctx context.Context) error { return a.newCalls(ctx, swap, &seen) }
			}
			return devloop.Run(cmd.Context(), dir, steps)
		},
	}
	cmd.Flags().StringVar(&swap, "swap", "", "put the module into service as the plugin `NAME` of the daemon")
	return cmd
}

// devSwap puts a module into service.
func (a app) devSwap(ctx context.Context, name, file string) error {
	change, err := candidate.Request{Module: file, Reason: "plugin dev"}.Change()
	if err != nil {
		return err
	}
	return a.WithDaemon(func(api control.API) error {
		return cli.Shown(a.App, generationOf(name))(api.SwapPlugin(ctx, name, change))
	})
}

// newCalls shows the latest calls of a plugin that have not been shown; seen is the number of the last one that was.
func (a app) newCalls(ctx context.Context, name string, seen *uint64) error {
	list, _, err := a.journalCalls(ctx, "", host.JournalFilter{Plugin: name, Max: shownCalls})
	if err != nil {
		return err
	}
	if len(list) > 0 && list[len(list)-1].Sequence < *seen {
		*seen = 0 // another daemon counts from the beginning
	}
	list = slices.DeleteFunc(list, func(e host.JournalEntry) bool { return e.Sequence <= *seen })
	if len(list) == 0 {
		return nil
	}
	*seen = list[len(list)-1].Sequence
	rows := make([][]string, 0, len(list))
	for _, e := range list {
		rows = append(rows, journalRow(e))
	}
	return a.WriteRows(JournalJSON{Calls: list}, rows)
}
