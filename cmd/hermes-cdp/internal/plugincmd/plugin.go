// Package plugincmd is the commands of hermes-cdp plugin: writing, building, trying, looking at and swapping plugins.
package plugincmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/catalog"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// app has what all commands have.
type app struct{ *cli.App }

// Command is hermes-cdp plugin.
func Command(base *cli.App) *cobra.Command {
	a := app{base}
	return cli.Group("plugin", "Write, build, try, look at and swap plugins",
		a.newCommand(), a.generateCommand(), a.devCommand(), a.upgradeCommand(), a.buildCommand(), a.testCommand(), a.runCommand(), a.benchCommand(),
		a.listCommand(), a.toolsCommand(), a.callCommand(), a.inspectCommand(), a.checkCommand(), a.packCommand(), a.pushCommand(), a.pullCommand(),
		a.addCommand(), a.removeCommand(), a.configureCommand(),
		a.swapCommand(), a.rollbackCommand(), a.historyCommand(), a.logsCommand(), a.storeCommand(),
		a.shadowCommand(), a.promoteCommand(), a.dropCommand(),
		a.journalCommand(), a.replayCommand(), a.diffCommand(), a.recordCommand())
}

type listJSON struct {
	Plugins []catalog.Entry `json:"plugins"`
}

func (a app) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the plugins that the daemon runs; without one, the shipped and the configured ones",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, _, err := a.Load()
			if err != nil {
				return err
			}
			running, err := a.runningPlugins(cmd.Context(), cfg)
			switch {
			case err == nil:
				return a.writeRunning(running)
			case !errors.Is(err, fault.ErrNoDaemon):
				return err
			}
			entries := catalog.List(cfg, a.Shipped)
			rows := [][]string{{"NAME", "VERSION", "SOURCE", "SHA256", "HOOKS"}}
			for _, e := range entries {
				rows = append(rows, pluginRow(e))
			}
			return a.WriteRows(listJSON{Plugins: entries}, rows)
		},
	}
}

// RunningJSON is the JSON of plugin list with a daemon.
type RunningJSON struct {
	Daemon  bool              `json:"daemon"`
	Plugins []host.PluginInfo `json:"plugins"`
}

func (a app) runningPlugins(ctx context.Context, cfg *config.Config) (list []host.PluginInfo, err error) {
	err = a.OnDaemon(cfg, func(api control.API) error {
		list, err = api.Plugins(ctx)
		return err
	})
	return list, err
}

func (a app) writeRunning(list []host.PluginInfo) error {
	rows := [][]string{{"NAME", "VERSION", "GENERATION", "SOURCE", "SHA256", "CONFIG", "CALLS", "FAULTS", "HOOKS"}}
	for _, p := range list {
		rows = append(rows, runningRow(p))
	}
	return a.WriteRows(RunningJSON{Daemon: true, Plugins: list}, rows)
}

func runningRow(p host.PluginInfo) []string {
	hooks := strings.Join(p.Hooks, ",")
	if p.Outage != "" {
		hooks = "out of service: " + p.Outage
	}
	return []string{
		p.Name, cmp.Or(p.Version, "-"), fmt.Sprint(p.Generation), cmp.Or(p.Source, "-"), cmp.Or(cli.Short(p.SHA256), "-"),
		cmp.Or(cli.Short(p.ConfigHash), "-"), fmt.Sprint(p.Calls), fmt.Sprint(p.Faults), hooks,
	}
}

func pluginRow(e catalog.Entry) []string {
	hooks := joinHooks(e.Hooks)
	if e.Problem != "" {
		hooks = "problem: " + e.Problem
	}
	return []string{e.Name, cmp.Or(e.Version, "-"), cmp.Or(e.Path, e.URL, string(e.Source)), cmp.Or(cli.Short(e.SHA256), "-"), hooks}
}

func joinHooks(hooks []abi.Hook) string {
	texts := make([]string, len(hooks))
	for i, hook := range hooks {
		texts[i] = string(hook)
	}
	return cmp.Or(strings.Join(texts, ","), "-")
}
