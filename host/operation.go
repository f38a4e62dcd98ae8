package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

const (
	// terminateTimeout bounds the wait for the end of a script that was terminated.
	terminateTimeout = 2 * time.Second
	// startTimeout is how long a script may wait for the main thread to begin it. Before, what runs there may be another.
	startTimeout = 100 * time.Millisecond
	// documentTimeout bounds the wait for the document of a frame that is being replaced or moves to another process.
	documentTimeout = 2 * time.Second
)

// operation is an Evaluate or a CDP under way. It goes from command to command in a goroutine of its own, so that it can
// go on when its caller was told of a dialog and left.
type operation struct {
	task   *Task
	ctx    context.Context // ends with the budget, and at the word of the caller or the task; the cause is a *StoppedError
	cancel context.CancelCauseFunc

	begun  bool            // owned by the link: something that may have an effect was sent
	turnAt supervise.Place // likewise: where it has the turn

	mu       sync.Mutex
	id       string        // once its caller has left
	budget   time.Duration // what is left of it while the clock stands; negative: none was set
	since    time.Time     // when the clock was started
	clock    *time.Timer   // nil while it stands
	blocked  *BlockedError // by the dialogs that hold the tab
	finished bool
	result   Resumed
	err      error
	changed  chan struct{} // closed and replaced with each change
}

// operate runs work as an operation and waits for its end, or until a dialog blocks it.
func (t *Task) operate(ctx context.Context, timeout time.Duration, work func(*operation) (Resumed, error)) (Resumed, error) {
	op := &operation{task: t, budget: -1, changed: make(chan struct{})}
	if deadline, ok := ctx.Deadline(); ok {
		op.budget = max(time.Until(deadline), 0)
	}
	if timeout > 0 && (op.budget < 0 || timeout < op.budget) {
		op.budget = timeout
	}
	if ctx.Err() != nil {
		return Resumed{}, stopped(context.Cause(ctx), ctx.Err())
	}
	op.ctx, op.cancel = context.WithCancelCause(context.Background())
	if err := t.operations.begin(op); err != nil {
		return Resumed{}, err
	}
	op.startClock()
	go func() {
		defer t.operations.wait.Done()
		op.finish(work(op))
	}()
	return op.wait(ctx, true)
}

// wait returns the result, or who blocks it. The first caller takes the operation along when its context ends.
func (op *operation) wait(ctx context.Context, first bool) (Resumed, error) {
	ended := ctx.Done()
	for {
		op.mu.Lock()
		finished, blocked, changed := op.finished, op.blocked, op.changed
		op.mu.Unlock()
		switch {
		case finished:
			return op.task.operations.take(op, first)
		case blocked != nil:
			out := *blocked
			out.CallID = op.task.operations.park(op)
			return Resumed{}, &out
		}
		select {
		case <-changed:
		case <-ended:
			if !first {
				return Resumed{}, stopped(context.Cause(ctx), ctx.Err())
			}
			ended = nil // it ends in a bounded time
			op.cancel(stopped(context.Cause(ctx), ctx.Err()))
		}
	}
}

func (op *operation) change(f func()) {
	op.mu.Lock()
	defer op.mu.Unlock()
	f()
	close(op.changed)
	op.changed = make(chan struct{})
}

func (op *operation) finish(result Resumed, err error) {
	op.task.link.inbox.put(endTurn{op})
	op.stopClock()
	op.cancel(nil)
	op.change(func() { op.finished, op.blocked, op.result, op.err = true, nil, result, err })
}

// startClock lets the budget run; stopClock keeps what is left of it.
func (op *operation) startClock() {
	op.mu.Lock()
	defer op.mu.Unlock()
	if op.budget < 0 || op.clock != nil || op.finished {
		return
	}
	op.since = time.Now()
	op.clock = time.AfterFunc(op.budget, func() { op.cancel(stopped(context.DeadlineExceeded, context.DeadlineExceeded)) })
}

func (op *operation) stopClock() {
	op.mu.Lock()
	defer op.mu.Unlock()
	if op.clock != nil {
		op.clock.Stop()
		op.clock, op.budget = nil, max(op.budget-time.Since(op.since), 0)
	}
}

