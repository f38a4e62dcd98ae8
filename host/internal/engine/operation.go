package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/span"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

const (
	// terminateTimeout bounds the wait for the end of a terminated script; terminateAttempts is how often a thread that
	// does not answer in an equal part of it is freed.
	terminateTimeout, terminateAttempts = 5 * time.Second, 10
	// endReserve is the part of a budget that is reserved for terminating a script; a tenth of the budget if that is less.
	// The caller gets its answer when the reserve is used up, and what takes longer to end is ended after that.
	endReserve = 250 * time.Millisecond
	// startTimeout is how long the main thread may take to start a script. Before that, another script may still be
	// running there.
	startTimeout = 100 * time.Millisecond
	// documentTimeout bounds the wait for the document of a frame that is being replaced or is moving to another process.
	documentTimeout = 2 * time.Second
)

// Operation is a request to a page that takes several commands, such as an evaluation or a click. It runs in a
// goroutine of its own, so that it can continue after its caller was told about a dialog and left.
type Operation struct {
	id     schedule.OpID
	task   *Task
	ctx    context.Context // ends with the budget, or when the caller or the task ends it; the cause is a *StoppedError
	cancel context.CancelCauseFunc

	within context.Context // bounds the wait for each reply; nil: only ctx does

	threads inputThreads

	mu       sync.Mutex
	delivery delivery
	callID   string             // set once its caller has left
	limit    time.Duration      // the whole budget; negative: none was set
	ending   time.Duration      // the part of it that is reserved for ending the work
	budget   time.Duration      // what is left of the rest while the clock is stopped; negative: none was set
	since    time.Time          // when the clock was started
	clock    *time.Timer        // nil while it is stopped
	closing  chan struct{}      // closed when only slowAnswer of the budget is left
	blocked  *view.BlockedError // names the dialogs that hold the tab
	ran      bool               // input, or script that is not the host's own, was sent
	late     bool               // it was ended, and the reserve is used up
	finished bool
	result   any
	err      error
	changed  chan struct{} // closed and replaced on each change
	over     chan struct{} // closed once it is finished
}

// Operate runs work as an operation, and waits until it ends or a dialog blocks it.
func (t *Task) Operate(ctx context.Context, work func(*Operation) (any, error)) (any, error) {
	op := &Operation{id: schedule.OpID(t.Link.ids.Add(1)), task: t, budget: -1, changed: make(chan struct{}), closing: make(chan struct{}), over: make(chan struct{})}
	if deadline, ok := ctx.Deadline(); ok {
		op.budget = max(time.Until(deadline), 0)
	}
	op.limit, op.ending = op.budget, endReserve
	if op.limit >= 0 {
		op.ending = min(endReserve, op.limit/10)
		op.budget -= op.ending
	}
	if ctx.Err() != nil {
		return nil, fault.Stopped(context.Cause(ctx), ctx.Err())
	}
	t.touched.Add(1)
	op.ctx, op.cancel = context.WithCancelCause(span.Alone(ctx))
	if err := t.operations.begin(op); err != nil {
		return nil, err
	}
	op.startClock()
	go func() {
		defer t.operations.leave(op)
		op.finish(work(op))
	}()
	return op.wait(ctx, true)
}

// wait returns the result, or the error that names the dialogs which block it. The first caller also ends the operation
// when its context ends.
func (op *Operation) wait(ctx context.Context, first bool) (any, error) {
	ended := ctx.Done()
	for {
		op.mu.Lock()
		finished, late, blocked, changed := op.finished, op.late, op.blocked, op.changed
		op.mu.Unlock()
		switch {
		case finished:
			return op.task.operations.take(op, first)
		case late && first:
			return nil, op.leaveLate()
		case blocked != nil:
			out := *blocked
			out.CallID = op.task.operations.park(op)
			return nil, &out
		}
		var check <-chan time.Time // when to check whether the page is busy with the delivered input
		if limit := op.task.Link.group.options.ActionWait; first && limit > 0 && op.ctx.Err() == nil {
			in := op.busyCheckIn(limit)
			if in == 0 && op.ctx.Err() == nil {
				return nil, op.leaveBusy()
			}
			check = time.After(in)
		}
		select {
		case <-changed:
		case <-check:
		case <-ended:
			if !first {
				out := fault.Stopped(context.Cause(ctx), ctx.Err())
				out.Sent = true // the parked call had sent it; it continues
				return nil, out
			}
			ended = nil // late follows soon
			op.end(fault.Stopped(context.Cause(ctx), ctx.Err()))
		}
	}
}

