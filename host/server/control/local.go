package control

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/logs"
	"github.com/hermes-cdp/hermes-cdp/internal/profilename"
)

// Local is the [API] of a host in this process. The changes of plugins are the host's own methods.
type Local struct {
	*host.Host
	// Settings returns the current settings for new tasks; nil: nothing is configured.
	Settings func() Settings
	// Reloads reads the configuration again, and returns when that is done; nil: there is none.
	Reloads func(ctx context.Context) error
	// Starting is closed when the task that the process begins with has been started, or could not be; nil: there is none.
	Starting <-chan struct{}
	// Daemon describes the process; may be nil.
	Daemon func() DaemonStatus
	// ToolCounters returns the counters of agents' calls, by tool; nil: there are none.
	ToolCounters func() map[string]agent.ToolCounters
	// MCPServers returns the servers whose tools are passed through; nil: there are none.
	MCPServers func() []upstream.Status
	// OfTool reports whether an interrupted call is a tool's; nil: none is.
	OfTool func(task, callID string) bool
	// AgentTokens are the tokens of agents; nil: there are none.
	AgentTokens *access.Store
	// CheckToolsets validates the toolsets of a token; nil accepts all.
	CheckToolsets func(names []string) error
	// Clients returns what the clients of tasks called themselves, by task; nil: nobody knows.
	Clients func() map[string]string
	// Levels are those of the log; nil: it has none.
	Levels *logs.Levels
	// Audit describes the record of operators' actions; nil: there is none.
	Audit func() AuditStatus
	// LiveLink makes a link that opens the live page; nil: there is none.
	LiveLink func() LiveLink
}

// Settings is the configuration of new tasks.
type Settings struct {
	Address string // of the browser; empty: one is rented or started
	Task    host.TaskOptions
	Launch  host.LaunchOptions
	// ProfileDir is the directory of the profiles that requests name.
	ProfileDir string
	// Rent says from whom a browser is rented if there is no address; nil: one is started.
	Rent *host.RentOptions
}

var _ API = (*Local)(nil)

// Status implements [API].
func (l *Local) Status(context.Context) (Status, error) {
	s := Status{Tasks: []TaskStatus{}, Plugins: l.Host.Plugins(), Withdrawn: l.Host.WithdrawnPlugins(), Counters: l.Host.Counters(), Browsers: l.Host.Browsers()}
	if l.Daemon != nil {
		s.Daemon = l.Daemon()
	}
	if l.ToolCounters != nil {
		s.Tools = l.ToolCounters()
	}
	if l.MCPServers != nil {
		s.MCPServers = l.MCPServers()
	}
	if l.Audit != nil {
		s.Audit = l.Audit()
	}
	var clients map[string]string
	if l.Clients != nil {
		clients = l.Clients()
	}
	for _, t := range l.tasks() {
		one := taskStatus(t)
		one.Agent = clients[t.ID()]
		s.Tasks = append(s.Tasks, one)
	}
	return s, nil
}

// Reload implements [API].
func (l *Local) Reload(ctx context.Context) (Status, error) {
	if l.Reloads == nil {
		return Status{}, badRequest("there is no daemon, and so no configuration to read again")
	}
	if err := l.Reloads(ctx); err != nil {
		return Status{}, err
	}
	return l.Status(ctx)
}

// Plugins implements [API].
func (l *Local) Plugins(context.Context) ([]host.PluginInfo, error) { return l.Host.Plugins(), nil }

// Connect implements [API].
func (l *Local) Connect(ctx context.Context, r ConnectRequest) (TaskStatus, error) {
	var s Settings
	if l.Settings != nil {
		s = l.Settings()
	}
	o := s.Task
	if r.Scope != "" {
		scope, err := ParseScope(r.Scope)
		if err != nil {
			return TaskStatus{}, err
		}
		o.Scope = scope
	}
	if (r.Launch || r.Profile != "") && r.Address != "" {
		return TaskStatus{}, badRequest("an address excludes launch and profile, which start a browser")
	}
	if r.Profile != "" {
		if !profilename.Valid(r.Profile) || s.ProfileDir == "" {
			return TaskStatus{}, badRequest("the profile %q cannot be used; want %s", r.Profile, profilename.Rule)
		}
		r.Launch, s.Launch.Isolation, s.Launch.UserDataDir = true, host.IsolationAuto, filepath.Join(s.ProfileDir, r.Profile)
	}
	o.TargetID, o.URL = r.TargetID, r.URL
	o.DialogPolicy = cmp.Or(r.DialogPolicy, o.DialogPolicy)
	id, address := cmp.Or(r.Task, DefaultTask), cmp.Or(r.Address, s.Address)
	if elsewhere := !r.Launch && (address != "" || s.Rent != nil); elsewhere && s.Launch.Network.Proxy != "" && !r.NoProxy {
		return TaskStatus{}, badRequest("browser.proxy holds in browsers that are started here: one at an address, or a rented one, would reach the " +
			"network without it. Start one (--launch; or without browser.cdp_url, and browser.provider: local), or connect without the proxy (--no-proxy)")
	}
	var (
		t   *host.Task
		err error
	)
	switch {
	case !r.Launch && address != "":
		t, err = l.Host.Attach(ctx, id, address, &o)
	case !r.Launch && s.Rent != nil:
		t, err = l.Host.Rent(ctx, id, s.Rent, &o)
	default:
		t, err = l.Host.Launch(ctx, id, &s.Launch, &o)
	}
	if err != nil {
		return TaskStatus{}, err
	}
	return taskStatus(t), nil
}

