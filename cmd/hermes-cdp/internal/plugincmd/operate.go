package plugincmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/candidate"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a app) addCommand() *cobra.Command {
	var request candidate.Request
	var more host.PluginAddition
	var signed signerFlags
	store := "memory"
	cmd := &cobra.Command{
		Use:   "add NAME [FILE|URL]",
		Short: "Add a plugin while everything runs, once its module has passed every check",
		Long: "Add a plugin while everything runs, once its module has passed every check. It stays, after a restart too, until plugin\n" +
			"remove or until the configuration has a plugin of that name. Without a module, it puts back, as configured, a plugin\n" +
			"that plugin remove has taken out.",
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && anyOwnChanged(cmd, "reason") {
				return cli.UsageError{Err: errors.New("a new plugin needs the FILE or URL of its module; without one, plugin add puts a removed plugin back as it is configured")}
			}
			if len(args) == 2 {
				request.Module = args[1]
			}
			change, err := request.Change()
			if err != nil {
				return cli.UsageError{Err: err}
			}
			signed.PublicKey = request.PublicKey
			by, err := signed.signer()
			if err != nil {
				return err
			}
			more.Sigstore = host.Sigstore(by.Sigstore)
			if root := &more.Sigstore.TrustedRoot; *root != "" {
				if *root, err = filepath.Abs(*root); err != nil {
					return err
				}
			}
			if store != "memory" && store != "disk" {
				return cli.UsageError{Err: fmt.Errorf("--store is %q, want memory or disk", store)}
			}
			more.StoreOnDisk = store == "disk"
			a.warnOfSource(change.Path)
			more.PluginSource, more.Config, more.Trigger = change.PluginSource, change.Config, change.Trigger
			return a.WithDaemon(func(api control.API) error {
				return cli.Shown(a.App, generationOf(args[0]))(api.InstallPlugin(cmd.Context(), args[0], more))
			})
		},
	}
	addSourceFlags(cmd, &request)
	signed.addSigstore(cmd)
	cmd.Flags().Lookup("config-json").Usage = "the module's configuration as a JSON `OBJECT` (default: none)"
	cmd.Flags().StringSliceVar(&more.Hooks, "hooks", nil, "the `HOOKS` that its modules may serve: "+strings.Join(abi.Grants(), ", "))
	cmd.Flags().BoolVar(&more.IgnoreExtraHooks, "ignore-extra-hooks", false, "let a module with more hooks serve those that are named, instead of refusing it")
	cmd.Flags().StringSliceVar(&more.Capabilities, "capability", nil, "what it may ask of the host: kv, state, page; may be repeated")
	cmd.Flags().StringVar(&store, "store", store, "`WHERE` it keeps what it stores with the capability kv: memory, or disk, where it outlives the daemon")
	cmd.Flags().IntVar(&more.Priority, "priority", 0, "its place among the plugins of a hook: the highest `NUMBER` is asked first")
	cmd.Flags().StringVar(&more.Reason, "reason", "", "`TEXT` for the history")
	return cmd
}

func (a app) removeCommand() *cobra.Command {
	removal := host.PluginRemoval{Trigger: control.TriggerCommand}
	cmd := &cobra.Command{
		Use:   "remove NAME",
		Short: "Take a plugin out of service while everything runs",
		Long: "Take a plugin out of service while everything runs; its module finishes what it has begun. The removal is refused if no other plugin\n" +
			"decides on one of its hooks, or if agents would lose a tool, unless the hook or the tool is named. A configured plugin\n" +
			"stays out, after a restart too, until its configuration changes or plugin add NAME puts it back.",
		Args: cobra.ExactArgs(1),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			return cli.Shown(a.App, removedLines)(api.WithdrawPlugin(ctx, args[0], removal))
		}),
	}
	cmd.Flags().StringSliceVar(&removal.DropHooks, "drop-hook", nil, "let no plugin decide on the `HOOK` afterwards ("+strings.Join(abi.Grants(), ", ")+"); may be repeated")
	addDropToolFlag(cmd, &removal.DropTools)
	cmd.Flags().StringVar(&removal.Reason, "reason", "", "`TEXT` for status and the log")
	return cmd
}

func removedLines(w host.WithdrawnPlugin) []string {
	lines := []string{fmt.Sprintf("%s: removed; it served %s", w.Name, strings.Join(w.Hooks, ", "))}
	if w.Unkept != "" {
		lines = append(lines, cli.OneLine(w.Unkept))
	}
	return lines
}

func (a app) configureCommand() *cobra.Command {
	var request candidate.Request
	var requireSame bool
	cmd := &cobra.Command{
		Use:   "configure NAME --config-json OBJECT",
		Short: "Give the module in service another configuration, once it has passed every check with it",
		Long: "Give the module in service another configuration, once it has passed every check with it, as with plugin swap. It lasts\n" +
			"until another swap, or until the file or the configuration of the plugin changes. plugin rollback restores the one before.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if request.ConfigJSON == "" {
				return cli.UsageError{Err: errors.New("--config-json is missing: the whole configuration of the module, as a JSON object")}
			}
			change, err := request.Change()
			if err != nil {
				return cli.UsageError{Err: err}
			}
			change.RequireSame = requireSame
			return a.WithDaemon(func(api control.API) error {
				return cli.Shown(a.App, generationOf(args[0]))(api.ReconfigurePlugin(cmd.Context(), args[0], change))
			})
		},
	}
	cmd.Flags().StringVar(&request.ConfigJSON, "config-json", "", "the module's configuration as a JSON `OBJECT`")
	cmd.Flags().StringVar(&request.Reason, "reason", "", "`TEXT` for the history")
	cmd.Flags().BoolVar(&requireSame, "require-same", false, "refuse a configuration with which it decides any of the recent calls otherwise")
	return cmd
}

// addDropToolFlag is the flag of every command that may take tools from agents.
func addDropToolFlag(cmd *cobra.Command, tools *[]string) {
	cmd.Flags().StringSliceVar(tools, "drop-tool", nil, "let agents lose the `TOOL`, by its name in the plugin's manifest; may be repeated")
}
