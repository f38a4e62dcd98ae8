package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Tools is what a server needs of a [Registry].
type Tools interface {
	// Tools lists the tools that there are for a view, by name.
	Tools(View) []Tool
	// Call calls one of them. Whatever goes wrong with a tool that there is, is a Result with IsError, so that a model can
	// read it; the error is an [ErrUnknownTool].
	Call(context.Context, Call) (Result, error)
	// Changed calls a function, from any goroutine, whenever Tools may list others than before, until the returned function is
	// called. It must not wait.
	Changed(notify func()) (stop func())
}

var _ Tools = (*Registry)(nil)

// Options configures a [Registry]. The zero value works.
type Options struct {
	// Toolsets says which tools there are for whom.
	Toolsets Toolsets
	// Browser says how the tools of every task work.
	Browser BrowserOptions
	// Open gives the task that a call is for and starts it where it is not there yet. Nil: only tasks that the host has.
	Open func(ctx context.Context, id string) (*host.Task, error)
	// EvaluateDisabled leaves out what runs script of the agent's; it is that of [host.Options].
	EvaluateDisabled bool
	// Sources are announced: [Registry.Register] will give them tools, maybe late. They are toolsets from the beginning, and
	// as long as one of them has no tools, a list may name a tool that nobody has: it may be one of those.
	Sources []string
}

// Registry is all tools of a host, for servers. Its methods may be called from any goroutine.
type Registry struct {
	host     *host.Host
	options  Options
	counters counters
	stop     context.CancelFunc
	watches  sync.WaitGroup
	running  context.Context // ends with Close

	mu        sync.Mutex // guards what follows, and is never held while waiting
	browsers  map[string]*Browser
	tasks     map[string][]string // toolsets by task
	extra     map[string][]Custom // by source
	offered   map[string]string   // the sources of tools that were there once
	listeners map[int]func()
	last      int // listener
}

// New makes the registry of a host. The error is a [*ToolsetError].
func New(h *host.Host, o Options) (*Registry, error) {
	r := &Registry{
		host: h, options: o, browsers: map[string]*Browser{}, tasks: map[string][]string{}, extra: map[string][]Custom{}, offered: map[string]string{}, listeners: map[int]func(){},
	}
	if err := r.catalog().check(); err != nil {
		return nil, err
	}
	r.running, r.stop = context.WithCancel(context.Background())
	r.watches.Go(r.watchPlugins)
	r.watches.Go(func() { o.Browser.withDefaults().tendPictures(r.running) })
	return r, nil
}

// Close ends what the registry watches. The host and its tasks stay.
func (r *Registry) Close() {
	r.mu.Lock() // under which watches begin
	r.stop()
	r.mu.Unlock()
	r.watches.Wait()
}

// Tools implements [Tools].
func (r *Registry) Tools(v View) []Tool {
	there := r.there(v)
	out := make([]Tool, 0, len(there))
	for _, name := range slices.Sorted(maps.Keys(there)) {
		out = append(out, there[name].tool)
	}
	return out
}

// Call implements [Tools].
func (r *Registry) Call(ctx context.Context, c Call) (Result, error) {
	there := r.there(c.view())
	found, ok := there[c.Name]
	if !ok {
		return Result{}, r.unknown(c.Name, there)
	}
	began := time.Now()
	b, err := r.browserFor(ctx, found, c.Task)
	var value any
	if err == nil {
		value, err = found.run(r.withScripting(withProgress(ctx, c.Progress), there), b, c.Arguments)
	}
	r.counters.ended(c.Name, time.Since(began), value, err)
	result := r.result(c.Name, b, value, err)
	if b != nil && ctx.Err() == nil { // else nobody would read it
		result = b.tellRestart(b.tellAgain(b.tellTab(result)))
	}
	return result, nil
}

// result is what a call gave as a client gets it.
func (r *Registry) result(tool string, b *Browser, value any, err error) Result {
	if err == nil {
		var result Result
		if result, err = succeeded(value); err == nil {
			return result
		}
	}
	origin := ""
	if b != nil {
		origin = originOf(b.task.Snapshot(), "")
	}
	result := failed(err, origin)
	if tool == "browser_evaluate" && result.Structured != nil { // which says ok where it succeeds
		result.Structured["ok"] = false
	}
	if errors.Is(err, host.ErrBrowserGone) && r.options.Open != nil {
		result.Text += "\n" + hintGone
	}
	return result
}

// unknown says why there is no tool of a name.
func (r *Registry) unknown(name string, there map[string]entry) error {
	names := strings.Join(slices.Sorted(maps.Keys(there)), ", ")
	if slices.Contains(r.options.Toolsets.Disabled, name) {
		return fmt.Errorf("%w: %s is switched off by disabled_tools; there are %s", ErrUnknownTool, name, names)
	}
	if _, ok := r.entries()[name]; ok {
		return fmt.Errorf("%w: %s is in none of the toolsets in use, or can not work now; there are %s", ErrUnknownTool, name, names)
	}
	return fmt.Errorf("%w %q; there are %s", ErrUnknownTool, name, names)
}

// Counters count the calls since the registry was made, by tool.
func (r *Registry) Counters() map[string]ToolCounters { return r.counters.all() }

