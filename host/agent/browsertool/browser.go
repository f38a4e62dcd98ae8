package browsertool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// BrowserOptions configures the tools of a task. The zero value works.
type BrowserOptions struct {
	// Timeout is the time limit of a call that sets none. Default 30 s.
	Timeout time.Duration
	// ScreenshotDir is the directory for pictures, created with mode 0700 if missing. While there is a registry, it
	// removes its own pictures that are older than ScreenshotKeep. Empty: pictures are not kept.
	ScreenshotDir string
	// ScreenshotKeep is how long pictures are kept. Default 24 h.
	ScreenshotKeep time.Duration
	// DownloadDir is the directory into which browser_download puts its files, created likewise. Empty: that of the task,
	// see [host.Task.DownloadDir].
	DownloadDir string
	// StateDir is the directory of the files of browser_state, created likewise. Empty: the tool is refused.
	StateDir string
	// Wipeable is the directory of the profile that browser_close may remove. Empty: none.
	Wipeable string
	// Observe makes the results of actions say what changed on the page, unless the call says otherwise.
	Observe bool
	// Vision answers the questions of browser_vision. Nil: whoever receives the picture answers them.
	Vision Vision
}

// Vision answers questions about pictures, as vision.Client does.
type Vision interface {
	// Ask answers a question about a PNG picture within the time of the context. Its errors contain no secrets.
	Ask(ctx context.Context, question string, picture []byte) (string, error)
}

// Browser has the tools of one task, a method for each. It is safe for concurrent use.
//
// If a dialog holds the page the error is a [*host.BlockedError], and if the page is busy with an action a
// [*host.DeliveredError]. [Browser.Resume] takes its CallID and returns the result once the dialog is answered or the
// page is no longer busy. Other errors are those of package host, and [*ArgumentError].
type Browser struct {
	task    *host.Task
	options BrowserOptions
	kept    continuations
	told    atomic.Bool // the agent knows what the restart of its browser lost

	landed    atomic.Bool               // it has reached a page that it asked for
	returning chan struct{}             // a lock for returning to the last page
	again     atomic.Pointer[PageAgain] // not yet reported

	mu      sync.Mutex
	blocked map[string]uint64             // how many requests each plugin had blocked at the last result
	noticed map[string]int                // how often results have reported each of its notices
	inUse   host.TabInfo                  // as last reported by a result, or initially
	shown   []string                      // ids of the recent dialogs that the last snapshot had
	files   map[string]host.DownloadState // the downloads that a result has reported, by id
}

// NewBrowser returns the tools of a task. It keeps the continuations of interrupted calls, so create one for a task and
// use it as long as the task exists.
func NewBrowser(t *host.Task, o BrowserOptions) *Browser {
	return &Browser{task: t, options: o.WithDefaults(), inUse: tabInUse(t), returning: make(chan struct{}, 1)}
}

// WithDefaults returns the options with the defaults in place of what is not set.
func (o BrowserOptions) WithDefaults() BrowserOptions {
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.ScreenshotKeep = cmp.Or(o.ScreenshotKeep, 24*time.Hour)
	return o
}

// Task returns the task that the tools work on.
func (b *Browser) Task() *host.Task { return b.task }

// Resumes reports whether an interrupted call is a tool's, so that [Browser.Resume] returns its result.
func (b *Browser) Resumes(callID string) bool { return b.kept.get(callID) != nil }

// Timeout is a parameter of every tool that may take a while.
type Timeout struct {
	// TimeoutMS bounds the call in milliseconds, at most 600,000. 0: [BrowserOptions.Timeout].
	TimeoutMS int `json:"timeout_ms,omitempty" min:"1" max:"600000"`
}

// within applies the timeout of a call to a context.
func (b *Browser) within(ctx context.Context, t Timeout) (context.Context, context.CancelFunc) {
	limit := time.Duration(t.TimeoutMS) * time.Millisecond
	return context.WithTimeout(ctx, cmp.Or(limit, b.options.Timeout))
}

// maxKept limits the continuations that are kept; the host keeps as many calls.
const maxKept = 64

// continuations are the rest of interrupted calls, keyed by call id.
type continuations struct {
	mu    sync.Mutex
	order []string // oldest first
	by    map[string]continuation
}

// continuation turns the final result of a host call into a tool's result.
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
	c.order = slices.DeleteFunc(c.order, func(known string) bool { return known == id })
}

// goesOn returns the id of a call that goes on although it returned err, because a dialog blocks it or its page is
// busy. It is empty for all other errors.
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

// then continues with the value of a host call. If a dialog or a busy page interrupted the call, next is kept for
// [Browser.Resume], which calls it with the final value.
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

// after continues with the result of another tool: whatever interrupted that tool interrupts this one, too.
func after[V, R any](ctx context.Context, b *Browser, value V, err error, next func(context.Context, V) (R, error)) (R, error) {
	var none R
	if id := goesOn(err); id != "" {
		inner := b.kept.get(id)
		if inner == nil { // displaced by newer calls
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

// resumed extracts the value of a call from what Resume returned.
func resumed[V any](r host.Resumed, err error) (V, error) {
	var value V
	if err != nil {
		return value, err
	}
	if _, none := any(value).(nothing); none {
		return value, nil
	}
	if acted, ok := r.Value.(host.ActionResult); ok { // a download is an action, too
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
	return value, fmt.Errorf("%w: the call did not return a %T", host.ErrUnknownCall, value)
}

// nothing is the value of a call without a value.
type nothing struct{}

func deref[V any](v *V) any {
	if v == nil {
		return nil
	}
	return *v
}
