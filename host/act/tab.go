package act

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// Tab is a tab or popup of a task. It is only a name: making one asks nobody, and its methods return
// [fault.ErrUnknownTarget] if there is no such tab. It is safe for concurrent use.
//
// A [Locator] with a ref implies a tab. It must be this one, unless this is the tab in use: then the ref's is taken.
// A method bounds its time by its context, and ends with a [*fault.StoppedError] when that is over.
type Tab struct {
	pages *Pages
	id    string // a handle or a target id; empty: the tab in use
}

// Tab returns the tab with a handle, such as t1, or a target id. Without an id it is the tab in use at the time of each
// call; see [view.Snapshot.Page].
func (p *Pages) Tab(id string) Tab { return Tab{p, id} }

// ID returns the handle or the target id of the tab, as it was named; empty: the tab in use.
func (t Tab) ID() string { return t.id }

// Info returns what is known about the tab now, without asking the browser. One that is gone, or never was, is Closed.
func (t Tab) Info() TabInfo {
	s := t.pages.Snapshot()
	id, err := t.target()
	if id == "" && err == nil {
		id = s.TabInUse
	}
	for _, info := range t.pages.TabsIn(s) {
		if info.TargetID == id {
			return info
		}
	}
	return TabInfo{TargetID: id, Closed: true}
}

// target returns the target id of the tab; empty: the tab in use. A text that is no handle is taken for a target id.
func (t Tab) target() (string, error) {
	number, ok := handleNumber(t.id)
	if !ok {
		return t.id, nil
	}
	for _, tab := range t.pages.TabsIn(t.pages.Snapshot()) {
		if tab.Handle == t.id {
			return tab.TargetID, nil
		}
	}
	if earlier := t.pages.Earlier(); number <= earlier.Tab {
		return "", fmt.Errorf("%w: t%d is gone: %s", fault.ErrUnknownTarget, number, earlier.Why())
	}
	return "", fmt.Errorf("%w: t%d is closed, or was never given out", fault.ErrUnknownTarget, number)
}

// targetOf returns the target id of the tab that has the element of a locator.
func (t Tab) targetOf(l Locator) (string, error) {
	tab, err := t.target()
	if err != nil || l.Ref == "" {
		return tab, err
	}
	ref, err := t.pages.ResolveRef(l.Ref)
	if gone, ok := t.pages.leftOut(l.Ref); ok { // whether it is gone, only the page knows
		ref, err = publicRef(gone), nil
	}
	if err != nil {
		return "", err
	}
	if tab != "" && tab != ref.TargetID {
		return "", fmt.Errorf("%w: @%s is in the tab %s, not in %s", fault.ErrBadArguments, ref.Ref, ref.TargetID, t.id)
	}
	return ref.TargetID, nil
}

// handleNumber parses a handle: t1, t2, ...
func handleNumber(text string) (int, bool) {
	if len(text) < 2 || text[0] != 't' {
		return 0, false
	}
	n, err := strconv.Atoi(text[1:])
	return n, err == nil && n > 0
}

// Tabs returns the tabs and popups of the task, by their handles, in the order in which they opened.
func (p *Pages) Tabs() []Tab {
	tabs := []Tab{}
	for _, info := range p.TabsIn(p.Snapshot()) {
		tabs = append(tabs, p.Tab(info.Handle))
	}
	return tabs
}

// TabsIn describes the tabs of a snapshot of the task, in the order in which they opened.
func (p *Pages) TabsIn(s *view.Snapshot) []TabInfo {
	tabs := []TabInfo{}
	for _, it := range s.Targets {
		if it.Type != "page" || it.Subtype != "" {
			continue
		}
		tabs = append(tabs, TabInfo{
			Handle: p.Handle(it.ID), TargetID: it.ID, URL: it.URL, Title: it.Title, Popup: it.OpenerID != "", Crashed: it.Crashed,
			InUse: it.ID == s.TabInUse,
		})
	}
	return tabs
}

// titlesTimeout is how long a list of tabs waits for current titles.
const titlesTimeout = time.Second

// ListTabs describes the tabs and popups of the task, with current titles. Chromium announces a title only together
// with other changes, so that the known one often dates from when the document was created; so the browser is asked,
// but no page. If it does not answer soon, the known titles are returned. Errors: ErrDisconnected, ErrBrowserGone,
// ErrClosed and ErrTask, because then the tabs are unknown.
func (p *Pages) ListTabs(ctx context.Context) ([]TabInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, titlesTimeout)
	defer cancel()
	var now target.GetTargetsResult
	_, err := p.Operate(ctx, func(op *engine.Operation) (any, error) {
		return nil, op.OnBrowser(target.CommandGetTargets, nil, &now)
	})
	if err := p.connectionError(err); err != nil {
		return nil, err
	}
	titles := map[string]string{}
	for _, info := range now.TargetInfos {
		titles[string(info.TargetID)] = info.Title
	}
	tabs := p.TabsIn(p.Snapshot())
	for i, tab := range tabs {
		if title, known := titles[tab.TargetID]; known {
			tabs[i].Title = title
		}
	}
	return tabs, nil
}

