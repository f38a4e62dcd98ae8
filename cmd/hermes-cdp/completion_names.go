package main

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/config"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/httpapi"
)

// loadQuietly is load without its warnings, which would stand in the middle of a line that is being typed.
func (a *app) loadQuietly() (*config.Config, bool) {
	cfg, report, err := config.Load(a.sources())
	a.report = report
	return cfg, err == nil
}

// platforms are the clients for which toolsets are configured, and those whose names are this program's own.
func (a *app) platforms(*cobra.Command, []string, string) []string {
	list := []string{clientName, httpapi.DefaultClient}
	if cfg, ok := a.loadQuietly(); ok {
		list = slices.AppendSeq(list, maps.Keys(cfg.PlatformToolsets))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (a *app) tasks(cmd *cobra.Command, _ []string, _ string) (list []string) {
	a.onDaemonQuietly(cmd.Context(), func(ctx context.Context, api *control.Client) {
		status, err := api.Status(ctx)
		if err != nil {
			return
		}
		for _, t := range status.Tasks {
			list = append(list, described(t.ID, t.URL))
		}
	})
	return list
}

// hints asks for the names of the task that the command line names.
func (a *app) hints(cmd *cobra.Command, each func(control.Hints) []string) (list []string) {
	task := ""
	if flag := cmd.Flags().Lookup("task"); flag != nil {
		task = flag.Value.String()
	}
	a.onDaemonQuietly(cmd.Context(), func(ctx context.Context, api *control.Client) {
		if hints, err := api.Hints(ctx, task); err == nil {
			list = each(hints)
		}
	})
	return list
}

func (a *app) refs(cmd *cobra.Command, _ []string, _ string) []string {
	return a.hints(cmd, func(h control.Hints) (list []string) {
		for _, r := range h.Refs {
			list = append(list, described(r.Ref, r.Role, pageText(r.Name)))
		}
		return list
	})
}

// tabWords describe a tab, the one that is meant where none is named as such.
func tabWords(t host.Tab, words ...string) []string {
	if t.InUse {
		words = append([]string{"in use"}, words...)
	}
	return words
}

func (a *app) tabs(cmd *cobra.Command, _ []string, _ string) []string {
	return a.hints(cmd, func(h control.Hints) (list []string) {
		for _, t := range h.Tabs {
			list = append(list, described(t.Handle, tabWords(t, pageText(t.Title), pageText(t.URL))...))
		}
		return list
	})
}

func (a *app) targets(cmd *cobra.Command, _ []string, _ string) []string {
	return a.hints(cmd, func(h control.Hints) (list []string) {
		for _, t := range h.Tabs {
			list = append(list, described(t.TargetID, tabWords(t, t.Handle, pageText(t.URL))...))
		}
		return list
	})
}

// dialogs are the open ones, or for a command that explains, those that closed as well.
func (a *app) dialogs(cmd *cobra.Command, _ []string, _ string) []string {
	past := cmd.Name() == "explain" || cmd.Name() == "record"
	return a.hints(cmd, func(h control.Hints) (list []string) {
		for _, d := range h.Dialogs {
			if past || d.ClosedBy == "" {
				list = append(list, described(d.ID, d.Type, pageText(d.Message)))
			}
		}
		return list
	})
}

func (a *app) calls(cmd *cobra.Command, _ []string, _ string) []string {
	return a.hints(cmd, func(h control.Hints) []string { return h.Calls })
}

// toolNames are the tools of the daemon, or this program's own where there is none.
func (a *app) toolNames(cmd *cobra.Command, _ []string, _ string) (list []string) {
	tools := agent.Builtins()
	a.onDaemonQuietly(cmd.Context(), func(ctx context.Context, api *control.Client) {
		if all, err := httpapi.NewClient(api).Tools(ctx, agent.View{Toolsets: []string{"all"}}); err == nil {
			tools = all
		}
	})
	for _, t := range tools {
		list = append(list, described(t.Name, t.Description))
	}
	return list
}

// toolsetNames are those of this program, the configured ones, and the plugins'.
func (a *app) toolsetNames(cmd *cobra.Command, args []string, prefix string) []string {
	list := agent.Bundles()
	if cfg, ok := a.loadQuietly(); ok {
		list = slices.AppendSeq(list, maps.Keys(cfg.CustomToolsets))
	}
	list = append(list, a.pluginNames(cmd, args, prefix)...)
	slices.Sort(list)
	return slices.Compact(list)
}

func (a *app) toolsAndToolsets(cmd *cobra.Command, args []string, prefix string) []string {
	list := append(a.toolsetNames(cmd, args, prefix), a.toolNames(cmd, args, prefix)...)
	return slices.DeleteFunc(list, func(word string) bool {
		name, _, _ := strings.Cut(word, "\t")
		return slices.Contains(args, name)
	})
}

// pluginNames are the plugins that serve, or those that are shipped and configured where there is no daemon.
func (a *app) pluginNames(cmd *cobra.Command, _ []string, _ string) (list []string) {
	a.onDaemonQuietly(cmd.Context(), func(ctx context.Context, api *control.Client) {
		plugins, err := api.Plugins(ctx)
		if err != nil {
			return
		}
		for _, p := range plugins {
			list = append(list, p.Name)
		}
	})
	if list != nil {
		return list
	}
	if a.shipped.Names != nil {
		list = slices.Clone(a.shipped.Names())
	}
	if cfg, ok := a.loadQuietly(); ok {
		list = slices.AppendSeq(list, maps.Keys(cfg.Plugins))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// serverNames are the MCP servers that are configured.
func (a *app) serverNames() []string {
	cfg, ok := a.loadQuietly()
	if !ok {
		return nil
	}
	return slices.Sorted(maps.Keys(cfg.MCPServers))
}

// pluginTool completes PLUGIN TOOL.
func (a *app) pluginTool(cmd *cobra.Command, args []string, _ string) (list []string) {
	if len(args) > 1 {
		return nil
	}
	a.onDaemonQuietly(cmd.Context(), func(ctx context.Context, api *control.Client) {
		tools, err := api.Tools(ctx)
		if err != nil {
			return
		}
		for _, t := range tools {
			switch {
			case len(args) == 0 && !slices.Contains(list, t.Plugin):
				list = append(list, t.Plugin)
			case len(args) == 1 && t.Plugin == args[0]:
				list = append(list, described(t.Name, t.Description))
			}
		}
	})
	return list
}
