package toolkit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host"
)

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

func (c *continuations) Put(id string, next continuation) {
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

func (c *continuations) Get(id string) continuation {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.by[id]
}

func (c *continuations) Drop(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.by, id)
	c.order = slices.DeleteFunc(c.order, func(known string) bool { return known == id })
}

// GoesOn returns the id of a call that goes on although it returned err, because a dialog blocks it or its page is
// busy. It is empty for all other errors.
func GoesOn(err error) string {
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

// Then continues with the value of a host call. If a dialog or a busy page interrupted the call, next is kept for
// browser_resume, which calls it with the final value.
func Then[V, R any](ctx context.Context, k *Kit, value V, err error, next func(context.Context, V) (R, error)) (R, error) {
	var none R
	switch id := GoesOn(err); {
	case id != "":
		k.Kept.Put(id, func(ctx context.Context, r host.Resumed, err error) (any, error) {
			value, err := resumed[V](r, err)
			return Then(ctx, k, value, err, next)
		})
		return none, err
	case err != nil:
		return none, err
	}
	return next(ctx, value)
}

// After continues with the result of another tool: whatever interrupted that tool interrupts this one, too.
func After[V, R any](ctx context.Context, k *Kit, value V, err error, next func(context.Context, V) (R, error)) (R, error) {
	var none R
	if id := GoesOn(err); id != "" {
		inner := k.Kept.Get(id)
		if inner == nil { // displaced by newer calls
			return none, err
		}
		k.Kept.Put(id, func(ctx context.Context, r host.Resumed, err error) (any, error) {
			value, err := inner(ctx, r, err)
			v, _ := value.(V)
			return After(ctx, k, v, err, next)
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
	if _, none := any(value).(Nothing); none {
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

// Nothing is the value of a call without a value.
type Nothing struct{}

func deref[V any](v *V) any {
	if v == nil {
		return nil
	}
	return *v
}