// block tells who waits that dialogs hold the tab. The budget is not spent meanwhile.
func (op *operation) block(by *BlockedError) {
	op.stopClock()
	op.change(func() {
		if !op.finished {
			op.blocked = by
		}
	})
}

func (op *operation) unblock() {
	op.startClock()
	op.change(func() { op.blocked = nil })
}

func (op *operation) isBlocked() bool {
	op.mu.Lock()
	defer op.mu.Unlock()
	return op.blocked != nil
}

// patient tells whether a call waits for the end of the dialog that blocks it.
func (c *call) patient() bool { return c.op != nil && c.op.begun }

// block is called by the link.
func (l *link) block(c *call, by *BlockedError) {
	c.op.block(by)
	l.blocked = append(l.blocked, c)
}

// unblock lets operations go on that no dialog blocks any more.
func (l *link) unblock() {
	blocked := l.blocked
	l.blocked = nil
	for _, c := range blocked {
		switch {
		case c.abandoned:
		case l.blocking(c.task, c.page) == nil:
			c.op.unblock()
		default:
			l.blocked = append(l.blocked, c)
		}
	}
}

// do sends a command of the operation and waits for its reply. When the operation ends before, script that the command
// runs is terminated.
func (op *operation) do(c *call, result any) error { return op.doWithin(op.ctx, c, result) }

// doWithin is do with a bound that ends sooner than the operation: nobody waits for the reply any more when it does.
func (op *operation) doWithin(ctx context.Context, c *call, result any) error {
	c.op, c.task, c.reply = op, op.task.id, make(chan callReply, 1)
	l := op.task.link
	l.inbox.put(c)
	select {
	case r := <-c.reply:
		if r.err != nil {
			return fmt.Errorf("%s: %w", c.method, callError(r.err))
		}
		if result != nil {
			return unmarshal(r.result, result)
		}
		return nil
	case <-ctx.Done():
		if op.ctx.Err() == nil {
			l.inbox.put(abandon{c})
			return fmt.Errorf("%s: %w", c.method, context.Cause(ctx))
		}
		err := op.stop(c)
		l.inbox.put(abandon{c})
		return fmt.Errorf("%s: %w", c.method, err)
	case <-l.done:
		return fmt.Errorf("%s: %w", c.method, ErrClosed)
	}
}

// stop ends the script of a call in flight, and only that: nothing is sent unless it may still run.
func (op *operation) stop(c *call) error {
	out := *op.cause()
	out.Sent = c.begins
	if !c.begins || out.keep || op.isBlocked() {
		return &out
	}
	session := op.running(c)
	if session == "" {
		return &out
	}
	l := op.task.link
	ctx, cancel := context.WithTimeout(context.Background(), terminateTimeout)
	defer cancel()
	if l.conn.Call(ctx, string(session), runtime.CommandTerminateExecution, nil, nil) != nil {
		return &out
	}
	l.host.evaluations.terminated()
	// A function that was ended in the middle of its await has a promise that nobody settles: its call gets no reply. So it
	// is the main thread that is asked.
	out.Terminated = l.conn.Call(ctx, string(session), fenceMethod, nil, nil) == nil
	return &out
}

// running gives the session of a call whose script still runs, after it had time to begin.
func (op *operation) running(c *call) target.SessionID {
	l := op.task.link
	for {
		find := findRunning{c, make(chan runningCall, 1)}
		l.inbox.put(find)
		var running runningCall
		select {
		case running = <-find.reply:
		case <-l.done:
		}
		wait := startTimeout - time.Since(running.since)
		if running.session == "" || wait <= 0 {
			return running.session
		}
		select {
		case <-time.After(wait):
		case r := <-c.reply:
			c.reply <- r
			return ""
		case <-l.done:
		}
	}
}

func (op *operation) cause() *StoppedError {
	var cause *StoppedError
	if errors.As(context.Cause(op.ctx), &cause) {
		return cause
	}
	return stopped(ErrClosed, context.Canceled)
}

// locate is put by an operation that wants to know where a frame is now.
type locate struct {
	ctx   context.Context // ends the wait for a frame that has no document yet
	task  string
	where supervise.Where
	reply chan located
}

