package host

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// tabHandles gives tabs their handles. The zero value is ready.
type tabHandles struct {
	mu     sync.Mutex
	last   int
	handle map[string]int
}

// of gives a tab its handle, the same each time, and never that of another. None is forgotten: a caller may still have it.
func (h *tabHandles) of(target string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.handle == nil {
		h.handle = map[string]int{}
	}
	number, ok := h.handle[target]
	if !ok {
		h.last++
		number = h.last
		h.handle[target] = number
	}
	return "t" + strconv.Itoa(number)
}

// Tabs lists the tabs and popups of the task in the order in which they came. Their handles are taken wherever this package
// takes the id of a tab to act on.
func (t *Task) Tabs() []Tab {
	tabs := []Tab{}
	for _, it := range t.Snapshot().Targets {
		if it.Type != "page" || it.Subtype != "" {
			continue
		}
		tabs = append(tabs, Tab{
			Handle: t.handles.of(it.ID), TargetID: it.ID, URL: it.URL, Title: it.Title, Popup: it.OpenerID != "", Crashed: it.Crashed,
		})
	}
	return tabs
}

// OpenTab opens a tab that belongs to the task, and returns when it can be used. Its address is loaded then; [Task.Load] with
// the tab's handle waits for it. Errors: ErrEvaluateDisabled for an address that would run script, ErrTask, ErrClosed, and
// the context's.
func (t *Task) OpenTab(ctx context.Context, url string) (Tab, error) {
	if url != "" && t.link.host.options.EvaluateDisabled && !plainAddress(url) {
		return Tab{}, fmt.Errorf("%w: the address is neither http:, https:, file: nor about:blank", ErrEvaluateDisabled)
	}
	reply, err := t.ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.OpenTab{Request: id, Task: t.id, URL: url}
	})
	if err != nil {
		return Tab{}, err
	}
	id := string(reply.Target)
	_, ok := t.Wait(ctx, func(s *Snapshot) bool {
		tab := s.Target(id)
		return tab != nil && tab.Ready
	})
	for _, tab := range t.Tabs() {
		if ok && tab.TargetID == id {
			return tab, nil
		}
	}
	if ctx.Err() != nil {
		return Tab{}, stopped(context.Cause(ctx), ctx.Err())
	}
	return Tab{}, fmt.Errorf("%w: it was closed as soon as it was opened", ErrTargetGone)
}

// FocusTab brings a tab to the front, by its handle or id. Errors: ErrUnknownTarget and those of [Task.CDP].
func (t *Task) FocusTab(ctx context.Context, tab string) (Tab, error) {
	return t.onTab(ctx, target.CommandActivateTarget, tab)
}

// CloseTab closes a tab, by its handle or id, and returns when it is gone. A page that asks before it is left is not asked.
// Errors: ErrUnknownTarget and those of [Task.CDP].
func (t *Task) CloseTab(ctx context.Context, tab string) (Tab, error) {
	closed, err := t.onTab(ctx, target.CommandCloseTarget, tab)
	if err != nil {
		return Tab{}, err
	}
	if _, ok := t.Wait(ctx, func(s *Snapshot) bool { return s.Target(closed.TargetID) == nil }); !ok {
		return Tab{}, stopped(context.Cause(ctx), ctx.Err())
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
		params, err := json.Marshal(map[string]string{"targetId": id})
		if err != nil {
			return Tab{}, err
		}
		_, err = t.CDP(ctx, CDPCall{Method: method, Params: params, TargetID: id})
		return it, err
	}
	return Tab{}, fmt.Errorf("%w: %q is no tab of the task; list its tabs", ErrUnknownTarget, tab)
}
