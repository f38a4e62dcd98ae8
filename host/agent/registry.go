package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Tools is what a server needs from a [Registry].
type Tools interface {
	// Tools lists the tools of a view, by name.
	Tools(View) []Tool
	// Call calls one of them. A failure of an existing tool is a Result with IsError, so that a model can read it; the
	// error is an [fault.ErrUnknownTool].
	Call(context.Context, Call) (Result, error)
	// Changed makes notify be called, from any goroutine, whenever the result of Tools may have changed, until stop is
	// called. notify must not block.
	Changed(notify func()) (stop func())
}

var _ Tools = (*Registry)(nil)

// Options configures a [Registry]. The zero value works.
type Options struct {
	// Toolsets says which tools are offered to whom; [Registry.ConfigureToolsets] replaces them.
	Toolsets Toolsets
	// Browser configures the tools of every task.
	Browser BrowserOptions
	// Open returns the task that a call is for, and starts it if it does not exist. Nil: only existing tasks are used.
	Open func(ctx context.Context, id string) (*host.Task, error)
	// Backend returns the tools of a browser that is not reached by CDP, if new tasks have such a one; nil if they do not.
	// Of this package's tools, only those are then offered, and none of plugins, which work on pages. Call
	// [Registry.BackendChanged] when the result changes. Nil: tasks have browsers that are reached by CDP.
	Backend func() []BackendTool
	// EvaluateDisabled leaves out tools that run script of the agent's. Set it as in [host.Options].
	EvaluateDisabled bool
	// Sources are announced sources: [Registry.Register] will give them tools, maybe later. They are toolsets from the
	// start. As long as one of them has no tools, toolsets may name unknown tools, which could be that source's.
	Sources []string
}

// Registry has all tools of a host, for servers. It is safe for concurrent use.
type Registry struct {
	host     *host.Host
	options  Options // but for Sources, see announced
	toolsets atomic.Pointer[Toolsets]
	counters counters
	calls    calls
	stop     context.CancelFunc
	watches  sync.WaitGroup
	running  context.Context // canceled by Close

	mu        sync.Mutex // guards what follows; never held while waiting
	browsers  map[string]*Browser
	tasks     map[string][]string // toolsets, keyed by task
	extra     map[string][]Custom // keyed by source
	offered   map[string]string   // the source of each tool that was ever registered
	announced []string            // sources that are to have tools
	listeners map[int]func()
	last      int // id of a listener
}

// New returns a registry of a host's tools. The error is a [*ToolsetError].
func New(h *host.Host, o Options) (*Registry, error) {
	r := &Registry{
		host: h, options: o, browsers: map[string]*Browser{}, tasks: map[string][]string{}, extra: map[string][]Custom{}, offered: map[string]string{}, announced: o.Sources, listeners: map[int]func(){},
	}
	if err := r.ConfigureToolsets(o.Toolsets); err != nil {
		return nil, err
	}
	r.running, r.stop = context.WithCancel(context.Background())
	r.watches.Go(r.watchPlugins)
	r.watches.Go(func() { o.Browser.TendPictures(r.running) })
	return r, nil
}

// Close ends the registry's goroutines. The host and its tasks stay.
func (r *Registry) Close() {
	r.mu.Lock() // watches are started under it
	r.stop()
	r.mu.Unlock()
	r.watches.Wait()
}

