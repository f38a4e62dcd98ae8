package plugincmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/candidate"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a app) shadowCommand() *cobra.Command {
	var request candidate.Request
	var tasks []string
	var canary canaryFlags
	cmd := &cobra.Command{
		Use:   "shadow NAME [FILE|URL]",
		Short: "Let a candidate see what happens beside the module in service; without one, show how it compares",
		Long: "Let a candidate see everything that the module in service is asked about. Its verdicts are compared and not used, but for\n" +
			"the tasks named with --task, which it serves for real. Without a module, show how the candidate compares.\n" +
			"plugin promote puts it into service, plugin drop ends it.\n\n" +
			"With --serve it serves a share of the tasks for real: always the same ones, by their names. With --promote-after and\n" +
			"--drop-on the daemon promotes or drops it by itself. A restart keeps it, its share and its rules, and counts again from zero.",
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			show := len(args) == 1
			if show && anyOwnChanged(cmd) {
				return cli.UsageError{Err: errors.New("a candidate needs its FILE or URL; without one the flags have no meaning")}
			}
			if !show {
				request.Module = args[1]
			}
			change, err := request.Change()
			if err != nil {
				return cli.UsageError{Err: err}
			}
			a.warnOfSource(change.Path)
			change.Tasks = tasks
			if err := canary.apply(&change); err != nil {
				return cli.UsageError{Err: err}
			}
			return a.WithDaemon(func(api control.API) error {
				var s host.PluginShadow
				if show {
					s, err = api.PluginShadow(cmd.Context(), args[0])
				} else {
					s, err = api.ShadowPlugin(cmd.Context(), args[0], change)
				}
				if err != nil {
					return err
				}
				return a.writeShadow(args[0], s)
			})
		},
	}
	addRequestFlags(cmd, &request)
	cmd.Flags().StringVar(&request.Reason, "reason", "", "`TEXT` for the history")
	canary.add(cmd)
	cmd.Flags().StringArrayVar(&tasks, "task", nil, "let the candidate serve the task `NAME` for real; may be repeated")
	return cmd
}

// anyOwnChanged reports whether a flag is given that only this command has, other than the exceptions.
func anyOwnChanged(cmd *cobra.Command, exceptions ...string) (any bool) {
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		any = any || f.Changed && !slices.Contains(exceptions, f.Name)
	})
	return any
}

func (a app) writeShadow(name string, s host.PluginShadow) error {
	if a.JSON {
		return a.WriteJSON(s)
	}
	lines := append(generationLines(name, s.Generation),
		"serves for real: "+cli.OneLine(servedText(s)),
		fmt.Sprintf("%d calls compared, %d decided otherwise, %d skipped", s.Compared, s.Differing, s.Skipped))
	if err := a.WriteLines(lines...); err != nil || len(s.Differences) == 0 {
		return err
	}
	rows := [][]string{{"CALL", "TIME", "TASK", "HOOK", "SUBJECT", "SERVING", "CANDIDATE"}}
	for _, d := range s.Differences {
		rows = append(rows, []string{fmt.Sprint(d.Sequence), cli.Moment(d.Time), d.Task, d.Hook, cmp.Or(d.Subject, "-"), d.Serving, d.Candidate})
	}
	return a.WriteTable(rows)
}

func (a app) promoteCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "promote NAME",
		Short: "Put the candidate of a plugin into service",
		Args:  cobra.ExactArgs(1),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			return cli.Shown(a.App, generationOf(args[0]))(api.PromotePlugin(ctx, args[0], reason))
		}),
	}
	cmd.Flags().StringVar(&reason, "reason", "", "`TEXT` for the history")
	return cmd
}

func (a app) dropCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "drop NAME",
		Short: "End the candidate of a plugin",
		Args:  cobra.ExactArgs(1),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			return cli.Shown(a.App, generationOf(args[0]))(api.DropPlugin(ctx, args[0]))
		}),
	}
}
