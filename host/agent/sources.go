package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// entry is a tool that can be called, wherever it comes from.
type entry struct {
	tool Tool
	gate func(gates) bool
	run  func(context.Context, *Browser, json.RawMessage) (any, error)
	// noBrowser says that a task without a browser is given none for it; run gets nil then.
	noBrowser bool
}

// entries are all tools there are now, by name. Of two of the same name this package's counts, then that of an embedder,
// then the plugin's that comes first.
func (r *Registry) entries() map[string]entry {
	all := map[string]entry{}
	for name, s := range builtins() {
		all[name] = entry{tool: s.Tool, gate: s.gate, run: s.run, noBrowser: s.noBrowser}
	}
	add := func(e entry) {
		if _, taken := all[e.tool.Name]; !taken {
			all[e.tool.Name] = e
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

func (r *Registry) catalog() catalog { return r.catalogOf(r.entries()) }

func (r *Registry) catalogOf(all map[string]entry) catalog {
	c := catalog{toolsets: r.options.Toolsets, tools: map[string]string{}}
	for name, e := range all {
		c.tools[name] = e.tool.Source
	}
	for _, p := range r.host.Plugins() {
		c.sources = append(c.sources, p.Name)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	c.sources = slices.AppendSeq(c.sources, maps.Keys(r.extra))
	for _, source := range r.options.Sources {
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

// MaxToolName is how many letters the name of a tool may have.
const MaxToolName = 64

// ownPrefix begins the names of this package's tools, and of no others.
const ownPrefix = "browser_"

// ToolName makes the name of a tool of what is given: what models' interfaces do not allow in a name becomes _, and what is
// more than 64 letters is cut.
func ToolName(text string) string {
	name := otherRunes.ReplaceAllString(text, "_")
	return name[:min(len(name), MaxToolName)]
}

// IsToolName tells whether [Registry.Register] takes a name for a tool as it is.
func IsToolName(name string) bool {
	return namePattern.MatchString(name) && !strings.HasPrefix(name, ownPrefix)
}

// pluginEntry is a plugin's tool under the name PLUGIN_TOOL.
func pluginEntry(t host.PluginTool) entry {
	return entry{
		tool: Tool{
			Name: ToolName(t.Plugin + "_" + t.Name), Description: t.Description, Input: t.InputSchema, ReadOnly: t.ReadOnly, Destructive: !t.ReadOnly, OpenWorld: true,
			Source: t.Plugin,
		},
		run: func(ctx context.Context, b *Browser, arguments json.RawMessage) (any, error) {
			return b.callPlugin(ctx, t, arguments)
		},
	}
}

// callPlugin calls a plugin's tool; the host checks the arguments.
func (b *Browser) callPlugin(ctx context.Context, t host.PluginTool, arguments json.RawMessage) (Result, error) {
	call := host.PluginToolCall{Plugin: t.Plugin, Tool: t.Name}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &call.Arguments); err != nil || call.Arguments == nil {
			return Result{}, badArgument("", "%s takes a JSON object", t.Name)
		}
	}
	ctx, cancel := b.within(ctx, Timeout{})
	defer cancel()
	if _, err := b.onPage(ctx, ""); err != nil {
		return Result{}, err
	}
	value, err := b.task.CallPluginTool(ctx, call)
	return then(ctx, b, value, err, func(_ context.Context, r host.PluginToolResult) (Result, error) {
		return pluginResult(r), nil
	})
}

// pluginResult keeps what the module said under keys of its own, beside ours.
func pluginResult(r host.PluginToolResult) Result {
	object := map[string]any{"success": !r.IsError, "text": r.Text}
	if r.Structured != nil {
		object["result"] = r.Structured
	}
	if r.IsError {
		object["error"], object["kind"] = r.Text, KindPlugin
	}
	text := r.Text
	if r.Untrusted {
		object["untrusted"] = Untrusted{Origin: r.Origin, Fields: []string{"text", "result", "error"}}
		text = "made from what the page at " + cmp.Or(r.Origin, "an unknown origin") + " says:\n" + text
	}
	return Result{Text: text, Structured: object, IsError: r.IsError}
}

// ErrBadTool says that a tool can not be registered; the text says why.
var ErrBadTool = errors.New("bad tool")

// Custom is a tool that an embedder registers.
type Custom struct {
	Tool
	// Run does what the tool is for, on a task's browser. An error becomes a result with IsError; one that has a method
	// ToolErrorKind() string says the word for it, as [Kind] gives it; one that has a method ToolErrorResult() (Result, bool)
	// the result. [ReportProgress] tells who called how far it is.
	Run func(ctx context.Context, b *Browser, arguments json.RawMessage) (Result, error)
	// NoBrowser says that the tool needs no browser, so that none is started for it: Run is given that of the task where it
	// has one already, else nil.
	NoBrowser bool
}

func (c Custom) entry() entry {
	return entry{tool: c.Tool, noBrowser: c.NoBrowser, run: func(ctx context.Context, b *Browser, arguments json.RawMessage) (any, error) {
		return c.Run(ctx, b, arguments)
	}}
}

// Register sets the tools of a source, which are a toolset of its name, in place of those that it had; none takes it away.
// The error is an [ErrBadTool].
func (r *Registry) Register(source string, tools ...Custom) error {
	if !namePattern.MatchString(source) || source == SourceBrowser || bundles()[source] != nil || slices.Contains(everything, source) {
		return fmt.Errorf("%w: %q can not be the name of a source: want letters, digits, _ and -, and no toolset that there is", ErrBadTool, source)
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

func checkCustom(t Custom) error {
	switch {
	case !namePattern.MatchString(t.Name):
		return fmt.Errorf("%w: %q can not be the name of a tool: want at most 64 letters, digits, _ and -", ErrBadTool, t.Name)
	case strings.HasPrefix(t.Name, ownPrefix):
		return fmt.Errorf("%w: %s: names that begin with browser_ are this package's own", ErrBadTool, t.Name)
	case t.Run == nil:
		return fmt.Errorf("%w: %s has no Run", ErrBadTool, t.Name)
	}
	var object map[string]any
	if json.Unmarshal(t.Input, &object) != nil || object["type"] != "object" {
		return fmt.Errorf("%w: the input of %s is no JSON Schema of type object", ErrBadTool, t.Name)
	}
	return nil
}
