package toolpick

import (
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Of begins with what is configured, and offers what a registry has.
func Of(r *agent.Registry, cfg *config.Config) *State {
	return New(offered(r, cfg), offeredSets(r, cfg), Choice{Toolsets: cfg.Toolsets, Disabled: cfg.DisabledTools})
}

// offered are all tools, as a terminal can show them.
func offered(r *agent.Registry, cfg *config.Config) []Tool {
	var list []Tool
	works := map[string]bool{}
	for _, t := range r.Tools(agent.View{Toolsets: []string{"all"}}) {
		works[t.Name] = true
	}
	for _, t := range r.List(agent.View{}) {
		it := Tool{Name: t.Name, Source: t.Source, Description: pagetext.Line(t.Description), Toolsets: t.Toolsets}
		if !works[t.Name] && !t.Disabled {
			it.Barred = "it cannot work now"
			if !config.On(cfg.Browser.EvaluateEnabled) {
				it.Barred = "browser.evaluate_enabled is false"
			}
		}
		list = append(list, it)
	}
	return list
}

// offeredSets are all toolsets, with where they come from.
func offeredSets(r *agent.Registry, cfg *config.Config) []Set {
	ours := agent.Bundles()
	tools := map[string]bool{}
	for _, t := range r.List(agent.View{}) {
		for _, set := range t.Toolsets {
			tools[set] = true
		}
	}
	var list []Set
	for _, name := range r.Toolsets() {
		it := Set{Name: name}
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
	"all":               "every tool there is",
	"browser":           "the default",
	"browser-emulation": "what pages are told of the device and the user; permissions",
	"browser-full":      "every tool of this program",
	"browser-inspect":   "more of an element than snapshots say; pages as PDF and MHTML files",
	"browser-read":      "only look",
	"browser-mouse":     "the mouse at coordinates of a screenshot, for models that see",
	"browser-network":   "what pages request: a list, headers, bodies, HAR files",
	"browser-route":     "block, answer or change requests",
	"browser-safe":      "no script, no raw command, no upload",
	"browser-state":     "save logins in files, and load them",
	"browser-operator":  "questions to the person who runs the browser",
	"browser-record":    "a video of the tab in use, with its dialogs",
	"browser-trace":     "a file of all calls, with pictures, console and requests",
	"debugging":         "the default, and what shows why a page does what it does",
	"safe":              "the same as browser-safe",
}
