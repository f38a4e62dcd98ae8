package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// BrowserOptions says how the tools of a task work. The zero value works.
type BrowserOptions struct {
	// Timeout bounds a call that names none. Default 30 s.
	Timeout time.Duration
	// ScreenshotDir is the folder for pictures, made with mode 0700 where it is missing. Pictures of this package in it that
	// are older than ScreenshotKeep are removed, by the clock while there is a [Registry]. Empty: they are not kept.
	ScreenshotDir string
	// ScreenshotKeep is how long pictures are kept. Default 24 h.
	ScreenshotKeep time.Duration
	// DownloadDir is the folder for downloads, made likewise. Empty: browser_download is an error.
	DownloadDir string
	// Vision answers the questions of browser_vision. Nil: who gets the picture does.
	Vision Vision
}

// Browser is what an agent works with: the tools of one task, a method for each. Its methods may be called from any
// goroutine.
//
// When a dialog holds the page the error is a [*host.BlockedError], and when the page is busy with an action a
// [*host.DeliveredError]; [Browser.Resume] gives the result of its CallID once the dialog is answered, or the page is not. Errors are otherwise those of package host, and [*ArgumentError].
type Browser struct {
	task    *host.Task
	options BrowserOptions
	kept    continuations
	told    atomic.Bool // what was lost when the task's browser was restarted

	landed    atomic.Bool               // it was on a page that it asked for
	returning chan struct{}             // holds whoever goes back to the last page
	again     atomic.Pointer[PageAgain] // to be told of

	mu    sync.Mutex
	inUse host.Tab // that results have told of, or that was in use at the beginning
}

// NewBrowser gives the tools of a task. What interrupted calls are to become is kept in it, so one is made for a task and
// used as long as the task is.
func NewBrowser(t *host.Task, o BrowserOptions) *Browser {
	return &Browser{task: t, options: o.withDefaults(), inUse: tabInUse(t), returning: make(chan struct{}, 1)}
}

func (o BrowserOptions) withDefaults() BrowserOptions {
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.ScreenshotKeep = cmp.Or(o.ScreenshotKeep, 24*time.Hour)
	return o
}

// Task is the task that the tools work on.
func (b *Browser) Task() *host.Task { return b.task }

// Timeout is a parameter of every tool that may take a while.
type Timeout struct {
	// TimeoutMS bounds the call in milliseconds, at most 600,000. 0: [BrowserOptions.Timeout].
	TimeoutMS int `json:"timeout_ms,omitempty" min:"1" max:"600000"`
}

// within bounds a context by the timeout of a call.
func (b *Browser) within(ctx context.Context, t Timeout) (context.Context, context.CancelFunc) {
	limit := time.Duration(t.TimeoutMS) * time.Millisecond
	return context.WithTimeout(ctx, cmp.Or(limit, b.options.Timeout))
}

// maxKept bounds what is kept of interrupted calls; the host keeps as many calls.
const maxKept = 64

// continuations are what is to be made of the calls that dialogs interrupted, by the id of the call.
type continuations struct {
	mu    sync.Mutex
	order []string // oldest first
	by    map[string]continuation
}

// continuation makes a tool's result of what a call of the host came to at last.
type continuation func(context.Context, host.Resumed, error) (any, error)

func (c *continuations) put(id string, next continuation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[string]continuation{}
	}
	if _, known := c.by[id]; !known {
		c.order = append(c.order, id)
	}
	c.by[id] = next
	if len(c.order) > maxKept {
		delete(c.by, c.order[0])
		c.order = c.order[1:]
	}
}

func (c *continuations) get(id string) continuation {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.by[id]
}

func (c *continuations) drop(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.by, id)
	for i, known := range c.order {
		if known == id {
			c.order = append(c.order[:i], c.order[i+1:]...)
			return
		}
	}
}

// goesOn is the id of a call that goes on though its caller was told of an error: a dialog blocks it, or its page is busy with
// it. Empty for all other errors.
func goesOn(err error) string {
	var blocked *host.BlockedError
	var delivered *host.DeliveredError
	switch {
	case errors.As(err, &blocked):
		return blocked.CallID
	case errors.As(err, &delivered):
		return delivered.CallID
	}
	return ""
}

// then goes on with the value of a call of the host. Where a dialog, or a busy page, interrupted the call, next is kept for
// [Browser.Resume], which calls it with the value that comes in the end.
func then[V, R any](ctx context.Context, b *Browser, value V, err error, next func(context.Context, V) (R, error)) (R, error) {
	var none R
	switch id := goesOn(err); {
	case id != "":
		b.kept.put(id, func(ctx context.Context, r host.Resumed, err error) (any, error) {
			value, err := resumed[V](r, err)
			return then(ctx, b, value, err, next)
		})
		return none, err
	case err != nil:
		return none, err
	}
	return next(ctx, value)
}

// after goes on with what another tool gave: a dialog that interrupted that one interrupts this one, too.
func after[V, R any](ctx context.Context, b *Browser, value V, err error, next func(context.Context, V) (R, error)) (R, error) {
	var none R
	if id := goesOn(err); id != "" {
		inner := b.kept.get(id)
		if inner == nil { // newer calls took its place
			return none, err
		}
		b.kept.put(id, func(ctx context.Context, r host.Resumed, err error) (any, error) {
			value, err := inner(ctx, r, err)
			v, _ := value.(V)
			return after(ctx, b, v, err, next)
		})
		return none, err
	}
	if err != nil {
		return none, err
	}
	return next(ctx, value)
}

// resumed finds the value of a call in what Resume gave.
func resumed[V any](r host.Resumed, err error) (V, error) {
	var value V
	if err != nil {
		return value, err
	}
	if _, none := any(value).(nothing); none {
		return value, nil
	}
	if acted, ok := r.Value.(host.Acted); ok { // a download is an action, too
		for _, d := range acted.Downloads {
			if v, ok := any(d).(V); ok && d.Path != "" {
				return v, nil
			}
		}
	}
	for _, candidate := range []any{r.Value, deref(r.Evaluation), deref(r.CDP), deref(r.PluginTool)} {
		if v, ok := candidate.(V); ok {
			return v, nil
		}
	}
	return value, fmt.Errorf("%w: the call gave no %T", host.ErrUnknownCall, value)
}

// nothing is the value of a call that has none.
type nothing struct{}

func deref[V any](v *V) any {
	if v == nil {
		return nil
	}
	return *v
}
