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
	// maxParked is how many calls of a task may wait to be resumed; the oldest is dropped for a new one.
	maxParked = 64
	// parkedLimit is how long a call may wait to be resumed before it is dropped.
	parkedLimit = 10 * time.Minute
)

// Resume waits for the result of a call that ended with a [*fault.BlockedError] or a [*fault.DeliveredError], by its CallID. Nothing is
// sent again: the call has gone on since the dialog was answered, or since the page was busy, with what was left of its time. When the next dialog blocks it, Resume returns
// a new [*fault.BlockedError] with the same CallID; when ctx ends first, the call goes on and can still be resumed. Other errors
// are those of the call, and [fault.ErrUnknownCall].
func (t *Task) Resume(ctx context.Context, callID string) (any, error) {
	op, err := t.waiting(callID)
	if err != nil {
		return nil, err
	}
	return op.wait(ctx, false)
}

// waiting finds a call that waits to be resumed.
func (t *Task) waiting(callID string) (*Operation, error) {
	if t.closed.Load() {
		return nil, fault.ErrClosed
	}
	op := t.operations.find(callID)
	if op == nil && t.former.Call >= NumberAfter("c-", callID) && NumberAfter("c-", callID) > 0 {
		return nil, fmt.Errorf("%w %q: its result is lost, as %s", fault.ErrUnknownCall, callID, t.former.Why())
	}
	if n := NumberAfter("c-", callID); op == nil && (n < 1 || n > t.operations.count()) {
		return nil, fmt.Errorf("%w %q: no call has this id; a call that a dialog blocked, or that a page is busy with, says its own", fault.ErrUnknownCall, callID)
	}
	if op == nil {
		return nil, fmt.Errorf("%w %q: its result was taken, or it was dropped after %v or for newer ones", fault.ErrUnknownCall, callID, parkedLimit)
	}
	return op, nil
}

// Stop ends a call that waits to be resumed before its time is over: script that it runs in the page, or set off there, is
// terminated. [Task.Resume] says afterwards what came of it. Errors: [fault.ErrUnknownCall], a [*fault.BlockedError] where a dialog holds
// the call, as what is done then is the answer's, and the context's.
func (t *Task) Stop(ctx context.Context, callID string) error {
	op, err := t.waiting(callID)
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

// errStopped is why a call ended that [Task.Stop] ended.
var errStopped = errors.New("it was ended on request")

// Interrupted lists the ids of the calls that [Task.Resume] can be given, oldest first.
func (t *Task) Interrupted() []string {
	t.operations.mu.Lock()
	defer t.operations.mu.Unlock()
	list := make([]string, len(t.operations.parked))
	for i, op := range t.operations.parked {
		list[i] = op.callID
	}
	return list
}

// operations are those of a task: under way, or waiting to be resumed.
type operations struct {
	wait            sync.WaitGroup     // for the goroutines; added to under mu, and not after closed
	terminating     context.Context    // of the ending of scripts
	stopTerminating context.CancelFunc // ends that

	mu     sync.Mutex
	closed error
	active map[*Operation]bool
	parked []*Operation // oldest first
	timers map[*Operation]*time.Timer
	last   int // number of a parked call
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

// leave is told of the end of an operation's goroutine.
func (o *operations) leave(op *Operation) {
	o.mu.Lock()
	delete(o.active, op)
	o.mu.Unlock()
	o.wait.Done()
}

// park keeps an operation whose caller leaves, and gives the id to resume it by.
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

// count is the highest number of a parked call.
func (o *operations) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.last
}

// drop gives up a parked operation. Its script is left alone: nobody said that it should end.
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

// under are the operations under way of which something is true.
func (o *operations) under(is func(*Operation) bool) (list []*Operation) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for op := range o.active {
		if is(op) {
			list = append(list, op)
		}
	}
	return list
}

// take gives the result of a finished operation, once.
func (o *operations) take(op *Operation, first bool) (any, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !first && !slices.Contains(o.parked, op) {
		return nil, fmt.Errorf("%w %q: its result was taken", fault.ErrUnknownCall, op.callID)
	}
	o.drop(op)
	return op.result, op.err
}

// end stops everything that is under way, and waits for it. With the context ends the ending of scripts.
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
