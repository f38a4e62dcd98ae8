package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/complete"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/toolargs"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/httpapi"
)

// names are those that a shell can complete.
func (a *app) names() complete.Names {
	return complete.Names{Config: a.loadQuietly, Client: a.Client, Shipped: a.Shipped, Self: clientName}
}

// loadQuietly is load without its warnings, which would stand in the middle of a line that is being typed.
func (a *app) loadQuietly() (*config.Config, bool) {
	cfg, report, err := config.Load(a.Sources())
	a.Report = report
	return cfg, err == nil
}

// completeFlag gives a flag its completions.
func completeFlag(cmd *cobra.Command, flag string, c complete.Completer) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete.Bound(c)); err != nil {
		panic(err) // the flag is not there, or has them: every test would meet it
	}
}

// addCompletions completes the flags and arguments of all commands. What is known by the daemon is asked of it; where
// there is none, nothing is said.
func (a *app) addCompletions(root *cobra.Command) {
	flags, special, arguments := a.flagCompleters(), a.specialFlags(), a.argumentCompleters()
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := strings.TrimPrefix(cmd.CommandPath(), root.Name()+" ")
		for name, c := range flags {
			if own := special[path+" --"+name]; own != nil {
				c = own
			}
			if cmd.Flags().Lookup(name) == nil && cmd.PersistentFlags().Lookup(name) == nil {
				continue
			}
			if _, has := cmd.GetFlagCompletionFunc(name); !has {
				completeFlag(cmd, name, c)
			}
		}
		if c := arguments[path]; c != nil && cmd.ValidArgsFunction == nil {
			cmd.ValidArgsFunction = complete.Bound(c)
		}
		for _, child := range cmd.Commands() {
			walk(child)
		}
	}
	walk(root)
	if err := root.RegisterFlagCompletionFunc("set", a.names().Settings); err != nil {
		panic(err)
	}
}

func (a *app) flagCompleters() map[string]complete.Completer {
	n := a.names()
	return map[string]complete.Completer{
		"task": n.Tasks, "toolsets": complete.Listed(n.Toolsets), "client": n.Platforms, "log-level": complete.Fixed([]string{"debug", "info", "warn", "error"}),
		"target": n.Targets, "target-id": n.Targets, "tab": n.Tabs, "ref": n.Refs, "to-ref": n.Refs, "call-id": n.Calls, "stop": n.Calls, "dialog-id": n.Dialogs, "dialog": n.Dialogs,
		"scope": complete.Fixed([]string{"all", "context", "tab"}), "type": complete.Fixed([]string{"alert", "confirm", "prompt", "beforeunload"}),
		"world": complete.Fixed([]string{"main", "isolated"}), "format": complete.Fixed(agent.Formats()),
	}
}

// specialFlags are those whose name means something else elsewhere.
func (a *app) specialFlags() map[string]complete.Completer {
	return map[string]complete.Completer{"browser snapshot --scope": a.names().Refs}
}

func (a *app) argumentCompleters() map[string]complete.Completer {
	n := a.names()
	first := func(c complete.Completer) complete.Completer {
		return func(cmd *cobra.Command, args []string, prefix string) []string {
			if len(args) > 0 {
				return nil
			}
			return c(cmd, args, prefix)
		}
	}
	list := map[string]complete.Completer{
		"dialog accept": first(n.Dialogs), "dialog dismiss": first(n.Dialogs), "dialog explain": first(n.Dialogs),
		"dialog arm": first(complete.Fixed([]string{"accept", "dismiss"})), "resume": first(n.Calls), "disconnect": first(n.Tasks),
		"tools enable": n.ToolsAndToolsets, "tools disable": n.ToolsAndToolsets, "tools schema": n.ToolsAndToolsets,
		"plugin rollback": first(n.Plugins), "plugin history": first(n.Plugins), "plugin promote": first(n.Plugins),
		"plugin drop": first(n.Plugins), "plugin call": n.PluginTool, "token revoke": first(n.Tokens),
	}
	return list
}

// completeTool completes the flags and arguments of a tool's command, each by what it takes.
func (a *app) completeTool(cmd *cobra.Command, line *toolargs.Line) {
	for _, p := range line.Parameters {
		if len(p.Allowed) > 0 {
			completeFlag(cmd, toolargs.FlagName(p.Name), complete.Fixed(p.Allowed))
		}
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		s, ok := line.Next(len(args))
		c := a.flagCompleters()[toolargs.FlagName(s.Name)]
		switch {
		case ok && s.IsFile():
			return nil, cobra.ShellCompDirectiveDefault
		case ok && len(s.Allowed) > 0:
			c = complete.Fixed(s.Allowed)
		case !ok || c == nil:
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete.Bound(c)(cmd, args, prefix)
	}
}

// completeCall completes tools call: names, and the arguments and their values by the tool's schema.
func (a *app) completeCall(cmd *cobra.Command, o *callOptions) {
	cmd.ValidArgsFunction = complete.Bound(func(cmd *cobra.Command, args []string, prefix string) []string {
		if len(args) > 0 {
			return nil
		}
		return a.names().Tools(cmd, args, prefix)
	})
	err := cmd.RegisterFlagCompletionFunc("arg", func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete.Assignments(a.parametersOfTool(cmd.Context(), *o, args[0]), prefix)
	})
	if err != nil {
		panic(err)
	}
}

func (a *app) parametersOfTool(ctx context.Context, o callOptions, name string) (list []complete.Assignable) {
	a.names().Ask(ctx, func(ctx context.Context, api *control.Client) {
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
		parameters, _ := toolargs.Parameters(tools[i].Input) // as far as it is understood
		for _, p := range parameters {
			list = append(list, complete.Assignable{Name: p.Name, Values: p.Values(), Text: p.Doc})
		}
	})
	return list
}