// connectionError returns the error of a call if it says that the browser cannot be reached. Otherwise it returns an
// error if the snapshot says so, whatever the call returned, or nil.
func (p *Pages) connectionError(err error) error {
	for _, lost := range []error{fault.ErrDisconnected, fault.ErrClosed, fault.ErrTask} {
		if errors.Is(err, lost) {
			return err
		}
	}
	switch s := p.Snapshot(); {
	case s.Disconnected == "":
		return nil
	case s.Reconnecting:
		return fmt.Errorf("%w, reconnecting: %s", fault.ErrDisconnected, s.Disconnected)
	default:
		return p.Link.GoneError(s.Disconnected)
	}
}

// OpenTab opens a tab that belongs to the task, and returns when it is the tab in use. Its URL is still loading then.
// Errors: ErrRefused for a URL whose scheme is not allowed, ErrEvaluateDisabled for one that would run script, ErrTask,
// ErrClosed, and the context's.
func (p *Pages) OpenTab(ctx context.Context, url string) (Tab, error) {
	if url = scheme.Complete(url); url != "" {
		if err := p.Rules.MayLoad(url); err != nil {
			return Tab{}, err
		}
	}
	reply, err := p.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.OpenTab{Request: id, Task: p.Task.ID(), URL: url}
	})
	if err != nil {
		return Tab{}, err
	}
	id := string(reply.Target)
	_, ok := p.Task.Wait(ctx, func(s *view.Snapshot) bool {
		tab := s.Target(id)
		return tab != nil && tab.Ready
	})
	p.makeInUse(ctx, id)
	if info := p.Tab(id).Info(); ok && !info.Closed {
		return p.Tab(info.Handle), nil
	}
	if ctx.Err() != nil {
		return Tab{}, stoppedAfterSending(ctx)
	}
	return Tab{}, fmt.Errorf("%w: it closed as soon as it was opened", fault.ErrTargetGone)
}

// stoppedAfterSending is the error of a context that ended when something had been sent.
func stoppedAfterSending(ctx context.Context) error {
	out := fault.Stopped(context.Cause(ctx), ctx.Err())
	out.Sent = true
	return out
}

// Focus brings the tab to the front, and makes it the tab in use. Errors: ErrUnknownTarget and those of Task.CDP
// (package host).
func (t Tab) Focus(ctx context.Context) (err error) {
	defer fault.During("focus", &err)
	id, err := t.known()
	if err != nil {
		return err
	}
	if err := t.pages.onBrowser(ctx, target.CommandActivateTarget, id); err != nil {
		return err
	}
	t.pages.makeInUse(ctx, id)
	return nil
}

// makeInUse makes a tab the one in use, and waits until the snapshot says so.
func (p *Pages) makeInUse(ctx context.Context, id string) {
	p.Post(supervise.UseTab{Task: p.Task.ID(), Target: target.ID(id)})
	p.Task.Wait(ctx, func(s *view.Snapshot) bool { return s.TabInUse == id || s.Target(id) == nil })
}

// Close closes the tab, and returns when it is gone. No beforeunload dialog is shown. Errors: ErrUnknownTarget and
// those of Task.CDP (package host).
func (t Tab) Close(ctx context.Context) (err error) {
	defer fault.During("close", &err)
	id, err := t.known()
	if err != nil {
		return err
	}
	t.pages.AbortActions(ctx, id, (*engine.Operation).IsDelivered)
	if err := t.pages.onBrowser(ctx, target.CommandCloseTarget, id); err != nil {
		return err
	}
	if _, ok := t.pages.Task.Wait(ctx, func(s *view.Snapshot) bool { return s.Target(id) == nil }); !ok {
		return stoppedAfterSending(ctx)
	}
	return nil
}

// known returns the target id of a tab that exists.
func (t Tab) known() (string, error) {
	if _, err := t.target(); err != nil {
		return "", err
	}
	info := t.Info()
	if info.Closed {
		return "", fmt.Errorf("%w: %q is not a tab of the task; list its tabs", fault.ErrUnknownTarget, t.id)
	}
	return info.TargetID, nil
}

// onBrowser sends a command about a tab on the browser's own session.
func (p *Pages) onBrowser(ctx context.Context, method, id string) error {
	_, err := p.Operate(ctx, func(op *engine.Operation) (any, error) {
		place, err := op.Locate(supervise.FrameSelector{Target: target.ID(id)})
		if err != nil {
			return nil, err
		}
		return nil, op.Do(&engine.Call{
			Method: method, Params: map[string]string{"targetId": id}, Call: schedule.Call{At: &place, OnBrowser: true, HasEffect: true},
		}, nil)
	})
	return err
}
