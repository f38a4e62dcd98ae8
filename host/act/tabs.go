package act

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Tabs lists the tabs and popups of the task in the order in which they opened. Wherever this package takes the id of a
// tab to act on, it takes its handle too.
func (t *Task) Tabs() []Tab { return t.TabsIn(t.Snapshot()) }

// TabsIn lists the tabs of a snapshot of the task, as [Task.Tabs] does.
func (t *Task) TabsIn(s *view.Snapshot) []Tab {
	tabs := []Tab{}
	for _, it := range s.Targets {
		if it.Type != "page" || it.Subtype != "" {
			continue
		}
		tabs = append(tabs, Tab{
			Handle: t.Handle(it.ID), TargetID: it.ID, URL: it.URL, Title: it.Title, Popup: it.OpenerID != "", Crashed: it.Crashed,
			InUse: it.ID == s.TabInUse,
		})
	}
	return tabs
}

// target returns the snapshot of a tab, or of the tab in use for an empty id; nil if there is none.
func (t *Task) target(id string) *view.Target {
	if id == "" {
		return t.Snapshot().Page()
	}
	return t.Snapshot().Target(id)
}

// titlesTimeout is how long a list of tabs waits for current titles.
const titlesTimeout = time.Second

// TitledTabs is Tabs with current titles. Chromium announces a title only together with other changes, so that the
// known one often dates from when the document was created; so the browser is asked, but no page. If it does not answer
// soon, the known titles are returned. Errors: ErrDisconnected, ErrBrowserGone, ErrClosed and ErrTask, because then the
// tabs are unknown.
func (t *Task) TitledTabs(ctx context.Context) ([]Tab, error) {
	ctx, cancel := context.WithTimeout(ctx, titlesTimeout)
	defer cancel()
	var now target.GetTargetsResult
	_, err := t.Operate(ctx, 0, func(op *engine.Operation) (any, error) {
		return nil, op.OnBrowser(target.CommandGetTargets, nil, &now)
	})
	if err := t.connectionError(err); err != nil {
		return nil, err
	}
	tabs := t.Tabs()
	titles := map[string]string{}
	for _, info := range now.TargetInfos {
		titles[string(info.TargetID)] = info.Title
	}
	for i, tab := range tabs {
		if title, known := titles[tab.TargetID]; known {
			tabs[i].Title = title
		}
	}
	return tabs, nil
}

// connectionError returns the error of a call if it says that the browser cannot be reached. Otherwise it returns an
// error if the snapshot says so, whatever the call returned, or nil.
func (t *Task) connectionError(err error) error {
	for _, lost := range []error{fault.ErrDisconnected, fault.ErrClosed, fault.ErrTask} {
		if errors.Is(err, lost) {
			return err
		}
	}
	switch s := t.Snapshot(); {
	case s.Disconnected == "":
		return nil
	case s.Reconnecting:
		return fmt.Errorf("%w, reconnecting: %s", fault.ErrDisconnected, s.Disconnected)
	default:
		return fmt.Errorf("%w: %s", fault.ErrBrowserGone, s.Disconnected)
	}
}

// OpenTab opens a tab that belongs to the task, and returns when it is the tab in use. Its URL is still loading then;
// [Task.Load] with the tab's handle waits for it. Errors: ErrRefused for a URL whose scheme is not allowed,
// ErrEvaluateDisabled for one that would run script, ErrTask, ErrClosed, and the context's.
func (t *Task) OpenTab(ctx context.Context, url string) (Tab, error) {
	if url != "" {
		if err := t.Rules.MayLoad(url); err != nil {
			return Tab{}, err
		}
	}
	reply, err := t.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.OpenTab{Request: id, Task: t.ID(), URL: url}
	})
	if err != nil {
		return Tab{}, err
	}
	id := string(reply.Target)
	_, ok := t.Wait(ctx, func(s *view.Snapshot) bool {
		tab := s.Target(id)
		return tab != nil && tab.Ready
	})
	t.makeInUse(ctx, id)
	for _, tab := range t.Tabs() {
		if ok && tab.TargetID == id {
			return tab, nil
		}
	}
	if ctx.Err() != nil {
		out := fault.Stopped(context.Cause(ctx), ctx.Err())
		out.Sent = true
		return Tab{}, out
	}
	return Tab{}, fmt.Errorf("%w: it closed as soon as it was opened", fault.ErrTargetGone)
}

// FocusTab brings a tab to the front, by its handle or id, and makes it the tab in use. Errors: ErrUnknownTarget and
// those of Task.CDP (package host).
func (t *Task) FocusTab(ctx context.Context, tab string) (Tab, error) {
	focused, err := t.onTab(ctx, target.CommandActivateTarget, tab)
	if err == nil {
		t.makeInUse(ctx, focused.TargetID)
	}
	return focused, err
}

// makeInUse makes a tab the one in use, and waits until the snapshot says so.
func (t *Task) makeInUse(ctx context.Context, id string) {
	t.Post(supervise.UseTab{Task: t.ID(), Target: target.ID(id)})
	t.Wait(ctx, func(s *view.Snapshot) bool { return s.TabInUse == id || s.Target(id) == nil })
}

// CloseTab closes a tab, by its handle or id, and returns when it is gone. No beforeunload dialog is shown. Errors:
// ErrUnknownTarget and those of Task.CDP (package host).
func (t *Task) CloseTab(ctx context.Context, tab string) (Tab, error) {
	id, err := t.targetOf(tab)
	if err != nil {
		return Tab{}, err
	}
	t.AbortActions(ctx, id, (*engine.Operation).IsDelivered)
	closed, err := t.onTab(ctx, target.CommandCloseTarget, id)
	if err != nil {
		return Tab{}, err
	}
	if _, ok := t.Wait(ctx, func(s *view.Snapshot) bool { return s.Target(closed.TargetID) == nil }); !ok {
		out := fault.Stopped(context.Cause(ctx), ctx.Err())
		out.Sent = true
		return Tab{}, out
	}
	return closed, nil
}

func (t *Task) onTab(ctx context.Context, method, tab string) (Tab, error) {
	id, err := t.targetOf(tab)
	if err != nil {
		return Tab{}, err
	}
	for _, it := range t.Tabs() {
		if it.TargetID != id {
			continue
		}
		_, err := t.Operate(ctx, 0, func(op *engine.Operation) (any, error) {
			place, err := op.Locate(supervise.FrameSelector{Target: target.ID(id)})
			if err != nil {
				return nil, err
			}
			return nil, op.Do(&engine.Call{
				Method: method, Params: map[string]string{"targetId": id}, Call: schedule.Call{At: &place, OnBrowser: true, HasEffect: true},
			}, nil)
		})
		return it, err
	}
	return Tab{}, fmt.Errorf("%w: %q is not a tab of the task; list its tabs", fault.ErrUnknownTarget, tab)
}