// Context returns the context of the operation. It ends with the budget, or when the caller or the task ends it; its
// cause is then a [*fault.StoppedError].
func (op *Operation) Context() context.Context { return op.ctx }

// Task returns the task that the operation belongs to.
func (op *Operation) Task() *Task { return op.task }

func (op *Operation) change(f func()) {
	op.mu.Lock()
	defer op.mu.Unlock()
	f()
	close(op.changed)
	op.changed = make(chan struct{})
}

func (op *Operation) finish(result any, err error) {
	op.task.Link.inbox.put(operationOver{op.id})
	op.stopClock()
	op.cancel(nil)
	op.task.touched.Add(1)
	op.change(func() { op.finished, op.blocked, op.result, op.err = true, nil, result, err })
	close(op.over)
}

// startClock starts to spend the budget, and tells when it is nearly spent; stopClock keeps what is left of it.
func (op *Operation) startClock() {
	op.mu.Lock()
	defer op.mu.Unlock()
	if op.budget < 0 || op.clock != nil || op.finished {
		return
	}
	op.since = time.Now()
	end := func() { op.end(fault.Stopped(context.DeadlineExceeded, context.DeadlineExceeded)) }
	early := op.budget - slowAnswer
	if early <= 0 {
		op.clock = time.AfterFunc(op.budget, end)
		return
	}
	var clock *time.Timer
	clock = time.AfterFunc(early, func() {
		op.mu.Lock()
		defer op.mu.Unlock()
		if op.clock == clock {
			close(op.closing)
			op.clock = time.AfterFunc(slowAnswer, end)
		}
	})
	op.clock = clock
}

// end ends the operation before its work is done. Work that waits for an effect of its input, not for the reply of a
// command, then returns this cause as its error.
func (op *Operation) end(cause *fault.StoppedError) {
	if op.ctx.Err() != nil {
		return
	}
	cause.Sent = op.threads.inputSent()
	if errors.Is(cause.Code, fault.ErrTimeout) {
		cause.Limit = max(op.limit, 0)
	}
	op.cancel(cause)
	time.AfterFunc(op.ending, func() { op.change(func() { op.late = true }) })
}

// leaveLate is the error for a caller that no longer waits for the end of the operation. The operation continues: it
// keeps its turn until what it ran or set off has ended, or terminating that has failed.
func (op *Operation) leaveLate() error {
	out := *op.Cause()
	op.mu.Lock()
	defer op.mu.Unlock()
	out.Sent, out.Ending = op.ran, op.ran && !out.Keep
	return &out
}

func (op *Operation) stopClock() {
	op.mu.Lock()
	defer op.mu.Unlock()
	if op.clock != nil {
		op.clock.Stop()
		op.clock, op.budget = nil, max(op.budget-time.Since(op.since), 0)
	}
}

// block tells the caller that dialogs hold the tab. Meanwhile the budget is not spent.
func (op *Operation) block(by *view.BlockedError) {
	op.stopClock()
	op.change(func() {
		if !op.finished {
			op.blocked = by
		}
	})
}

func (op *Operation) unblock() {
	op.startClock()
	op.change(func() { op.blocked = nil })
}

func (op *Operation) isBlocked() bool {
	op.mu.Lock()
	defer op.mu.Unlock()
	return op.blocked != nil
}

// operationOver is put into the inbox by an operation whose work is done.
type operationOver struct{ op schedule.OpID }

// Do sends a command of the operation and waits for its reply. If the operation ends first, the script that the command
// runs is terminated.
func (op *Operation) Do(c *Call, result any) error { return op.DoWithin(op.waiting(), c, result) }

// Within runs a part of the operation whose commands wait for their replies only until a context ends, which is derived
// from the operation's.
func (op *Operation) Within(ctx context.Context, part func() error) error {
	op.within = ctx
	defer func() { op.within = nil }()
	return part()
}