type located struct {
	place supervise.Place
	err   error
}

// locate answers at once, or when the frame has got its document.
func (l *link) locate(it locate) {
	if it.ctx.Err() != nil {
		return
	}
	if reason := l.state.Lost(it.task); reason != "" {
		it.reply <- located{err: fmt.Errorf("%w: %s", ErrBrowserGone, reason)}
		return
	}
	if l.state.Down() != "" {
		l.locating = append(l.locating, it) // until the connection is back
		return
	}
	place, how := l.state.Locate(it.task, it.where)
	var err error
	switch how {
	case supervise.Located:
	case supervise.LocateNotYet:
		l.locating = append(l.locating, it)
		return
	case supervise.LocateNoTab:
		err = fmt.Errorf("%w: the task has no tab", ErrTargetGone)
	case supervise.LocateNoTarget:
		err = fmt.Errorf("%w: %s is not a target of the task", ErrUnknownTarget, it.where.Target)
	case supervise.LocateNoFrame:
		err = fmt.Errorf("%w: %s; take frame ids from a new snapshot", ErrUnknownFrame, it.where.Frame)
	case supervise.LocateUnsupported:
		err = fmt.Errorf("%w: a worker has no isolated world", ErrUnknownFrame)
	}
	it.reply <- located{place, err}
}

// locateAgain serves those who wait for a document.
func (l *link) locateAgain() {
	waiting := l.locating
	l.locating = nil
	for _, it := range waiting {
		l.locate(it)
	}
}

// locate finds a frame, tab or worker, and waits a moment for the document of a frame that is just changing it.
func (op *operation) locate(w supervise.Where) (supervise.Place, error) {
	return op.locateWithin(op.ctx, w)
}

// locateWithin is locate with a bound that ends sooner than the operation.
func (op *operation) locateWithin(within context.Context, w supervise.Where) (supervise.Place, error) {
	ctx, cancel := context.WithTimeout(within, documentTimeout)
	defer cancel()
	it := locate{ctx: ctx, task: op.task.id, where: w, reply: make(chan located, 1)}
	op.task.link.inbox.put(it)
	select {
	case r := <-it.reply:
		return r.place, r.err
	case <-ctx.Done():
		if op.ctx.Err() != nil {
			return supervise.Place{}, op.cause()
		}
		return supervise.Place{}, fmt.Errorf("%w: %s has had no document for %v, as it is being navigated; try again", ErrFrameGone, w.Frame, documentTimeout)
	case <-op.task.link.done:
		return supervise.Place{}, ErrClosed
	}
}

// takeTurn waits until the main thread of a place answers and no other operation runs script there. When the operation's
// time is over before, nothing has run.
func (op *operation) takeTurn(at *supervise.Place) error {
	return op.busy(at, op.do(&call{method: fenceMethod, at: at, turn: takesTurn}, nil))
}

// takeTurnWithin is takeTurn, but it waits no longer than a limit, where there is one, unless it is for a dialog.
func (op *operation) takeTurnWithin(at *supervise.Place, limit time.Duration) error {
	if limit <= 0 {
		return op.takeTurn(at)
	}
	ctx, cancel := context.WithTimeoutCause(op.ctx, limit, stopped(context.DeadlineExceeded, context.DeadlineExceeded))
	defer cancel()
	err := op.doWithin(ctx, &call{method: fenceMethod, at: at, turn: takesTurn}, nil)
	if err != nil && op.isBlocked() {
		return op.takeTurn(at)
	}
	return op.busy(at, err)
}

// busy says of a fence that was not answered in time what keeps the main thread busy.
func (op *operation) busy(at *supervise.Place, err error) error {
	var stop *StoppedError
	if !errors.As(err, &stop) || !errors.Is(stop.Code, ErrTimeout) {
		return err
	}
	find := findCulprit{op, op.task.id, *at, make(chan *RendererBusyError, 1)}
	op.task.link.inbox.put(find)
	select {
	case busy := <-find.reply:
		busy.cause = stop.Cause
		return busy
	case <-op.task.link.done:
		return err
	}
}
