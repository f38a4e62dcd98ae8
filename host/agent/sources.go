package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// entries returns all existing tools, by name. If two have the same name, this package's comes first, then an
// embedder's, then that of the plugin listed first.
func (r *Registry) entries() map[string]entry {
	all := map[string]entry{}
	for name, s := range builtins() {
		all[name] = s.entry
	}
	add := func(e entry) {
		if _, taken := all[e.Name]; !taken {
			all[e.Name] = e
		}
	}
	r.mu.Lock()
	for _, source := range slices.Sorted(maps.Keys(r.extra)) {
		for _, c := range r.extra[source] {
			add(c.entry())
		}
	}
	r.mu.Unlock()
	for _, t := range r.host.PluginTools() {
		add(pluginEntry(t))
	}
	return all
}

func (r *Registry) catalog() catalog { return r.catalogOf(r.entries(), *r.toolsets.Load()) }

func (r *Registry) catalogOf(all map[string]entry, t Toolsets) catalog {
	c := catalog{toolsets: t, tools: map[string]string{}}
	for name, e := range all {
		c.tools[name] = e.Source
	}
	for _, p := range r.host.Plugins() {
		c.sources = append(c.sources, p.Name)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	c.sources = slices.AppendSeq(c.sources, maps.Keys(r.extra))
	for _, source := range r.announced {
		if len(r.extra[source]) == 0 {
			c.sources, c.awaited = append(c.sources, source), true
		}
	}
	return c
}

var (
	namePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	otherRunes  = regexp.MustCompile(`[^A-Za-z0-9_-]`)
)

// MaxToolName is the greatest length of a tool's name.
const MaxToolName = 64

// ownPrefix begins the names of this package's tools, and of no others.
const ownPrefix = "browser_"

// ToolName turns a text into a valid tool name: characters that models' APIs do not allow become _, and it is cut to
// 64.
func ToolName(text string) string {
	name := otherRunes.ReplaceAllString(text, "_")
	return name[:min(len(name), MaxToolName)]
}

// IsToolName reports whether [Registry.Register] accepts a tool of that name.
func IsToolName(name string) bool {
	return namePattern.MatchString(name) && !strings.HasPrefix(name, ownPrefix)
}

// pluginEntry returns a plugin's tool under the name PLUGIN_TOOL.
func pluginEntry(t host.PluginTool) entry {
	return entry{
		Tool: Tool{
			Name: ToolName(t.Plugin + "_" + t.Name), Description: t.Description, Input: t.InputSchema, ReadOnly: t.ReadOnly, Destructive: !t.ReadOnly, OpenWorld: true,
			Source: t.Plugin,
		},
		run: func(ctx context.Context, b *Browser, arguments json.RawMessage) (any, error) {
			return b.CallPlugin(ctx, t, arguments)
		},
	}
}

// PluginTools returns the tools of a plugin, by their names in its manifest, that agents have by the configured
// toolsets, those of a platform or those of a task.
func (r *Registry) PluginTools(plugin string) []string {
	known := r.entries()
	c := r.catalogOf(known, *r.toolsets.Load())
	used := [][]string{r.used(View{})}
	for _, platform := range c.toolsets.Platforms {
		used = append(used, platform)
	}
	r.mu.Lock()
	for _, own := range r.tasks {
		used = append(used, own)
	}
	r.mu.Unlock()
	var names []string
	for _, t := range r.host.PluginTools() {
		name := pluginEntry(t).Name
		if t.Plugin == plugin && known[name].Source == plugin && slices.ContainsFunc(used, func(sets []string) bool { return c.expand(sets)[name] }) {
			names = append(names, t.Name)
		}
	}
	return names
}

// Custom is a tool that an embedder registers.
type Custom struct {
	Tool
	// Run runs the tool on a task's browser. An error becomes a result with IsError and the error's code; see
	// [host.CodeOf]. If the error has a method ToolErrorResult() (Result, bool), that returns the result.
	// [ReportProgress] reports progress to the caller.
	Run func(ctx context.Context, b *Browser, arguments json.RawMessage) (Result, error)
	// NoBrowser says that the tool needs no browser, so none is started for it: Run gets the task's existing one, or nil.
	NoBrowser bool
}

func (c Custom) entry() entry {
	return entry{Tool: c.Tool, noBrowser: c.NoBrowser, run: func(ctx context.Context, b *Browser, arguments json.RawMessage) (any, error) {
		return c.Run(ctx, b, arguments)
	}}
}

// Register sets the tools of a source, replacing those it had. They form a toolset with the source's name. Without
// tools the source is removed. The error is an [fault.ErrBadTool].
func (r *Registry) Register(source string, tools ...Custom) error {
	if !namePattern.MatchString(source) || source == SourceBrowser || bundles()[source] != nil || slices.Contains(everything, source) {
		return fmt.Errorf("%w: %q cannot be the name of a source: use letters, digits, _ and -, and not the name of a built-in toolset", fault.ErrBadTool, source)
	}
	list := make([]Custom, len(tools))
	for i, t := range tools {
		if err := checkCustom(t); err != nil {
			return err
		}
		t.Source = source
		list[i] = t
	}
	r.mu.Lock()
	for _, t := range list {
		r.offered[t.Name] = source
	}
	if len(list) == 0 {
		delete(r.extra, source)
	} else {
		r.extra[source] = list
	}
	r.mu.Unlock()
	r.changed()
	return nil
}

// Announce replaces the announced sources, as in [Options.Sources].
func (r *Registry) Announce(sources ...string) {
	r.mu.Lock()
	r.announced = slices.Clone(sources)
	r.mu.Unlock()
	r.changed()
}

func checkCustom(t Custom) error {
	switch {
	case !namePattern.MatchString(t.Name):
		return fmt.Errorf("%w: %q cannot be the name of a tool: use at most 64 letters, digits, _ and -", fault.ErrBadTool, t.Name)
	case strings.HasPrefix(t.Name, ownPrefix):
		return fmt.Errorf("%w: %s: names that begin with browser_ are reserved for this package", fault.ErrBadTool, t.Name)
	case t.Run == nil:
		return fmt.Errorf("%w: %s has no Run", fault.ErrBadTool, t.Name)
	}
	var object map[string]any
	if json.Unmarshal(t.Input, &object) != nil || object["type"] != "object" {
		return fmt.Errorf("%w: the input of %s is not a JSON Schema of type object", fault.ErrBadTool, t.Name)
	}
	return nil
}
