package main

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/standalone"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/toolpick"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
)

func (a *app) toolsEnableCommand() *cobra.Command {
	return a.chooseCommand("enable", "Give agents tools or toolsets, by writing the configuration file", toolpick.Choice.Enable, toolpick.Choice.Enable)
}

func (a *app) toolsDisableCommand() *cobra.Command {
	return a.chooseCommand("disable", "Take tools or toolsets from agents, by writing the configuration file", toolpick.Choice.Disable, toolpick.Choice.Without)
}

// change is a change of what is chosen for everybody, or for the clients of a name, of which no tool can be disabled.
type change func(toolpick.Choice, *agent.Registry, string) (toolpick.Choice, error)

func (a *app) chooseCommand(verb, short string, everybody, client change) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   verb + " NAME...",
		Short: short,
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var chosen toolpick.Choice
			key, change := "toolsets", everybody
			if name != "" {
				key, change = "platform_toolsets."+name, client
			}
			file, err := a.choose(cmd.Context(), key, func(cfg *config.Config, r *agent.Registry) (err error) {
				chosen = toolpick.Choice{Toolsets: cfg.Toolsets, Disabled: cfg.DisabledTools}
				if own := cfg.PlatformToolsets[name]; name != "" && len(own) > 0 {
					chosen.Toolsets = own
				}
				for _, name := range args {
					if err := r.CheckToolsets([]string{name}); err != nil {
						return err
					}
					if chosen, err = change(chosen, r, name); err != nil {
						return cli.UsageError{Err: err}
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
			return a.writeChoice(file, key, chosen)
		},
	}
	cmd.Flags().StringVar(&name, "client", "", "for the clients of this `NAME` alone, instead of everybody")
	return cmd
}

// pickTools is tools alone: in a terminal a choice that is written to the configuration, elsewhere the list.
func (a *app) pickTools(cmd *cobra.Command) error {
	in, out, ok := a.terminal()
	if !ok || a.JSON {
		return a.listTools(cmd.Context(), agent.View{})
	}
	var state *toolpick.State
	file, err := a.choose(cmd.Context(), "toolsets", func(cfg *config.Config, r *agent.Registry) error {
		state = toolpick.Of(r, cfg)
		return nil
	})
	if err != nil {
		return err
	}
	save, err := toolpick.Pick(cmd.Context(), in, out, state)
	switch {
	case err != nil:
		return err
	case !save || !state.Changed():
		return a.WriteLines("nothing was written")
	}
	chosen, err := state.Choice()
	if err != nil {
		return err
	}
	return a.writeChoice(file, "toolsets", chosen)
}

// choose calls a function with the tools that there are, and tells which file a choice of them can be written to.
func (a *app) choose(ctx context.Context, key string, use func(*config.Config, *agent.Registry) error) (file string, err error) {
	cfg, report, err := a.Load()
	if err != nil {
		return "", err
	}
	if file, err = report.FileFor(a.Sources(), key, "disabled_tools"); err != nil {
		return "", cli.UsageError{Err: err}
	}
	return file, standalone.WithTools(ctx, a.Standalone(cfg, report), func(r *agent.Registry, _ *upstream.Servers) error { return use(cfg, r) })
}

// terminal gives standard input and output where both are one that a person sits at.
func (a *app) terminal() (in, out *os.File, ok bool) {
	in, isIn := a.Stdin.(*os.File)
	out, isOut := a.Stdout.(*os.File)
	ok = isIn && isOut && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
	return in, out, ok
}

// writeChoice writes what is chosen into the configuration file, the toolsets under a key, and says so.
func (a *app) writeChoice(file, key string, chosen toolpick.Choice) error {
	lists := map[string][]string{key: chosen.Toolsets, "disabled_tools": chosen.Disabled}
	if err := config.SetLists(file, lists); err != nil {
		return err
	}
	var lines []string
	for _, key := range slices.Backward(slices.Sorted(maps.Keys(lists))) {
		if len(lists[key]) > 0 {
			lines = append(lines, key+": "+strings.Join(lists[key], ", "))
		}
	}
	return a.Write(chosen, append(lines, "wrote "+file+"; what runs takes it at once, or with SIGHUP where plugin_watch is off")...)
}
