package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

const (
	// maxParked is how many parked calls a task may have; the oldest one is dropped for a new one.
	maxParked = 64
	// parkedLimit is how long a call may stay parked before it is dropped.
	parkedLimit = 10 * time.Minute
)

// Resume waits for the result of a call that ended with a [*view.BlockedError] or a [*fault.DeliveredError], by its
// CallID. Nothing is sent again: the call has continued in the meantime with what was left of its budget. If another
// dialog blocks it, Resume returns a new [*view.BlockedError] with the same CallID; if ctx ends first, the call
// continues and can still be resumed. Other errors are those of the call, and [fault.ErrUnknownCall].
func (t *Task) Resume(ctx context.Context, callID string) (any, error) {
	op, err := t.findParked(callID)
	if err != nil {
		return nil, err
	}
	return op.wait(ctx, false)
}

// findParked finds a parked call.
func (t *Task) findParked(callID string) (*Operation, error) {
	if t.closed.Load() {
		return nil, fault.ErrClosed
	}
	op := t.operations.find(callID)
	if op == nil && t.former.Call >= NumberAfter("c-", callID) && NumberAfter("c-", callID) > 0 {
		return nil, fmt.Errorf("%w %q: its result is lost, as %s", fault.ErrUnknownCall, callID, t.former.Why())
	}
	if n := NumberAfter("c-", callID); op == nil && (n < 1 || n > t.operations.count()) {
		return nil, fmt.Errorf("%w %q: no call has this id; the error of a call that a dialog blocked, or that keeps its page busy, names its id", fault.ErrUnknownCall, callID)
	}
	if op == nil {
		return nil, fmt.Errorf("%w %q: its result was taken, or the call was dropped after %v or for newer ones", fault.ErrUnknownCall, callID, parkedLimit)
	}
	return op, nil
}

// Stop ends a parked call before its time is over: script that it runs in the page, or set off there, is terminated.
// [Task.Resume] then returns the outcome. Its errors are [fault.ErrUnknownCall]; a [*view.BlockedError] if a dialog
// holds the call, as the answer then decides what happens; and the cause of ctx.
func (t *Task) Stop(ctx context.Context, callID string) error {
	op, err := t.findParked(callID)
	if err != nil {
		return err
	}
	for ended := false; ; {
		op.mu.Lock()
		finished, blocked, changed := op.finished, op.blocked, op.changed
		op.mu.Unlock()
		switch {
		case finished:
			return nil
		case blocked != nil && !ended:
			out := *blocked
			out.CallID = callID
			return &out
		case !ended:
			op.end(&fault.StoppedError{Code: fault.ErrAborted, Cause: errStopped})
			ended = true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fault.Stopped(context.Cause(ctx), ctx.Err())
		}
	}
}

// errStopped is the cause that [Task.Stop] ends a call with.
var errStopped = errors.New("it was ended on request")

// Interrupted lists the ids that [Task.Resume] accepts, oldest first.
func (t *Task) Interrupted() []string {
	t.operations.mu.Lock()
	defer t.operations.mu.Unlock()
	list := make([]string, len(t.operations.parked))
	for i, op := range t.operations.parked {
		list[i] = op.callID
	}
	return list
}

// operations holds the operations of a task that are under way or parked.
type operations struct {
	wait            sync.WaitGroup     // for the goroutines; added to under mu, and not once closed is set
	terminating     context.Context    // bounds the termination of scripts
	stopTerminating context.CancelFunc // ends terminating

	mu     sync.Mutex
	closed error // why the task ended; nil before
	active map[*Operation]bool
	left   time.Time    // when the last operation ended, or the task was made
	parked []*Operation // oldest first
	timers map[*Operation]*time.Timer
	last   int // the highest number of a parked call
}

func (o *operations) begin(op *Operation) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed != nil {
		return o.closed
	}
	if o.active == nil {
		o.active, o.timers = map[*Operation]bool{}, map[*Operation]*time.Timer{}
	}
	o.active[op] = true
	o.wait.Add(1)
	return nil
}

// leave removes an operation whose goroutine has ended.
func (o *operations) leave(op *Operation) {
	o.mu.Lock()
	delete(o.active, op)
	o.left = time.Now()
	o.mu.Unlock()
	o.wait.Done()
}

// idle is how long there has been no operation; 0 while there is one.
func (o *operations) idle() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.active) > 0 {
		return 0
	}
	return time.Since(o.left)
}

// park keeps an operation whose caller leaves, and returns the id to resume it by.
func (o *operations) park(op *Operation) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if op.callID != "" || o.closed != nil {
		return op.callID
	}
	if len(o.parked) == maxParked {
		o.drop(o.parked[0])
	}
	o.last++
	op.callID = "c-" + strconv.Itoa(o.last)
	o.parked = append(o.parked, op)
	o.timers[op] = time.AfterFunc(parkedLimit, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.drop(op)
	})
	return op.callID
}

// count returns the highest number of a parked call.
func (o *operations) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.last
}

// drop gives up a parked operation. Its script is left alone: nobody asked to end it.
func (o *operations) drop(op *Operation) {
	if i := slices.Index(o.parked, op); i >= 0 {
		o.parked = slices.Delete(o.parked, i, i+1)
		o.timers[op].Stop()
		delete(o.timers, op)
		op.end(&fault.StoppedError{Code: fault.ErrAborted, Cause: fault.ErrUnknownCall, Keep: true})
	}
}

func (o *operations) find(id string) *Operation {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, op := range o.parked {
		if op.callID == id {
			return op
		}
	}
	return nil
}

// activeWhere lists the operations under way that match.
func (o *operations) activeWhere(match func(*Operation) bool) (list []*Operation) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for op := range o.active {
		if match(op) {
			list = append(list, op)
		}
	}
	return list
}

// take returns the result of a finished operation, once.
func (o *operations) take(op *Operation, first bool) (any, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !first && !slices.Contains(o.parked, op) {
		return nil, fmt.Errorf("%w %q: its result was taken", fault.ErrUnknownCall, op.callID)
	}
	o.drop(op)
	return op.result, op.err
}

// end ends everything that is under way and waits for it. When ctx ends, scripts are no longer terminated.
func (o *operations) end(ctx context.Context, reason error) {
	o.mu.Lock()
	o.closed = reason
	for op := range o.active {
		op.end(&fault.StoppedError{Code: fault.ErrAborted, Cause: reason})
	}
	for _, timer := range o.timers {
		timer.Stop()
	}
	o.parked, o.active = nil, nil
	clear(o.timers)
	o.mu.Unlock()
	defer context.AfterFunc(ctx, o.stopTerminating)()
	o.wait.Wait()
}