// waiting bounds the wait for a reply.
func (op *Operation) waiting() context.Context {
	if op.within != nil {
		return op.within
	}
	return op.ctx
}

// DoWithin is like [Operation.Do], but stops waiting for the reply when ctx ends, which may be before the operation
// does.
func (op *Operation) DoWithin(ctx context.Context, c *Call, result any) (err error) {
	ctx, s := span.Begin(ctx, c.Method)
	defer func() { s.End(err) }()
	l := op.task.Link
	defer op.trackReply()()
	op.put(c)
	for closing := op.closingFor(c); ; {
		select {
		case r := <-c.reply:
			return c.decodeResult(r, result)
		case <-closing:
			closing = nil
			c.silent = op.askThread(c)
		case <-ctx.Done():
			if op.ctx.Err() == nil {
				l.inbox.put(abandon{c.ID})
				return context.Cause(ctx)
			}
			err := op.stop(c)
			l.inbox.put(abandon{c.ID})
			return err
		case <-l.done:
			return fault.ErrClosed
		}
	}
}

// put puts a call of the operation into the inbox.
func (op *Operation) put(c *Call) {
	op.task.Link.prepare(c, op.task.id)
	c.op, c.Op, c.AfterAct = op, op.id, op.threads.inputSent()
	if c.At != nil {
		at := *c.At // the caller may change its own
		c.At = &at
	}
	op.task.Link.inbox.put(c)
}

// find is put into the inbox by an operation that looks for a frame.
type find struct {
	schedule.Find
	reply chan located
}

// stopFinding is put into the inbox by an operation that stops waiting for one.
type stopFinding struct{ search schedule.SearchID }

type located struct {
	place supervise.ScriptTarget
	err   error
}

// found answers a search.
func (l *Link) found(e schedule.Found) {
	reply := l.searches[e.Search]
	delete(l.searches, e.Search)
	if reply != nil {
		reply <- located{e.Place, l.searchError(e)}
	}
}

func (l *Link) searchError(e schedule.Found) error {
	switch e.How {
	case supervise.LocateNoTab:
		return fmt.Errorf("%w: the task has no tab: a navigation opens one", fault.ErrTargetGone)
	case supervise.LocateNoTarget:
		return fmt.Errorf("%w: %s is not a target of the task", fault.ErrUnknownTarget, e.Where.Target)
	case supervise.LocateNoFrame:
		return fmt.Errorf("%w: %s; take frame ids from a new snapshot", fault.ErrUnknownFrame, e.Where.Frame)
	case supervise.LocateFiltered:
		return fmt.Errorf("%w: %s is a frame of %s", fault.ErrFrameFiltered, e.Where.Frame, pagetext.Line(e.Place.Refused))
	case supervise.LocateUnsupported:
		return fmt.Errorf("%w: a worker has no isolated world", fault.ErrUnknownFrame)
	}
	if e.Gone != "" {
		return l.GoneError(e.Gone)
	}
	return nil
}

// Locate finds a frame, tab or worker. It waits a moment for a frame whose document is being replaced.
func (op *Operation) Locate(w supervise.FrameSelector) (supervise.ScriptTarget, error) {
	return op.LocateWithin(op.ctx, w)
}

// LocateWithin is like [Operation.Locate], but stops waiting when the given context ends.
func (op *Operation) LocateWithin(within context.Context, w supervise.FrameSelector) (supervise.ScriptTarget, error) {
	ctx, cancel := context.WithTimeout(within, documentTimeout)
	defer cancel()
	l := op.task.Link
	it := find{schedule.Find{Search: schedule.SearchID(l.ids.Add(1)), Task: op.task.id, Where: w}, make(chan located, 1)}
	l.inbox.put(it)
	select {
	case r := <-it.reply:
		return r.place, r.err
	case <-ctx.Done():
		l.inbox.put(stopFinding{it.Search})
		if op.ctx.Err() != nil {
			return supervise.ScriptTarget{}, op.Cause()
		}
		return supervise.ScriptTarget{}, fmt.Errorf("%w: %s is being navigated, and has had no document, or no verdict of the frame filter, for %v; try again", fault.ErrFrameGone, w.Frame, documentTimeout)
	case <-l.done:
		return supervise.ScriptTarget{}, fault.ErrClosed
	}
}
