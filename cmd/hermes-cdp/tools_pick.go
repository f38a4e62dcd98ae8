package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/toolpick"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/config"
)

// pickTools is tools alone: in a terminal a choice that is written to the configuration, elsewhere the list.
func (a *app) pickTools(cmd *cobra.Command) error {
	in, out, ok := a.terminal()
	if !ok || a.json {
		return a.listTools(cmd.Context(), agent.View{})
	}
	cfg, report, err := a.load()
	if err != nil {
		return err
	}
	file, err := a.writableFile(report)
	if err != nil {
		return err
	}
	var state *toolpick.State
	err = a.withTools(cmd.Context(), cfg, report, func(r *agent.Registry) error {
		state = toolpick.New(pickable(r, cfg), pickableSets(r, cfg), toolpick.Choice{Toolsets: cfg.Toolsets, Disabled: cfg.DisabledTools})
		return nil
	})
	if err != nil {
		return err
	}
	save, err := a.pick(cmd.Context(), in, out, state)
	switch {
	case err != nil:
		return err
	case !save || !state.Changed():
		return a.writeLines([]string{"nothing was written"})
	}
	chosen, err := state.Choice()
	if err != nil {
		return err
	}
	return a.writeChoice(file, choice{chosen.Toolsets, chosen.Disabled})
}

// terminal gives standard input and output where both are one that a person sits at.
func (a *app) terminal() (in, out *os.File, ok bool) {
	in, isIn := a.stdin.(*os.File)
	out, isOut := a.stdout.(*os.File)
	ok = isIn && isOut && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
	return in, out, ok
}

// pick shows the choice on a screen, or by lines where the terminal has none or ACCESSIBLE is set.
func (a *app) pick(ctx context.Context, in, out *os.File, s *toolpick.State) (bool, error) {
	if name := os.Getenv("TERM"); name == "" || name == "dumb" || os.Getenv("ACCESSIBLE") != "" {
		return toolpick.ByLines(in, out, s)
	}
	screen, err := tcell.NewScreen()
	if err != nil { // nobody knows how to move the cursor of this terminal
		return toolpick.ByLines(in, out, s)
	}
	if err := screen.Init(); err != nil {
		return false, fmt.Errorf("the terminal: %w; set ACCESSIBLE=1 to choose by lines", err)
	}
	defer screen.Fini()
	return toolpick.OnScreen(ctx, screen, s), nil
}

// pickable are all tools, as a terminal can show them.
func pickable(r *agent.Registry, cfg *config.Config) []toolpick.Tool {
	var list []toolpick.Tool
	works := map[string]bool{}
	for _, t := range r.Tools(agent.View{Toolsets: []string{"all"}}) {
		works[t.Name] = true
	}
	for _, t := range r.List(agent.View{}) {
		it := toolpick.Tool{Name: t.Name, Source: t.Source, Description: oneLine(t.Description), Toolsets: t.Toolsets}
		if !works[t.Name] && !t.Disabled {
			it.Barred = "it can not work now"
			if !cfg.Browser.CanEvaluate() {
				it.Barred = "browser.evaluate_enabled is false"
			}
		}
		list = append(list, it)
	}
	return list
}

// pickableSets are all toolsets, with where they come from.
func pickableSets(r *agent.Registry, cfg *config.Config) []toolpick.Set {
	ours := agent.Bundles()
	tools := map[string]bool{}
	for _, t := range r.List(agent.View{}) {
		for _, set := range t.Toolsets {
			tools[set] = true
		}
	}
	var list []toolpick.Set
	for _, name := range r.Toolsets() {
		it := toolpick.Set{Name: name}
		server, isServer := strings.CutPrefix(name, "mcp-")
		switch _, custom := cfg.CustomToolsets[name]; {
		case name == "*":
			continue // all
		case custom:
			it.About = "custom_toolsets"
		case slices.Contains(ours, name):
			it.About = setWords[name]
		case isServer:
			it.About = "the MCP server " + server
		default:
			it.About, it.Hidden = "the plugin "+name, !tools[name] // most plugins have no tools
		}
		list = append(list, it)
	}
	return list
}

// setWords say what the toolsets of this program are for.
var setWords = map[string]string{
	"all":          "every tool there is",
	"browser":      "the default",
	"browser-full": "every tool of this program",
	"browser-read": "only look",
	"browser-safe": "no script, no raw command, no upload",
}

// writeChoice writes what is chosen into the configuration file, and says so.
func (a *app) writeChoice(file string, chosen choice) error {
	lists := map[string][]string{"toolsets": chosen.Toolsets, "disabled_tools": chosen.Disabled}
	if err := config.SetLists(file, lists); err != nil {
		return err
	}
	if a.json {
		return a.writeJSON(chosen)
	}
	var lines []string
	for _, key := range slices.Backward(slices.Sorted(maps.Keys(lists))) {
		if len(lists[key]) > 0 {
			lines = append(lines, key+": "+strings.Join(lists[key], ", "))
		}
	}
	return a.writeLines(append(lines, "wrote "+file+"; a daemon takes it at its next start"))
}