// ParseScope parses auto, tab, context, or all; empty is auto, and browser another word for all.
func ParseScope(word string) (host.Scope, error) {
	switch word {
	case "", "auto":
		return host.ScopeAuto, nil
	case "tab":
		return host.ScopeTab, nil
	case "context":
		return host.ScopeContext, nil
	case "all", "browser":
		return host.ScopeBrowser, nil
	}
	return 0, badRequest("the scope %q is not one of auto, tab, context, all", word)
}

// Disconnect implements [API].
func (l *Local) Disconnect(ctx context.Context, task string) (TaskStatus, error) {
	return with(ctx, l, task, func(t *host.Task) (TaskStatus, error) { return taskStatus(t), t.Close(ctx) })
}

// Snapshot implements [API].
func (l *Local) Snapshot(ctx context.Context, task string) (*host.Snapshot, error) {
	return with(ctx, l, task, func(t *host.Task) (*host.Snapshot, error) { return t.SettledSnapshot(ctx), nil })
}

// Frames implements [API].
func (l *Local) Frames(ctx context.Context, task string, raw bool) ([]TargetFrames, error) {
	s, err := l.Snapshot(ctx, task)
	if err != nil {
		return nil, err
	}
	list := []TargetFrames{}
	for _, target := range s.Targets {
		if target.RawFrameTree == nil {
			continue
		}
		f := TargetFrames{TargetID: target.ID, URL: target.URL, FrameTree: target.FrameTree}
		if raw {
			f.FrameTree = target.RawFrameTree
		}
		list = append(list, f)
	}
	return list, nil
}

// ExplainFrames implements [API].
func (l *Local) ExplainFrames(ctx context.Context, task string) ([]host.FramesExplanation, error) {
	t, err := l.task(ctx, task)
	if err != nil {
		return nil, err
	}
	t.SettledSnapshot(ctx) // so that the current tree is explained
	return t.ExplainFrames()
}

// Console implements [API].
func (l *Local) Console(ctx context.Context, task string, clear bool) (Console, error) {
	t, err := l.task(ctx, task)
	if err != nil {
		return Console{}, err
	}
	s := t.Snapshot()
	c := Console{Messages: s.Console, Total: s.ConsoleTotal}
	if clear {
		err = t.ClearConsole(ctx)
	}
	return c, err
}

// RespondDialog implements [API].
func (l *Local) RespondDialog(ctx context.Context, task string, a DialogAnswer) (host.Dialog, error) {
	return with(ctx, l, task, func(t *host.Task) (host.Dialog, error) { return t.RespondDialog(ctx, host.DialogResponse(a)) })
}

// RespondSignIn implements [API].
func (l *Local) RespondSignIn(ctx context.Context, task string, a SignInAnswer) (host.SignIn, error) {
	return with(ctx, l, task, func(t *host.Task) (host.SignIn, error) { return t.RespondSignIn(ctx, host.SignInResponse(a)) })
}

// ArmDialog implements [API].
func (l *Local) ArmDialog(ctx context.Context, task string, a host.ArmedAnswer) (host.ArmedAnswer, error) {
	return with(ctx, l, task, func(t *host.Task) (host.ArmedAnswer, error) { return t.ArmDialog(ctx, a) })
}

// DisarmDialog implements [API].
func (l *Local) DisarmDialog(ctx context.Context, task string) (*host.ArmedAnswer, error) {
	return with(ctx, l, task, func(t *host.Task) (*host.ArmedAnswer, error) { return t.DisarmDialog(ctx) })
}

// ExplainDialog implements [API].
func (l *Local) ExplainDialog(ctx context.Context, task, id string) (host.DialogExplanation, error) {
	return with(ctx, l, task, func(t *host.Task) (host.DialogExplanation, error) { return t.ExplainDialog(id) })
}

