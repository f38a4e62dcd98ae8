package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// start adds the task to its connection's state machine and waits for its first tab.
func (t *engineTask) start(ctx context.Context, settings supervise.TaskSettings) error {
	if _, err := t.link.line.wait(ctx); err != nil {
		return err
	}
	t.link.inbox.put(register{t})
	t.added = true // also where the reply does not come in time
	reply, err := t.link.request(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.AddTask{Request: id, Settings: settings}
	})
	if err != nil {
		return err
	}
	return publicError(reply.Err)
}

// leave ends what is under way, and leaves the browser in a usable state.
func (t *engineTask) leave(ctx context.Context) error {
	t.closed.Store(true)
	t.operations.end(ctx, ErrClosed)
	var errs []error
	if t.added {
		t.link.line.comesBack(ctx)
		_, err := t.link.request(ctx, func(id supervise.RequestID) supervise.Event {
			return supervise.RemoveTask{Request: id, Task: t.id}
		})
		errs = append(errs, err)
	}
	if t.context != "" && t.alive() {
		errs = append(errs, t.disposeContext(ctx))
	}
	t.link.inbox.put(unregister{t})
	return errors.Join(errs...)
}

// makeContext makes the task's own browser context.
func (t *engineTask) makeContext(ctx context.Context) error {
	var made target.CreateBrowserContextResult
	if err := t.link.call(ctx, target.CommandCreateBrowserContext, &target.CreateBrowserContextParams{}, &made); err != nil {
		return fmt.Errorf("%w: %s: cannot make a browser context: %w", ErrTask, t.id, err)
	}
	t.context = made.BrowserContextID
	return nil
}

// disposeContext disposes of the browser context that was made for the task, once more where nobody knows whether it came
// to that.
func (t *engineTask) disposeContext(ctx context.Context) error {
	for t.link.line.comesBack(ctx) {
		err := t.link.call(ctx, target.CommandDisposeBrowserContext, &target.DisposeBrowserContextParams{BrowserContextID: t.context}, nil)
		switch {
		case errors.Is(err, ErrBrowserGone):
			return nil
		case !errors.Is(err, ErrDisconnected):
			return err
		}
	}
	return nil
}

// ask is a request to the state machine on behalf of a task that has not been closed.
func (t *engineTask) ask(ctx context.Context, event func(supervise.RequestID) supervise.Event) (supervise.Reply, error) {
	if t.closed.Load() {
		return supervise.Reply{}, ErrClosed
	}
	reply, err := t.link.request(ctx, event)
	if err == nil {
		err = publicError(reply.Err)
	}
	return reply, err
}

// respond answers a dialog, and returns it as it was closed, once the browser confirmed. An empty id is the only pending one.
func (t *engineTask) respond(ctx context.Context, id string, accept bool, text *string) (Dialog, error) {
	if t.closed.Load() {
		return Dialog{}, ErrClosed
	}
	reply, err := t.link.request(ctx, func(request supervise.RequestID) supervise.Event {
		return supervise.Respond{Request: request, Task: t.id, Dialog: id, Accept: accept, Text: text}
	})
	if err != nil {
		return Dialog{}, err
	}
	err = publicError(reply.Err)
	if s := t.Snapshot(); err != nil && s.Disconnected != "" && !s.Reconnecting {
		err = fmt.Errorf("%w: %w", ErrBrowserGone, err)
	}
	return publicDialog(reply.Dialog), err
}
