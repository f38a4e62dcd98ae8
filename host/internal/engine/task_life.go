package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Start adds the task to the state machine of its connection and waits for its first tab.
func (t *Task) Start(ctx context.Context, settings supervise.TaskSettings) error {
	if _, err := t.Link.connection.wait(ctx); err != nil {
		return err
	}
	t.Link.inbox.put(register{t})
	t.added = true // even if the reply does not come in time
	reply, err := t.Link.request(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.AddTask{Request: id, Settings: settings}
	})
	if err != nil {
		return err
	}
	return fromState(reply.Err)
}

// Leave ends what is under way and leaves the browser in a usable state.
func (t *Task) Leave(ctx context.Context) error {
	t.closed.Store(true)
	t.operations.end(ctx, fault.ErrClosed)
	var errs []error
	if t.added {
		t.Link.connection.waitBriefly(ctx)
		_, err := t.Link.request(ctx, func(id supervise.RequestID) supervise.Event {
			return supervise.RemoveTask{Request: id, Task: t.id}
		})
		errs = append(errs, err)
	}
	if t.context != "" && t.Alive() {
		errs = append(errs, t.disposeContext(ctx))
	}
	t.Link.inbox.put(unregister{t})
	return errors.Join(append(errs, t.endDownloads())...)
}

// MakeContext creates a browser context for the task.
func (t *Task) MakeContext(ctx context.Context) error {
	var made target.CreateBrowserContextResult
	if err := t.Link.Call(ctx, target.CommandCreateBrowserContext, &target.CreateBrowserContextParams{}, &made); err != nil {
		return fmt.Errorf("%w: %s: cannot create a browser context: %w", fault.ErrTask, t.id, err)
	}
	t.context = made.BrowserContextID
	return nil
}

// disposeContext disposes of the browser context that was made for the task. It tries again if the connection was lost
// before the reply.
func (t *Task) disposeContext(ctx context.Context) error {
	for t.Link.connection.waitBriefly(ctx) {
		err := t.Link.Call(ctx, target.CommandDisposeBrowserContext, &target.DisposeBrowserContextParams{BrowserContextID: t.context}, nil)
		switch {
		case errors.Is(err, fault.ErrBrowserGone):
			return nil
		case !errors.Is(err, fault.ErrDisconnected):
			return err
		}
	}
	return nil
}

// Ask sends a request to the state machine on behalf of a task that has not been closed.
func (t *Task) Ask(ctx context.Context, event func(supervise.RequestID) supervise.Event) (supervise.Reply, error) {
	if t.closed.Load() {
		return supervise.Reply{}, fault.ErrClosed
	}
	reply, err := t.Link.request(ctx, event)
	if err == nil {
		err = fromState(reply.Err)
	}
	return reply, err
}

// Respond answers a dialog, and returns the closed dialog once the browser has confirmed. An empty id means the only
// pending one.
func (t *Task) Respond(ctx context.Context, id string, accept bool, text *string) (view.Dialog, error) {
	if t.closed.Load() {
		return view.Dialog{}, fault.ErrClosed
	}
	reply, err := t.Link.request(ctx, func(request supervise.RequestID) supervise.Event {
		return supervise.Respond{Request: request, Task: t.id, Dialog: id, Accept: accept, Text: text}
	})
	if err != nil {
		return view.Dialog{}, err
	}
	err = fromState(reply.Err)
	if s := t.Snapshot(); err != nil && s.Disconnected != "" && !s.Reconnecting {
		err = fmt.Errorf("%w: %w", t.Link.connection.gone(), err)
	}
	return view.DialogOf(reply.Dialog), err
}
