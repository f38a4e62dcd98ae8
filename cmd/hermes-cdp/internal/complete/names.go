package complete

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/catalog"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/httpapi"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// timeout is how long a shell may wait for what a daemon knows.
const timeout = 700 * time.Millisecond

// Names finds what can be named. Its methods are of the type [Completer].
type Names struct {
	// Config reads the configuration, and says nothing where it cannot be used.
	Config func() (*config.Config, bool)
	// Client reaches the daemon.
	Client func(*config.Config) (*control.Client, error)
	// Shipped are the modules that need no configuration.
	Shipped catalog.Shipped
	// Self is the name under which the toolsets of this command are configured.
	Self string
}

// Ask asks the daemon for what a word may be; whatever goes wrong, there is nothing to say.
func (n Names) Ask(ctx context.Context, ask func(context.Context, *control.Client)) {
	cfg, ok := n.Config()
	if !ok {
		return
	}
	client, err := n.Client(cfg)
	if err != nil {
		return
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	ask(ctx, client)
}

// known asks the daemon for a list, and makes a word of each in it.
func known[T any](ctx context.Context, n Names, list func(*control.Client, context.Context) ([]T, error), word func(T) string) (words []string) {
	n.Ask(ctx, func(ctx context.Context, api *control.Client) {
		all, err := list(api, ctx)
		if err != nil {
			return
		}
		for _, one := range all {
			words = append(words, word(one))
		}
	})
	return words
}

// Platforms are the clients for which toolsets are configured, and those whose names are this program's own.
func (n Names) Platforms(*cobra.Command, []string, string) []string {
	list := []string{n.Self, httpapi.DefaultClient}
	if cfg, ok := n.Config(); ok {
		list = slices.AppendSeq(list, maps.Keys(cfg.PlatformToolsets))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Tasks are those of the daemon.
func (n Names) Tasks(cmd *cobra.Command, _ []string, _ string) []string {
	tasks := func(api *control.Client, ctx context.Context) ([]control.TaskStatus, error) {
		status, err := api.Status(ctx)
		return status.Tasks, err
	}
	return known(cmd.Context(), n, tasks, func(t control.TaskStatus) string { return described(t.ID, t.URL) })
}

// hints asks for the names of the task that the command line names.
func (n Names) hints(cmd *cobra.Command, each func(control.Hints) []string) (list []string) {
	task := ""
	if flag := cmd.Flags().Lookup("task"); flag != nil {
		task = flag.Value.String()
	}
	n.Ask(cmd.Context(), func(ctx context.Context, api *control.Client) {
		if hints, err := api.Hints(ctx, task); err == nil {
			list = each(hints)
		}
	})
	return list
}

// Refs are those of the last readings.
func (n Names) Refs(cmd *cobra.Command, _ []string, _ string) []string {
	return n.hints(cmd, func(h control.Hints) (list []string) {
		for _, r := range h.Refs {
			list = append(list, described(r.Ref, r.Role, pagetext.Quote(r.Name)))
		}
		return list
	})
}

// tabWords describe a tab, the one that is meant where none is named as such.
func tabWords(t host.TabInfo, words ...string) []string {
	if t.InUse {
		words = append([]string{"in use"}, words...)
	}
	return words
}

// Tabs are the handles of a task's tabs.
func (n Names) Tabs(cmd *cobra.Command, _ []string, _ string) []string {
	return n.hints(cmd, func(h control.Hints) (list []string) {
		for _, t := range h.Tabs {
			list = append(list, described(t.Handle, tabWords(t, pagetext.Quote(t.Title), pagetext.Quote(t.URL))...))
		}
		return list
	})
}

// Targets are the ids of a task's tabs.
func (n Names) Targets(cmd *cobra.Command, _ []string, _ string) []string {
	return n.hints(cmd, func(h control.Hints) (list []string) {
		for _, t := range h.Tabs {
			list = append(list, described(t.TargetID, tabWords(t, t.Handle, pagetext.Quote(t.URL))...))
		}
		return list
	})
}

// Dialogs are the open ones, or for a command that explains, those that closed as well.
func (n Names) Dialogs(cmd *cobra.Command, _ []string, _ string) []string {
	past := cmd.Name() == "explain" || cmd.Name() == "record"
	return n.hints(cmd, func(h control.Hints) (list []string) {
		for _, d := range h.Dialogs {
			if past || d.ClosedBy == "" {
				list = append(list, described(d.ID, string(d.Type), pagetext.Quote(d.Message)))
			}
		}
		return list
	})
}

// Calls are those that can be resumed.
func (n Names) Calls(cmd *cobra.Command, _ []string, _ string) []string {
	return n.hints(cmd, func(h control.Hints) []string { return h.Calls })
}

// Tools are the tools of the daemon, or this program's own where there is none.
func (n Names) Tools(cmd *cobra.Command, _ []string, _ string) (list []string) {
	tools := agent.Builtins()
	n.Ask(cmd.Context(), func(ctx context.Context, api *control.Client) {
		if all, err := httpapi.NewClient(api).Tools(ctx, agent.View{Toolsets: []string{"all"}}); err == nil {
			tools = all
		}
	})
	for _, t := range tools {
		list = append(list, described(t.Name, t.Description))
	}
	return list
}

// Toolsets are those of this program, the configured ones, and the plugins'.
func (n Names) Toolsets(cmd *cobra.Command, args []string, prefix string) []string {
	list := agent.Bundles()
	if cfg, ok := n.Config(); ok {
		list = slices.AppendSeq(list, maps.Keys(cfg.CustomToolsets))
	}
	list = append(list, n.Plugins(cmd, args, prefix)...)
	slices.Sort(list)
	return slices.Compact(list)
}

// ToolsAndToolsets are those that are not on the line yet.
func (n Names) ToolsAndToolsets(cmd *cobra.Command, args []string, prefix string) []string {
	list := append(n.Toolsets(cmd, args, prefix), n.Tools(cmd, args, prefix)...)
	return slices.DeleteFunc(list, func(word string) bool {
		name, _, _ := strings.Cut(word, "\t")
		return slices.Contains(args, name)
	})
}

// Plugins are the plugins that serve, or those that are shipped and configured where there is no daemon.
func (n Names) Plugins(cmd *cobra.Command, _ []string, _ string) []string {
	list := known(cmd.Context(), n, (*control.Client).Plugins, func(p host.PluginInfo) string { return p.Name })
	if list != nil {
		return list
	}
	if n.Shipped.Names != nil {
		list = slices.Clone(n.Shipped.Names())
	}
	if cfg, ok := n.Config(); ok {
		list = slices.AppendSeq(list, maps.Keys(cfg.Plugins))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// servers are the MCP servers that are configured.
func (n Names) servers() []string {
	cfg, ok := n.Config()
	if !ok {
		return nil
	}
	return slices.Sorted(maps.Keys(cfg.MCPServers))
}

// PluginTool completes PLUGIN TOOL.
func (n Names) PluginTool(cmd *cobra.Command, args []string, _ string) (list []string) {
	if len(args) > 1 {
		return nil
	}
	n.Ask(cmd.Context(), func(ctx context.Context, api *control.Client) {
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

// Tokens completes the names of tokens.
func (n Names) Tokens(cmd *cobra.Command, _ []string, _ string) []string {
	return known(cmd.Context(), n, (*control.Client).Tokens, func(t access.Token) string {
		return described(t.Name, strings.Join(t.Tasks, ","))
	})
}

// Settings completes KEY=VALUE of the configuration.
func (n Names) Settings(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []Assignable
	for _, key := range config.Keys() {
		values := key.Allowed
		if key.Type == config.TypeBool {
			values = []string{"true", "false"}
		}
		for _, path := range n.keyPaths(cmd, args, key.Path) {
			list = append(list, Assignable{path, values, key.Unit})
		}
	}
	return Assignments(list, prefix)
}

// keyPaths writes the names of plugins, or of MCP servers, into a key that has a place for one.
func (n Names) keyPaths(cmd *cobra.Command, args []string, path string) []string {
	if !strings.Contains(path, config.AnyName) {
		return []string{path}
	}
	names := n.servers()
	if strings.HasPrefix(path, "plugins.") {
		names = n.Plugins(cmd, args, "")
	}
	var list []string
	for _, name := range names {
		list = append(list, strings.Replace(path, config.AnyName, name, 1))
	}
	return list
}