// Resumes tells whether a call that a dialog interrupted is one of a tool, so that [Browser.Resume] is what gives its result.
func (r *Registry) Resumes(task, callID string) bool {
	r.mu.Lock()
	b := r.browsers[task]
	r.mu.Unlock()
	return b != nil && b.kept.get(callID) != nil
}

// UseToolsets gives a task toolsets of its own, in place of those of clients and of the configuration; none takes them back.
// The error is a [*ToolsetError].
func (r *Registry) UseToolsets(task string, names ...string) error {
	if err := r.catalog().checkList("toolsets of task "+task, names); err != nil {
		return err
	}
	r.mu.Lock()
	if len(names) == 0 {
		delete(r.tasks, task)
	} else {
		r.tasks[task] = slices.Clone(names)
	}
	r.mu.Unlock()
	r.changed()
	return nil
}

// CheckToolsets tells whether names can stand in [View.Toolsets]: those of toolsets, and of tools that are there, that were
// there before their source went away, or that [Options.Toolsets] name. The error is a [*ToolsetError].
func (r *Registry) CheckToolsets(names []string) error {
	c := r.catalog()
	c.awaited = false // a name that nobody has heard of is more likely a slip than a tool to come
	r.mu.Lock()
	for name, source := range r.offered {
		c.tools[name] = source
	}
	r.mu.Unlock()
	configured := slices.Concat(r.options.Toolsets.Use, r.options.Toolsets.Disabled, slices.Concat(slices.Collect(maps.Values(r.options.Toolsets.Custom))...))
	return c.checkList("toolsets", slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(configured, name) }))
}

// CheckConfigured tells whether the toolsets of [Options] name what there is now. It finds what could not be known at first,
// as the tools of [Options.Sources] had not come. The error is a [*ToolsetError].
func (r *Registry) CheckConfigured() error { return r.catalog().check() }

// Toolsets lists the names of all toolsets.
func (r *Registry) Toolsets() []string { return r.catalog().names() }

// used are the toolsets of a view: those it asks for, the task's own, the platform's, else those of everybody.
func (r *Registry) used(v View) []string {
	r.mu.Lock()
	own := r.tasks[v.Task]
	r.mu.Unlock()
	switch platform := r.options.Toolsets.Platforms[v.Client]; {
	case len(v.Toolsets) > 0:
		return v.Toolsets
	case len(own) > 0:
		return own
	case v.Client != "" && len(platform) > 0:
		return platform
	case len(r.options.Toolsets.Use) > 0:
		return r.options.Toolsets.Use
	}
	return []string{"browser"}
}

// chosen are the tools that the toolsets of a view have.
func (r *Registry) chosen(c catalog, v View) map[string]bool {
	out := c.expand(r.used(v))
	if v.Within == nil {
		return out
	}
	v.Toolsets = nil // then those that are used are the configured ones
	for _, bound := range [][]string{r.used(v), v.Within} {
		has := c.expand(bound)
		maps.DeleteFunc(out, func(name string, _ bool) bool { return !has[name] })
	}
	return out
}

// there are the tools of a view by name.
func (r *Registry) there(v View) map[string]entry {
	all := r.entries()
	chosen := r.chosen(r.catalogOf(all), v)
	g := gates{cdp: r.reachable(v.Task), evaluate: !r.options.EvaluateDisabled}
	out := map[string]entry{}
	for name, e := range all {
		if chosen[name] && (e.gate == nil || e.gate(g)) {
			out[name] = e
		}
	}
	return out
}

// reachable tells whether the protocol can be reached. Where a call starts what is missing it always can; else it can not
// once the browser of a task is gone, nor where there is no task.
func (r *Registry) reachable(task string) bool {
	if r.options.Open != nil {
		return true
	}
	t := r.host.Task(task)
	if t == nil {
		return false
	}
	s := t.Snapshot()
	return s.Disconnected == "" || s.Reconnecting
}

// browserFor gives what a tool works on. One that needs no browser has none started for it: it is given what the task has
// already, if anything.
func (r *Registry) browserFor(ctx context.Context, e entry, task string) (*Browser, error) {
	if !e.noBrowser {
		t, err := r.openWhole(ctx, task)
		if err != nil {
			return nil, err
		}
		return r.browserOf(t), nil
	}
	if t := r.host.Task(task); t != nil {
		return r.browserOf(t), nil
	}
	return nil, nil
}

// browserOf gives the tools of a task, the same each time.
func (r *Registry) browserOf(t *host.Task) *Browser {
	id := t.ID()
	r.mu.Lock()
	defer r.mu.Unlock()
	if b := r.browsers[id]; b != nil && b.task == t {
		return b
	}
	b := NewBrowser(t, r.options.Browser)
	r.browsers[id] = b
	if r.running.Err() == nil {
		r.watches.Go(func() { r.watchTask(b) })
	}
	return b
}

func (r *Registry) open(ctx context.Context, id string) (*host.Task, error) {
	if r.options.Open != nil {
		return r.options.Open(ctx, id)
	}
	if t := r.host.Task(id); t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("%w: %q; attach or launch one first", ErrUnknownTask, id)
}
