package host

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/endpoint"
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
	o := optional.Or(options)
	if o.Scope == ScopeAuto && address == Running {
		o.Scope = ScopeTab
	}
	if o.URL != "" && (o.TargetID != "" || o.Scope == ScopeBrowser) {
		return nil, fmt.Errorf("%w: %s: %w: a URL is opened in a new tab, and a task that takes over tabs opens none: leave it out, and "+
			"navigate the tab", ErrTask, id, ErrBadArguments)
	}
	return h.startTask(ctx, id, place{address: address}, o, func(ctx context.Context) (*shared, error) { return h.shareLink(ctx, address) })
}

func (h *Host) startTask(ctx context.Context, id string, at place, o TaskOptions, connect func(context.Context) (*shared, error)) (*Task, error) {
	if o.URL = scheme.Complete(o.URL); o.URL != "" {
		if err := h.rules.MayShow(o.URL); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrTask, id, err)
		}
	}
	if err := o.checkCredentials(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrTask, id, err)
	}
	checker, err := h.checker(o.Network)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrTask, id, err)
	}
	ctx, end, err := h.beginStart(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	ctx, cancel := context.WithTimeoutCause(ctx, h.limit(at), fmt.Errorf("%w: no browser within %v", ErrTask, h.limit(at)))
	defer cancel()
	unlock, err := h.starting.Lock(ctx, "task "+id)
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
	if !s.network.restrictsLike(o.Network) {
		t.engine.Checker = checker
	}
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
		if err := t.StartRecording(); err != nil {
			h.log.Warn("the task is not recorded", "task", id, "error", err)
		}
	}
	h.log.Info("the task began", "task", id)
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
	o.Scope = t.shared.scope(o)
	t.pages.Windowless = t.Launched() && !t.shared.headed
	if o.Scope == ScopeContext {
		if err := t.engine.MakeContext(ctx); err != nil {
			return err
		}
	}
	alone := o.Scope == ScopeContext || t.Launched()
	t.alone = alone || o.Scope == ScopeBrowser
	if err := t.engine.KeepDownloads(ctx, h.options.DownloadDir, alone); err != nil {
		return err
	}
	if err := h.keep(t, configs); err != nil {
		return err
	}
	prepared := o.StorageState != "" || o.Device != "" || !reflect.ValueOf(o.Emulation).IsZero()
	url := o.URL
	if prepared || o.Scope == ScopeBrowser {
		o.URL = "" // its page comes after what it is to find, or in the tab with which its browser has begun
	}
	if err := t.begin(ctx, o); err != nil {
		return err
	}
	if prepared {
		if err := t.prepare(ctx, o); err != nil {
			return err
		}
	}
	if url == o.URL {
		return nil
	}
	_, err := t.pages.Tab("").Navigate(ctx, url, &NavigateOptions{WaitUntil: WaitCommit, KeepLastURL: true})
	return err
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
		Credentials: o.Credentials, Guarded: t.engine.Checker != nil, Windowless: t.pages.Windowless,
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
	unlock, err := h.starting.Lock(ctx, "task "+t.ID())
	if err != nil {
		return err
	}
	defer unlock()
	if h.Task(t.ID()) != t {
		return nil
	}
	h.restarts.forget(t.ID())
	err = h.endTask(ctx, t)
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed { // else the next host may go on with what plugins have on disk for it
		h.store.Drop(t.ID())
	}
	return err
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
		h.store.Leave(t.ID())
	}
	h.mu.Unlock()
	err = errors.Join(err, h.release(ctx, t.shared))
	t.engine.End()
	t.film.Load().Wait(ctx)
	t.awaitTrace(ctx, tr)
	h.log.Info("the task ended", "task", t.ID())
	return err
}

// shareLink returns the connection to a browser, opening it for the first task.
func (h *Host) shareLink(ctx context.Context, address string) (*shared, error) {
	resolved, err := endpoint.Resolve(ctx, address)
	if err != nil {
		return nil, err
	}
	return h.share(ctx, resolved, func() (*shared, error) {
		link, err := h.group.Attach(ctx, address, resolved)
		if err != nil {
			return nil, err
		}
		return &shared{address: resolved, link: link, users: 1}, nil
	})
}
