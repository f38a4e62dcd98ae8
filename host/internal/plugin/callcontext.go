package plugin

import (
	"context"
	"sync/atomic"
	"time"
)

// callContext is the context of the calls of one instance. It is made once per instance and armed for each call, so
// that a call with a deadline costs no allocation. Its done channel is closed at most once: an instance whose context
// fired is closed, so the channel is never needed again.
//
// A goroutine of wazero may still look at the context shortly after its call returned; so nothing it reads (the channel,
// and err, which is written before the channel closes) is changed by a later call.
type callContext struct {
	owner *instance
	done  chan struct{}
	err   error       // valid once done is closed
	fired atomic.Bool // the right to write err and close done

	timer       *time.Timer
	deadline    time.Time
	callerFirst bool // the caller's deadline is before the module's
	parent      context.Context
	stopParent  func() bool
}

func newCallContext(owner *instance) *callContext {
	return &callContext{owner: owner, done: make(chan struct{})}
}

// arm starts the clock of a call that ends after timeout or with the parent, whatever is first.
func (c *callContext) arm(parent context.Context, timeout time.Duration) {
	c.parent = parent
	c.deadline = time.Now().Add(timeout)
	d, ok := parent.Deadline()
	c.callerFirst = ok && d.Before(c.deadline)
	if c.timer == nil {
		c.timer = time.AfterFunc(timeout, c.expire)
	} else {
		c.timer.Reset(timeout)
	}
	c.stopParent = nil
	if parent.Done() != nil {
		c.stopParent = context.AfterFunc(parent, func() { c.fire(parent.Err()) })
	}
}

// disarm stops the clock. It reports whether the context fired or is about to: then the instance has to be closed, even
// if its guest returned in time.
func (c *callContext) disarm() (tainted bool) {
	tainted = !c.timer.Stop()
	if c.stopParent != nil && !c.stopParent() {
		tainted = true
	}
	c.parent = nil
	return tainted || c.fired.Load()
}

func (c *callContext) expire() { c.fire(context.DeadlineExceeded) }

func (c *callContext) fire(err error) {
	if c.fired.CompareAndSwap(false, true) {
		c.err = err
		close(c.done)
	}
}

// Deadline implements context.Context.
func (c *callContext) Deadline() (time.Time, bool) { return c.deadline, true }

// Done implements context.Context.
func (c *callContext) Done() <-chan struct{} { return c.done }

// Err implements context.Context.
func (c *callContext) Err() error {
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

type instanceKey struct{}

// Value implements context.Context. The caller's values are not passed on: wazero takes its experimental switches from
// the context, and those are this package's to set.
func (c *callContext) Value(key any) any {
	if key == (instanceKey{}) {
		return c.owner
	}
	return nil
}

// callingInstance returns the instance whose guest called the import.
func callingInstance(ctx context.Context) *instance {
	return ctx.Value(instanceKey{}).(*instance)
}
