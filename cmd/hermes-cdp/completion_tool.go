package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/config"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/httpapi"
)

// completeTool completes the arguments of a tool's command, each by what its slot takes.
func (a *app) completeTool(cmd *cobra.Command, line *toolLine) {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		open := line.open()
		at := len(args)
		if at >= len(open) && len(open) > 0 && open[len(open)-1].rest {
			at = len(open) - 1
		}
		if at >= len(open) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		s := open[at]
		if s.file || line.tool.Name == "browser_upload" && s.name == "paths" {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return bound(a.slotCompleter(s))(cmd, args, prefix)
	}
}

func (a *app) slotCompleter(s slot) completer {
	if len(s.allowed) > 0 {
		return fixed(s.allowed)
	}
	if c := a.flagCompleters()[flagName(s.name)]; c != nil {
		return c
	}
	return fixed(nil)
}

// completeCall completes tools call: names, and the arguments and their values by the tool's schema.
func (a *app) completeCall(cmd *cobra.Command, o *callOptions) {
	cmd.ValidArgsFunction = bound(func(cmd *cobra.Command, args []string, prefix string) []string {
		if len(args) > 0 {
			return nil
		}
		return a.toolNames(cmd, args, prefix)
	})
	err := cmd.RegisterFlagCompletionFunc("arg", func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return assignments(a.parametersOfTool(cmd.Context(), *o, args[0]), prefix)
	})
	if err != nil {
		panic(err)
	}
}

func (a *app) parametersOfTool(ctx context.Context, o callOptions, name string) (list []assignable) {
	a.onDaemonQuietly(ctx, func(ctx context.Context, api *control.Client) {
		cfg, ok := a.loadQuietly()
		if !ok {
			return
		}
		tools, err := httpapi.NewClient(api).Tools(ctx, o.view(cfg))
		if err != nil {
			return
		}
		i := slices.IndexFunc(tools, func(t agent.Tool) bool { return t.Name == name })
		if i < 0 {
			return
		}
		parameters, _ := parametersOf(tools[i].Input) // as far as it is understood
		for _, p := range parameters {
			list = append(list, assignable{p.name, valuesOf(p.kind, p.allowed), p.doc})
		}
	})
	return list
}

// assignable is what can stand before an = and after it.
type assignable struct {
	name   string
	values []string
	text   string
}

func valuesOf(kind string, allowed []string) []string {
	if kind == "boolean" {
		return []string{"true", "false"}
	}
	return allowed
}

// assignments completes NAME=VALUE: the name with its =, after which the shell goes on, then the value.
func assignments(list []assignable, prefix string) (words []cobra.Completion, directive cobra.ShellCompDirective) {
	name, value, hasValue := strings.Cut(prefix, "=")
	for _, it := range list {
		switch {
		case hasValue && it.name == name:
			for _, v := range it.values {
				if strings.HasPrefix(v, value) {
					words = append(words, name+"="+v)
				}
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		case !hasValue && strings.HasPrefix(it.name, name):
			words = append(words, described(it.name+"=", it.text))
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// settings completes KEY=VALUE of the configuration.
func (a *app) settings(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []assignable
	for _, key := range config.Keys() {
		kind := ""
		if key.Type == config.TypeBool {
			kind = "boolean"
		}
		for _, path := range a.keyPaths(cmd, args, key.Path) {
			list = append(list, assignable{path, valuesOf(kind, key.Allowed), key.Unit})
		}
	}
	return assignments(list, prefix)
}

// keyPaths writes the names of plugins, or of MCP servers, into a key that has a place for one.
func (a *app) keyPaths(cmd *cobra.Command, args []string, path string) []string {
	if !strings.Contains(path, config.AnyName) {
		return []string{path}
	}
	names := a.serverNames()
	if strings.HasPrefix(path, "plugins.") {
		names = a.pluginNames(cmd, args, "")
	}
	var list []string
	for _, name := range names {
		list = append(list, strings.Replace(path, config.AnyName, name, 1))
	}
	return list
}
