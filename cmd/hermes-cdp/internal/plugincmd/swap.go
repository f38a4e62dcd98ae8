package plugincmd

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/candidate"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a app) swapCommand() *cobra.Command {
	var request candidate.Request
	var requireSame bool
	cmd := &cobra.Command{
		Use:   "swap NAME FILE|URL",
		Short: "Put another module into service while everything runs, once it has passed every check",
		Long: "Put another module into service while everything runs, once it has passed every check: those of plugin check, and a replay\n" +
			"of the recent calls. What the one before has begun it ends. One that is refused changes nothing.\n\n" +
			"It stays until another swap, until the file or the configuration of the plugin changes, or until it faults too often.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			request.Module = args[1]
			change, err := request.Change()
			if err != nil {
				return cli.UsageError{Err: err}
			}
			a.warnOfSource(change.Path)
			change.RequireSame = requireSame
			return a.WithDaemon(func(api control.API) error {
				return cli.Shown(a.App, generationOf(args[0]))(api.SwapPlugin(cmd.Context(), args[0], change))
			})
		},
	}
	addRequestFlags(cmd, &request)
	cmd.Flags().StringVar(&request.Reason, "reason", "", "`TEXT` for the history")
	cmd.Flags().BoolVar(&requireSame, "require-same", false, "refuse a module that decides any of the recent calls otherwise")
	return cmd
}

// addRequestFlags are the flags of every command that replaces a module.
func addRequestFlags(cmd *cobra.Command, r *candidate.Request) {
	addSourceFlags(cmd, r)
	addDropFlag(cmd, &r.DropHooks)
	addDropToolFlag(cmd, &r.DropTools)
}

// addSourceFlags are the flags of every command that loads a module.
func addSourceFlags(cmd *cobra.Command, r *candidate.Request) {
	cmd.Flags().StringVar(&r.SHA256, "sha256", "", "the `DIGEST` that the module must have; required for an https URL")
	cmd.Flags().StringVar(&r.PublicKey, "public-key", "", "the minisign `KEY` that must have signed the module")
	cmd.Flags().StringVar(&r.Signature, "signature", "", "`FILE` or URL of the signature (default: the module's, with .minisig, or one that is attached in its registry)")
	cmd.Flags().StringVar(&r.ConfigJSON, "config-json", "", "the module's configuration as a JSON `OBJECT` (default: the one in service)")
}

// addDropFlag is the flag of every command that puts another module into service.
func addDropFlag(cmd *cobra.Command, hooks *[]string) {
	cmd.Flags().StringSliceVar(hooks, "drop-hook", nil, "let the plugin stop serving the `HOOK` ("+strings.Join(abi.Grants(), ", ")+"); may be repeated")
}

// generationOf tells what became of a module of a plugin.
func generationOf(name string) func(host.PluginGeneration) []string {
	return func(g host.PluginGeneration) []string { return generationLines(name, g) }
}

func generationLines(name string, g host.PluginGeneration) []string {
	line := fmt.Sprintf("%s: generation %d is %s, sha256 %s", name, g.Number, g.State, cli.Short(g.SHA256))
	if g.Version != "" {
		line += ", version " + g.Version
	}
	lines := []string{cli.OneLine(line + ", from " + g.Source)}
	if g.Unkept != "" {
		lines = append(lines, cli.OneLine(g.Unkept))
	}
	if g.Ungranted != "" {
		lines = append(lines, cli.OneLine("warning: "+g.Ungranted))
	}
	for _, power := range g.NewPowers {
		lines = append(lines, cli.OneLine("new power: "+power+", "+module.Power(power).Meaning()))
	}
	if g.Replayed > 0 {
		lines = append(lines, fmt.Sprintf("%d recent calls replayed, %d decided otherwise", g.Replayed, g.Differences))
	}
	return lines
}

func (a app) rollbackCommand() *cobra.Command {
	var reason string
	var drop []string
	cmd := &cobra.Command{
		Use:   "rollback NAME",
		Short: "Put the module back that served before, with its configuration",
		Args:  cobra.ExactArgs(1),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			return cli.Shown(a.App, generationOf(args[0]))(api.RollbackPlugin(ctx, args[0], reason, drop...))
		}),
	}
	cmd.Flags().StringVar(&reason, "reason", "", "`TEXT` for the history")
	addDropFlag(cmd, &drop)
	return cmd
}

// HistoryJSON is the JSON of plugin history.
type HistoryJSON struct {
	Plugin      string                  `json:"plugin"`
	Generations []host.PluginGeneration `json:"generations"` // newest first
}

func (a app) historyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "history NAME",
		Short: "List the modules that served under a name, and those that were refused, newest first",
		Args:  cobra.ExactArgs(1),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			list, err := api.PluginHistory(ctx, args[0])
			if err != nil {
				return err
			}
			return a.WriteRows(HistoryJSON{Plugin: args[0], Generations: list}, historyRows(list))
		}),
	}
}

func historyRows(list []host.PluginGeneration) [][]string {
	rows := [][]string{{"GENERATION", "STATE", "SINCE", "SHA256", "CONFIG", "VERSION", "TRIGGER", "CALLS", "FAULTS", "REPLAYED", "OTHERWISE", "SOURCE", "REMARK"}}
	var calls, faults uint64
	for _, g := range list {
		rows = append(rows, []string{
			fmt.Sprint(g.Number), g.State, cli.Moment(g.Since), cmp.Or(cli.Short(g.SHA256), "-"), cmp.Or(cli.Short(g.ConfigHash), "-"), cmp.Or(g.Version, "-"),
			g.Trigger, fmt.Sprint(g.Calls), fmt.Sprint(g.Faults), fmt.Sprint(g.Replayed), fmt.Sprint(g.Differences), cmp.Or(g.Source, "-"),
			cmp.Or(g.Error, g.Reason, g.Ungranted),
		})
		calls, faults = calls+g.Calls, faults+g.Faults
	}
	return append(rows, []string{"in total", "", "", "", "", "", "", fmt.Sprint(calls), fmt.Sprint(faults)})
}
