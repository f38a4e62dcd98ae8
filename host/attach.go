package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// leaveTimeout bounds the orderly shutdown of a task when the caller's context does not.
const leaveTimeout = 10 * time.Second

// Attach supervises a task on a browser that is already running. The address is ws://, wss://, http(s)://host:port,
// host:port, the port alone, or [Running]. Those that are no WebSocket URLs are resolved through /json/version, with
// their query string, or else through what this user's browsers have written into their profiles. Tasks on the same
// browser share one connection.
//
// It is idempotent: if the task id is already supervised at this address, that task is returned unchanged, with its
// original options. If the address changed or the connection was lost, the old supervisor is ended and a new one is
// started; [Task.Restarted] then says what was lost with the connection. Errors: ErrTask with the reason, ErrClosed,
// the context's. None contains the secrets of the address.
func (h *Host) Attach(ctx context.Context, id, address string, options *TaskOptions) (_ *Task, err error) {
	defer fault.During("attach", &err)
	return h.startTask(ctx, id, place{address: address}, optional.Or(options), func(ctx context.Context) (*shared, error) { return h.shareLink(ctx, address) })
}

// Launch starts a browser for a task and supervises all of it. The browser ends with the task. It is idempotent like
// [Host.Attach] and returns the same errors, as well as ErrRestartLoop if the task's browsers have ended by themselves
// too often.
func (h *Host) Launch(ctx context.Context, id string, launch *LaunchOptions, options *TaskOptions) (_ *Task, err error) {
	defer fault.During("launch", &err)
	o := optional.Or(options)
	o.Scope = ScopeBrowser
	return h.startTask(ctx, id, place{}, o, func(ctx context.Context) (*shared, error) { return h.launch(ctx, id, optional.Or(launch)) })
}

func (h *Host) startTask(ctx context.Context, id string, at place, o TaskOptions, connect func(context.Context) (*shared, error)) (*Task, error) {
	if o.URL = scheme.Complete(o.URL); o.URL != "" {
		if err := h.rules.MayShow(o.URL); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrTask, id, err)
		}
	}
	ctx, end, err := h.beginStart(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	ctx, cancel := context.WithTimeoutCause(ctx, h.limit(at), fmt.Errorf("%w: no browser within %v", ErrTask, h.limit(at)))
	defer cancel()
	unlock, err := h.starting.lock(ctx, "task "+id)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if t := h.Task(id); t != nil {
		switch {
		case !t.engine.Alive():
			h.endDead(ctx, t)
		case t.place.same(at):
			return t, nil
		default:
			h.endOld(ctx, t)
		}
	}
	if err := h.mayStart(id, at.address); err != nil {
		return nil, err
	}
	configs, err := encodeTaskConfigs(o.PluginConfig)
	if err != nil {
		return nil, err
	}
	if o.DialogPolicy, err = h.policyOf(o); err != nil {
		return nil, err
	}
	s, err := connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrTask, id, withCause(ctx, err))
	}
	t := h.newTask(id, at, s)
	t.policy = o.DialogPolicy
	if one := h.restarts.of(id); one != nil && one.last != nil {
		t.restart = one.restart
		t.follow(one.last)
	}
	if err := h.beginTask(ctx, t, configs, o); err != nil {
		h.failedAtOnce(t, err)
		if !errors.Is(err, ErrTask) {
			err = fmt.Errorf("%w: %s: %w", ErrTask, id, withCause(ctx, err))
		}
		return nil, errors.Join(err, h.endTask(context.WithoutCancel(ctx), t))
	}
	if t.restart != nil {
		h.replaced(t)
	}
	if o.Record {
		t.record()
	}
	return t, nil
}

// withCause adds the reason that the context ended, which says more than "context canceled".
func withCause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}

// beginTask registers a task once it has everything its methods need, and begins it.
func (h *Host) beginTask(ctx context.Context, t *Task, configs taskConfigs, o TaskOptions) error {
	if o.Scope == ScopeContext {
		if err := t.engine.MakeContext(ctx); err != nil {
			return err
		}
	}
	alone := o.Scope == ScopeContext || t.Launched()
	if err := t.engine.KeepDownloads(ctx, h.options.DownloadDir, alone); err != nil {
		return err
	}
	if err := h.keep(t, configs); err != nil {
		return err
	}
	return t.begin(ctx, o)
}

// keep registers the task, unless the host has been closed in the meantime.
func (h *Host) keep(t *Task, configs taskConfigs) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return ErrClosed
	}
	h.tasks[t.ID()] = t
	h.configs.Store(t.ID(), configs)
	return nil
}

