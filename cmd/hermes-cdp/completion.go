package main

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// completionTimeout is how long a shell may wait for what a daemon knows.
const completionTimeout = 700 * time.Millisecond

// completer gives what a word may be; prefix is what of it is typed.
type completer func(cmd *cobra.Command, args []string, prefix string) []string

// bound makes a completer one of cobra's: only what begins as typed, and no files.
func bound(c completer) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var list []cobra.Completion
		for _, word := range c(cmd, args, prefix) {
			if strings.HasPrefix(word, prefix) {
				list = append(list, word)
			}
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// complete gives a flag its completions.
func complete(cmd *cobra.Command, flag string, c completer) {
	if err := cmd.RegisterFlagCompletionFunc(flag, bound(c)); err != nil {
		panic(err) // the flag is not there, or has them: every test would meet it
	}
}

func fixed(words []string) completer {
	return func(*cobra.Command, []string, string) []string { return words }
}

// listed completes a list with commas: its last member.
func listed(c completer) completer {
	return func(cmd *cobra.Command, args []string, prefix string) []string {
		head := prefix[:strings.LastIndexByte(prefix, ',')+1]
		var list []string
		for _, word := range c(cmd, args, prefix[len(head):]) {
			list = append(list, head+word)
		}
		return list
	}
}

// addCompletions completes the flags and arguments of all commands. What is known by the daemon is asked of it; where there
// is none, nothing is said.
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
				complete(cmd, name, c)
			}
		}
		if c := arguments[path]; c != nil && cmd.ValidArgsFunction == nil {
			cmd.ValidArgsFunction = bound(c)
		}
		for _, child := range cmd.Commands() {
			walk(child)
		}
	}
	walk(root)
	if err := root.RegisterFlagCompletionFunc("set", a.settings); err != nil {
		panic(err)
	}
}

func (a *app) flagCompleters() map[string]completer {
	return map[string]completer{
		"task": a.tasks, "toolsets": listed(a.toolsetNames), "client": a.platforms, "log-level": fixed([]string{"debug", "info", "warn", "error"}),
		"target": a.targets, "target-id": a.targets, "tab": a.tabs, "ref": a.refs, "to-ref": a.refs, "call-id": a.calls, "stop": a.calls, "dialog-id": a.dialogs, "dialog": a.dialogs,
		"scope": fixed([]string{"tab", "context", "browser"}), "type": fixed([]string{"alert", "confirm", "prompt", "beforeunload"}),
		"world": fixed([]string{"main", "isolated"}), "format": fixed(agent.Formats()),
	}
}

// specialFlags are those whose name means something else elsewhere.
func (a *app) specialFlags() map[string]completer {
	return map[string]completer{"browser snapshot --scope": a.refs}
}

func (a *app) argumentCompleters() map[string]completer {
	first := func(c completer) completer {
		return func(cmd *cobra.Command, args []string, prefix string) []string {
			if len(args) > 0 {
				return nil
			}
			return c(cmd, args, prefix)
		}
	}
	list := map[string]completer{
		"dialog accept": first(a.dialogs), "dialog dismiss": first(a.dialogs), "dialog explain": first(a.dialogs),
		"dialog arm": first(fixed([]string{"accept", "dismiss"})), "resume": first(a.calls), "disconnect": first(a.tasks),
		"tools enable": a.toolsAndToolsets, "tools disable": a.toolsAndToolsets, "tools schema": a.toolsAndToolsets,
		"plugin rollback": first(a.pluginNames), "plugin history": first(a.pluginNames), "plugin promote": first(a.pluginNames),
		"plugin drop": first(a.pluginNames), "plugin call": a.pluginTool, "token revoke": first(a.tokenNames),
	}
	return list
}

// onDaemonQuietly asks the daemon for what a word may be; whatever goes wrong, there is nothing to say.
func (a *app) onDaemonQuietly(ctx context.Context, ask func(context.Context, *control.Client)) {
	cfg, ok := a.loadQuietly()
	if !ok {
		return
	}
	client, err := a.client(cfg)
	if err != nil {
		return
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, completionTimeout)
	defer cancel()
	ask(ctx, client)
}

// described is a word with what a shell shows beside it.
func described(word string, texts ...string) string {
	text := shortened(oneLine(strings.Join(texts, " ")), 60)
	return oneLine(word) + "\t" + cmp.Or(text, " ")
}