// Evaluate implements [API].
func (l *Local) Evaluate(ctx context.Context, task string, r EvaluateRequest) (host.Evaluation, error) {
	return with(ctx, l, task, func(t *host.Task) (host.Evaluation, error) {
		ctx, cancel := within(ctx, r.Timeout)
		defer cancel()
		o := host.EvaluateOptions{World: r.World, UserGesture: r.UserGesture, AwaitPromise: r.AwaitPromise, REPL: true}
		if r.Element != nil {
			o.Locator = host.Locator{Selector: r.Element.Selector, BackendNodeID: r.Element.BackendNodeID, Ref: r.Element.Ref}
		}
		o.Locator.FrameID = r.FrameID
		return t.Tab(r.TargetID).Evaluate(ctx, r.Expression, &o)
	})
}

// CDP implements [API].
func (l *Local) CDP(ctx context.Context, task string, r CDPRequest) (host.CDPResult, error) {
	return with(ctx, l, task, func(t *host.Task) (host.CDPResult, error) {
		ctx, cancel := within(ctx, r.Timeout)
		defer cancel()
		return t.CDP(ctx, host.CDPCall{Method: r.Method, Params: r.Params, TargetID: r.TargetID, FrameID: r.FrameID})
	})
}

// within limits a context to a time; zero: it stays as it is.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// Resume implements [API].
func (l *Local) Resume(ctx context.Context, task, callID string) (host.Resumed, error) {
	t, err := l.task(ctx, task)
	if err != nil {
		return host.Resumed{}, err
	}
	if l.OfTool != nil && l.OfTool(t.ID(), callID) {
		return host.Resumed{}, fmt.Errorf("%w: hermes-cdp browser resume %s gives its result", fault.ErrToolCall, callID)
	}
	return t.Resume(ctx, callID)
}

// task finds a task by its name; without one, the only task or [DefaultTask]. If there is none yet, it waits for the
// one that is starting.
func (l *Local) task(ctx context.Context, id string) (*host.Task, error) {
	all := l.tasks()
	if len(all) == 0 && l.Starting != nil {
		select {
		case <-l.Starting:
			all = l.tasks()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	for _, t := range all {
		if t.ID() == id || id == "" && len(all) == 1 {
			return t, nil
		}
	}
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.ID()
		if id == "" && t.ID() == DefaultTask {
			return t, nil
		}
	}
	switch {
	case len(all) == 0:
		return nil, fmt.Errorf("%w: start one with hermes-cdp connect", fault.ErrNoTask)
	case id == "":
		return nil, fmt.Errorf("%w, name one of them with --task: %s", fault.ErrAmbiguousTask, strings.Join(names, ", "))
	}
	return nil, fmt.Errorf("%w %q; the tasks are: %s", fault.ErrUnknownTask, id, strings.Join(names, ", "))
}

// with calls a function with the task that [Local.task] finds.
func with[Out any](ctx context.Context, l *Local, name string, do func(*host.Task) (Out, error)) (Out, error) {
	t, err := l.task(ctx, name)
	if err != nil {
		return *new(Out), err
	}
	return do(t)
}

// tasks returns all tasks, sorted by name.
func (l *Local) tasks() []*host.Task {
	all := l.Host.Tasks()
	slices.SortFunc(all, func(a, b *host.Task) int { return strings.Compare(a.ID(), b.ID()) })
	return all
}

func taskStatus(t *host.Task) TaskStatus {
	s := t.Snapshot()
	out := TaskStatus{ID: t.ID(), Disconnected: s.Disconnected, Targets: len(s.Targets), PendingDialogs: len(s.PendingDialogs), Recorded: t.Recorded(), RecordingProblem: t.RecordingProblem(), Sandbox: t.BrowserSandbox(), Rented: t.Rented(), Fallback: t.Fallback(), Began: host.UnixTime{Time: t.Began()}, Held: t.Held(), Questions: t.Questions()}
	if idle := t.Idle(); idle > 0 {
		out.IdleSince = host.UnixTime{Time: time.Now().Add(-idle).Truncate(time.Second)}
	}
	if p := s.Page(); p != nil {
		out.URL = p.URL
	}
	out.Frames, out.Sessions = size(s)
	return out
}

// size counts frames, and the sessions of CDP that tabs, workers and frames have.
func size(s *host.Snapshot) (frames, sessions int) {
	seen := map[string]bool{"": true} // an OOPIF may have none yet
	for _, target := range s.Targets {
		seen[target.SessionID] = true
		if target.RawFrameTree == nil {
			continue
		}
		frames += 1 + len(target.RawFrameTree.Children)
		for _, f := range target.RawFrameTree.Children {
			seen[f.SessionID] = true
		}
	}
	return frames, len(seen) - 1
}