// Tools implements [Tools].
func (r *Registry) Tools(v View) []Tool {
	there := r.there(v)
	out := make([]Tool, 0, len(there))
	for _, name := range slices.Sorted(maps.Keys(there)) {
		out = append(out, there[name].Tool)
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
	tools := offeredOf(there)
	began, recorded := time.Now(), r.calls.begin(c)
	c, guarded, err := r.guard(ctx, c, found)
	if err != nil {
		r.counters.ended(c.Name, time.Since(began), nil, err)
		refused := result.Failed(err, "", tools)
		recorded(refused)
		return refused, nil
	}
	b, err := r.browserFor(ctx, found, c.Task)
	var value any
	var before *host.Snapshot
	if b != nil {
		before = b.Task().Snapshot()
		if hasNetwork(there) && !slices.Contains(networkTools, c.Name) { // these say if it begins with them
			b.Task().WatchNetwork()
		}
		if found.acts() {
			b.MarkRequests()
		}
	}
	ctx, traced := b.Traced(ctx, c.Name, c.Arguments)
	if err == nil {
		var working context.Context
		var left func(any, error) (any, error)
		if working, left, err = found.admit(ctx, b); err == nil {
			value, err = left(found.run(result.WithOffered(r.withScripting(toolkit.WithProgress(withTask(working, c.Task), c.Progress), there), tools), b, c.Arguments))
		}
	}
	r.counters.ended(c.Name, time.Since(began), value, err)
	out := r.result(c.Name, b, value, err, tools)
	traced(out, value, err)
	recorded(out)
	if b != nil && ctx.Err() == nil { // else nobody would read the notes
		if found.acts() {
			out = b.TellLogged(out, before, tools)
		}
		out = b.Tell(out, tools)
	}
	return guarded.finish(ctx, out, tools), nil
}

// result turns what a call returned into what the client gets.
func (r *Registry) result(tool string, b *Browser, value any, err error, tools result.Offered) Result {
	if err == nil {
		var out Result
		if out, err = result.Succeeded(value, tools); err == nil {
			return out
		}
	}
	origin := ""
	if b != nil {
		origin = toolkit.OriginOf(b.Task().Snapshot(), "")
	}
	out := result.Failed(err, origin, tools)
	if tool == "browser_evaluate" && out.Structured != nil { // its results have the key ok
		out.Structured["ok"] = false
	}
	if errors.Is(err, host.ErrBrowserGone) && r.options.Open != nil {
		out.Text += "\n" + result.HintGone
	}
	return out
}

// unknown says why a view has no tool of that name.
func (r *Registry) unknown(name string, there map[string]entry) error {
	names := strings.Join(slices.Sorted(maps.Keys(there)), ", ")
	if slices.Contains(r.toolsets.Load().Disabled, name) {
		return fmt.Errorf("%w: %s is disabled by disabled_tools; the tools are %s", fault.ErrUnknownTool, name, names)
	}
	if _, ok := r.entries()[name]; ok {
		return fmt.Errorf("%w: %s is in none of the toolsets in use, or cannot work now; the tools are %s", fault.ErrUnknownTool, name, names)
	}
	return fmt.Errorf("%w %q; the tools are %s", fault.ErrUnknownTool, name, names)
}

// Counters returns counters of all calls since the registry was created, by tool.
func (r *Registry) Counters() map[string]ToolCounters { return r.counters.all() }

// Resumes reports whether an interrupted call is a tool's, so that [Browser.Resume] returns its result.
func (r *Registry) Resumes(task, callID string) bool {
	r.mu.Lock()
	b := r.browsers[task]
	r.mu.Unlock()
	return b != nil && b.Resumes(callID)
}

// ConfigureToolsets replaces [Options.Toolsets], and tells clients. With an error, which is a [*ToolsetError], they
// stay as they were.
func (r *Registry) ConfigureToolsets(t Toolsets) error {
	if err := r.catalogOf(r.entries(), t).check(); err != nil {
		return err
	}
	r.toolsets.Store(&t)
	r.changed()
	return nil
}

// UseToolsets gives a task its own toolsets instead of those of the client and the configuration; without names it
// removes them. The error is a [*ToolsetError].
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

// CheckToolsets reports whether names are valid in [View.Toolsets]: names of toolsets, and of tools that exist, that
// existed before their source went away, or that [Options.Toolsets] name. The error is a [*ToolsetError].
func (r *Registry) CheckToolsets(names []string) error {
	c := r.catalog()
	c.awaited = false // an unknown name is more likely a mistake than a tool to come
	r.mu.Lock()
	for name, source := range r.offered {
		c.tools[name] = source
	}
	r.mu.Unlock()
	configured := slices.Concat(r.toolsets.Load().Use, r.toolsets.Load().Disabled, slices.Concat(slices.Collect(maps.Values(r.toolsets.Load().Custom))...))
	return c.checkList("toolsets", slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(configured, name) }))
}