// begin adds the task to its connection's state machine and waits for its first tab.
func (t *Task) begin(ctx context.Context, o TaskOptions) error {
	settings := supervise.TaskSettings{
		ID: t.ID(), TargetID: target.ID(o.TargetID), OpenURL: o.URL, Policy: o.DialogPolicy, DialogTimeout: o.DialogTimeout,
		Bridge: bridgeMode(o.DialogBridge, t.shared.address), PauseToken: bridgeToken(), RequestToken: bridgeToken(),
		DialogsAfter: t.engine.Earlier().Dialog, DownloadLimit: max(0, t.host.options.DownloadLimit),
	}
	switch o.Scope {
	case ScopeBrowser:
		settings.Scope = supervise.ScopeBrowser
	case ScopeContext:
		settings.Scope, settings.BrowserContextID = supervise.ScopeContext, t.engine.Context()
	default:
		settings.Scope = supervise.ScopeTab
	}
	return t.engine.Start(ctx, settings)
}

// closeTask ends a task, unless it has ended already.
func (h *Host) closeTask(ctx context.Context, t *Task) error {
	unlock, err := h.starting.lock(ctx, "task "+t.ID())
	if err != nil {
		return err
	}
	defer unlock()
	if h.Task(t.ID()) != t {
		return nil
	}
	h.restarts.forget(t.ID())
	return h.endTask(ctx, t)
}

// endTask leaves the browser in a usable state, forgets the task and releases its share of the connection.
func (h *Host) endTask(ctx context.Context, t *Task) error {
	ctx, cancel := context.WithTimeout(ctx, leaveTimeout)
	defer cancel()
	tr := t.tracing.Load()
	t.observe(tr) // before its tabs are closed
	err := t.engine.Leave(ctx)
	h.mu.Lock()
	if h.tasks[t.ID()] == t {
		delete(h.tasks, t.ID())
		h.configs.Delete(t.ID())
		h.store.Drop(t.ID())
	}
	h.mu.Unlock()
	err = errors.Join(err, h.release(ctx, t.shared))
	t.engine.End()
	t.recorder.Load().Wait(ctx)
	t.awaitTrace(ctx, tr)
	return err
}

// shared is a connection and the number of tasks that use it.
type shared struct {
	link    *engine.Link
	address string           // resolved; empty for a launched browser
	process *browser.Process // nil unless the host launched the browser
	lease   *leased          // nil unless it is rented
	users   int              // guarded by Host.mu

	notices  notices
	fallback string // why a local browser was launched instead of a rented one
}

// shareLink returns the connection to a browser, opening it for the first task.
func (h *Host) shareLink(ctx context.Context, address string) (*shared, error) {
	resolved, err := engine.Resolve(ctx, address)
	if err != nil {
		return nil, err
	}
	unlock, err := h.starting.lock(ctx, "browser "+resolved)
	if err != nil {
		return nil, err
	}
	defer unlock()
	h.mu.Lock()
	s := h.links[resolved]
	if s != nil && s.link.Alive() {
		s.users++
		h.mu.Unlock()
		return s, nil
	}
	h.mu.Unlock()
	s = &shared{address: resolved, users: 1}
	if s.link, err = h.group.Attach(ctx, address, resolved); err != nil {
		return nil, err
	}
	h.mu.Lock()
	h.links[resolved] = s
	h.mu.Unlock()
	return s, nil
}

// launch starts a browser for a task and opens the connection to it.
func (h *Host) launch(ctx context.Context, task string, o LaunchOptions) (*shared, error) {
	options := browser.LaunchOptions{
		Executable: o.Executable, Headful: o.Headed, UserDataDir: o.UserDataDir, Busy: o.ProfileBusy, User: "the task " + task, Args: o.Args, Stderr: o.Stderr, Logger: h.log,
		Environment: o.Environment, Sandbox: o.Sandbox, Width: o.Width, Height: o.Height, UserAgent: o.UserAgent,
	}
	if o.Port {
		options.Transport = browser.TransportPort
	}
	process, err := browser.Launch(ctx, options)
	if err != nil {
		return nil, err
	}
	s := &shared{process: process, users: 1}
	if s.link, err = h.group.Adopt(ctx, process); err != nil {
		return nil, errors.Join(err, process.Close(ctx))
	}
	return s, nil
}

// release gives up one share of a connection. Releasing the last closes it and ends a launched browser.
func (h *Host) release(ctx context.Context, s *shared) error {
	h.mu.Lock()
	s.users--
	last := s.users == 0
	if last && h.links[s.address] == s {
		delete(h.links, s.address)
	}
	h.mu.Unlock()
	if !last {
		return nil
	}
	if s.lease != nil {
		s.link.Close()
		return s.lease.release()
	}
	if s.process == nil {
		s.link.Close()
		return nil
	}
	// Browser.close lets the browser save its profile. If it does not answer, its process is ended below.
	err := s.link.Call(ctx, cdpbrowser.CommandClose, nil, nil)
	if errors.Is(err, ErrDisconnected) {
		err = nil
	}
	s.link.Close()
	return errors.Join(err, s.process.Close(ctx))
}
