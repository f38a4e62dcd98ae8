package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/catalog"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) pluginCommand() *cobra.Command {
	return group("plugin", "Write, build, try, look at and swap plugins",
		a.pluginNewCommand(), a.pluginBuildCommand(), a.pluginTestCommand(), a.pluginRunCommand(), a.pluginBenchCommand(),
		a.pluginListCommand(), a.pluginToolsCommand(), a.pluginCallCommand(), a.pluginInspectCommand(), a.pluginCheckCommand(), a.pluginPackCommand(),
		a.pluginSwapCommand(), a.pluginRollbackCommand(), a.pluginHistoryCommand(),
		a.pluginShadowCommand(), a.pluginPromoteCommand(), a.pluginDropCommand(),
		a.pluginJournalCommand(), a.pluginReplayCommand(), a.pluginDiffCommand(), a.pluginRecordCommand())
}

type pluginListJSON struct {
	Plugins []catalog.Entry `json:"plugins"`
}

func (a *app) pluginListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the plugins that the daemon runs; without one, the shipped and the configured ones",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, _, err := a.load()
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
			entries := catalog.List(cfg, a.shipped)
			rows := [][]string{{"NAME", "VERSION", "SOURCE", "SHA256", "HOOKS"}}
			for _, e := range entries {
				rows = append(rows, pluginRow(e))
			}
			return a.writeRows(pluginListJSON{Plugins: entries}, rows)
		},
	}
}

type runningListJSON struct {
	Daemon  bool              `json:"daemon"`
	Plugins []host.PluginInfo `json:"plugins"`
}

func (a *app) runningPlugins(ctx context.Context, cfg *config.Config) (list []host.PluginInfo, err error) {
	err = a.onDaemon(cfg, func(api control.API) error {
		list, err = api.Plugins(ctx)
		return err
	})
	return list, err
}

func (a *app) writeRunning(list []host.PluginInfo) error {
	rows := [][]string{{"NAME", "VERSION", "GENERATION", "SOURCE", "SHA256", "CONFIG", "CALLS", "FAULTS", "HOOKS"}}
	for _, p := range list {
		rows = append(rows, runningRow(p))
	}
	return a.writeRows(runningListJSON{Daemon: true, Plugins: list}, rows)
}

func runningRow(p host.PluginInfo) []string {
	hooks := strings.Join(p.Hooks, ",")
	if p.Outage != "" {
		hooks = "out of service: " + p.Outage
	}
	return []string{
		p.Name, cmp.Or(p.Version, "-"), fmt.Sprint(p.Generation), cmp.Or(p.Source, "-"), cmp.Or(short(p.SHA256), "-"),
		cmp.Or(short(p.ConfigHash), "-"), fmt.Sprint(p.Calls), fmt.Sprint(p.Faults), hooks,
	}
}

func pluginRow(e catalog.Entry) []string {
	hooks := joinHooks(e.Hooks)
	if e.Problem != "" {
		hooks = "problem: " + e.Problem
	}
	return []string{e.Name, cmp.Or(e.Version, "-"), cmp.Or(e.Path, e.URL, string(e.Source)), cmp.Or(short(e.SHA256), "-"), hooks}
}

// short is enough of a digest to tell modules apart in a table; --json has all of it.
func short(digest string) string { return digest[:min(12, len(digest))] }

func joinHooks(hooks []abi.Hook) string {
	texts := make([]string, len(hooks))
	for i, hook := range hooks {
		texts[i] = string(hook)
	}
	return cmp.Or(strings.Join(texts, ","), "-")
}