// CheckConfigured reports whether the toolsets of [Options] name only what exists now. It finds errors that New could
// not, before the tools of [Options.Sources] were registered. The error is a [*ToolsetError].
func (r *Registry) CheckConfigured() error { return r.catalog().check() }

// Toolsets returns the names of all toolsets.
func (r *Registry) Toolsets() []string { return r.catalog().names() }

// used returns the toolsets of a view: those it asks for, else the task's own, else the platform's, else the general
// ones.
func (r *Registry) used(v View) []string {
	r.mu.Lock()
	own := r.tasks[v.Task]
	r.mu.Unlock()
	switch platform := r.toolsets.Load().Platforms[v.Client]; {
	case len(v.Toolsets) > 0:
		return v.Toolsets
	case len(own) > 0:
		return own
	case v.Client != "" && len(platform) > 0:
		return platform
	case len(r.toolsets.Load().Use) > 0:
		return r.toolsets.Load().Use
	}
	return []string{"browser"}
}

// chosen returns the tools in the toolsets of a view.
func (r *Registry) chosen(c catalog, v View) map[string]bool {
	out := c.expand(r.used(v))
	if v.Within == nil {
		return out
	}
	v.Toolsets = nil // so that used returns the configured ones
	for _, bound := range [][]string{r.used(v), v.Within} {
		has := c.expand(bound)
		maps.DeleteFunc(out, func(name string, _ bool) bool { return !has[name] })
	}
	return out
}

// there returns the tools of a view by name.
func (r *Registry) there(v View) map[string]entry {
	known := r.entries()
	all, chosen := r.served(known, v.Task), r.chosen(r.catalogOf(known, *r.toolsets.Load()), v)
	g := gates{cdp: r.reachable(v.Task), evaluate: !r.options.EvaluateDisabled}
	out := map[string]entry{}
	for name, e := range all {
		if chosen[name] && (e.gate == nil || e.gate(g)) {
			out[name] = e
		}
	}
	return out
}

// reachable reports whether tools can use CDP. If a call starts what is missing they always can; otherwise they cannot
// if there is no task or its browser is gone.
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

// browserFor returns what a tool works on. For a tool that needs no browser none is started: it gets the task's
// existing one, if any.
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

// browserOf returns the tools of a task, always the same.
func (r *Registry) browserOf(t *host.Task) *Browser {
	id := t.ID()
	r.mu.Lock()
	defer r.mu.Unlock()
	if b := r.browsers[id]; b != nil && b.Task() == t {
		return b
	}
	b := browsertool.NewBrowser(t, r.options.Browser)
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
	return nil, &host.Error{Code: fault.ErrUnknownTask, Err: fmt.Errorf("no supervisor for this task: %q; attach or launch it first", id)}
}

// openWhole opens a task and waits until its browser is either usable or gone for good. A launched browser whose
// process has ended cannot be reconnected to, so the next one is started before the call begins.
func (r *Registry) openWhole(ctx context.Context, id string) (*host.Task, error) {
	t, err := r.open(ctx, id)
	if err != nil || r.options.Open == nil {
		return t, err
	}
	s := t.Snapshot()
	if s.Disconnected == "" || s.Reconnecting && !t.Launched() {
		return t, nil
	}
	wait, cancel := context.WithTimeout(ctx, r.options.Browser.WithDefaults().Timeout)
	defer cancel()
	s, _ = t.Wait(wait, func(s *host.Snapshot) bool { return s.Disconnected == "" || !s.Reconnecting })
	if s.Disconnected == "" || s.Reconnecting {
		return t, nil
	}
	select { // its end is about to be announced
	case <-t.Done():
	case <-wait.Done():
	}
	return r.open(ctx, id)
}
