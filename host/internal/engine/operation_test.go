package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// newStuckTask returns a task in a browser whose pages never answer and cannot be freed.
func newStuckTask(t *testing.T) *Task {
	t.Helper()
	l := &Link{group: &Group{options: Options{ActionWait: 3 * time.Second}}, connection: newConnState(), inbox: newInbox(), done: make(chan struct{})}
	l.connection.setUp(stuckBrowser(t))
	return NewTask("task", l, nobody{})
}

// freeing is work that runs out of time and then fails to free a page. It sends the time at which it gave up.
func freeing(over chan<- time.Time) func(*Operation) (any, error) {
	return func(op *Operation) (any, error) {
		<-op.ctx.Done()
		out := *op.Cause()
		out.Terminated = op.task.Link.terminateAll(op.task.operations.terminating, []target.SessionID{"a", "b"}, pageFence)
		over <- time.Now()
		return nil, &out
	}
}

func within(t *testing.T, limit time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	return ctx
}

func TestACallReturnsAtItsBudgetAndFreesItsPageAfterwards(t *testing.T) {
	for name, budget := range map[string]time.Duration{"a long one": time.Minute, "a short one": 100 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				task := newStuckTask(t)
				begun, over := time.Now(), make(chan time.Time, 1)
				_, err := task.Operate(within(t, budget), func(op *Operation) (any, error) {
					op.noteSent(&Call{})
					return freeing(over)(op)
				})
				var stopped *fault.StoppedError
				if !errors.As(err, &stopped) || !errors.Is(err, fault.ErrTimeout) || !stopped.Sent || !stopped.Ending || stopped.Terminated || stopped.Limit != budget {
					t.Errorf("the call: %+v", err)
				}
				if took := time.Since(begun); took != budget {
					t.Errorf("a call of %v took %v", budget, took)
				}
				end := (<-over).Sub(begun)
				if end <= budget || end > budget+terminateTimeout {
					t.Errorf("the freeing ended after %v", end)
				}
				synctest.Wait()
				if left := task.operations.activeWhere(func(*Operation) bool { return true }); len(left) != 0 {
					t.Error("the operation is still kept")
				}
			})
		})
	}
}

func TestACancelledCallDoesNotWaitForAPageThatCannotBeFreed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		task := newStuckTask(t)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		begun, over := time.Now(), make(chan time.Time, 1)
		_, err := task.Operate(ctx, freeing(over))
		if took := time.Since(begun); took != time.Second+endReserve || !errors.Is(err, fault.ErrAborted) {
			t.Errorf("the call took %v: %v", took, err)
		}
		<-over
	})
}

// The reserve of the budget leaves the work time to say what happened.
func TestACallThatEndsInTimeReturnsItsOwnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		task := newStuckTask(t)
		begun := time.Now()
		want := errors.New("its own error")
		_, err := task.Operate(within(t, 10*time.Second), func(op *Operation) (any, error) {
			<-op.ctx.Done()
			pass(endReserve - time.Nanosecond)
			return nil, want
		})
		if took := time.Since(begun); took >= 10*time.Second || !errors.Is(err, want) {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

func TestTheEndOfATaskStopsFreeingItsPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		task := newStuckTask(t)
		over := make(chan time.Time, 1)
		if _, err := task.Operate(within(t, time.Second), freeing(over)); !errors.Is(err, fault.ErrTimeout) {
			t.Error(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		begun := time.Now()
		task.operations.end(ctx, fault.ErrClosed)
		if end := <-over; end.Sub(begun) != time.Millisecond {
			t.Errorf("the freeing went on for %v", end.Sub(begun))
		}
	})
}

// keepsBusy is work whose input keeps the page busy; it is sent after a while.
func keepsBusy(after time.Duration) func(*Operation) (any, error) {
	return func(op *Operation) (any, error) {
		op.Expect("click", "tab", func() bool { return false })
		pass(after)
		op.threads.note(supervise.ScriptTarget{Session: "a"})
		op.noteSent(&Call{Call: schedule.Call{Input: true}, sentAt: time.Now()})
		defer op.trackReply()()
		<-op.ctx.Done()
		return nil, op.Cause()
	}
}

func TestAnActionThatKeepsItsPageBusyReturnsAfterThreeSeconds(t *testing.T) {
	for _, after := range []time.Duration{0, 100 * time.Millisecond, time.Second, time.Minute} {
		t.Run(after.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				task := newStuckTask(t)
				begun := time.Now()
				_, err := task.Operate(within(t, time.Hour), keepsBusy(after))
				var delivered *fault.DeliveredError
				if !errors.As(err, &delivered) || delivered.Busy != 3*time.Second || time.Since(begun) != after+3*time.Second {
					t.Fatalf("after %v: %v", time.Since(begun), err)
				}
				if err := task.Stop(t.Context(), delivered.CallID); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A check that is under way when the time is over does not delay the answer.
func TestAnActionWhoseBudgetIsCloseToTheActionWaitReturnsAtItsBudget(t *testing.T) {
	for _, budget := range []time.Duration{2600 * time.Millisecond, 2800 * time.Millisecond, 3 * time.Second, 3200 * time.Millisecond} {
		t.Run(budget.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				task := newStuckTask(t)
				begun := time.Now()
				if _, err := task.Operate(within(t, budget), keepsBusy(0)); !errors.Is(err, fault.ErrTimeout) && !errors.Is(err, fault.ErrDelivered) {
					t.Error(err)
				}
				if took := time.Since(begun); took > budget {
					t.Errorf("it took %v", took)
				}
				for _, id := range task.Interrupted() {
					_ = task.Stop(t.Context(), id) // so that no goroutine is left
				}
			})
		})
	}
}

// nobody is an observer that ignores everything.
type nobody struct{}

func (nobody) Publish(view.Event) {}
func (nobody) Close()             {}

func TestTheCauseOfAnOperationSaysWhetherInputWasSent(t *testing.T) {
	for _, begun := range []bool{false, true} {
		op := &Operation{limit: time.Second, changed: make(chan struct{})}
		op.ctx, op.cancel = context.WithCancelCause(t.Context())
		op.threads.sent = begun
		op.end(fault.Stopped(context.DeadlineExceeded, context.DeadlineExceeded))
		if cause := op.Cause(); cause.Sent != begun || cause.Limit != time.Second {
			t.Errorf("begun %v: %+v", begun, cause)
		}
	}
}
