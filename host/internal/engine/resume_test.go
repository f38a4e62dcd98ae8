package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

func TestACallThatIsNotResumedIsDroppedAndItsScriptLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &operations{}
		op := &Operation{changed: make(chan struct{})}
		op.ctx, op.cancel = context.WithCancelCause(t.Context())
		if err := o.begin(op); err != nil {
			t.Fatal(err)
		}
		defer o.wait.Done()
		id := o.park(op)
		if again := o.park(op); id == "" || again != id {
			t.Errorf("parked as %q and as %q", id, again)
		}
		pass(parkedLimit - time.Nanosecond)
		synctest.Wait()
		if o.find(id) != op {
			t.Error("it was dropped too early")
		}
		pass(time.Nanosecond)
		synctest.Wait()
		if o.find(id) != nil {
			t.Error("it was not dropped")
		}
		if cause := op.Cause(); !cause.Keep || !errors.Is(cause, fault.ErrAborted) {
			t.Errorf("it ended with %+v", cause)
		}
	})
}

func TestABlockedOperationSpendsNoBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		op := &Operation{changed: make(chan struct{}), closing: make(chan struct{}), budget: time.Minute}
		op.ctx, op.cancel = context.WithCancelCause(t.Context())
		op.startClock()
		pass(40 * time.Second)
		op.block(&view.BlockedError{})
		pass(time.Hour)
		op.block(&view.BlockedError{}) // by one more dialog
		op.unblock()
		pass(20*time.Second - slowAnswer - time.Nanosecond)
		synctest.Wait()
		select {
		case <-op.closing:
			t.Fatal("it is about to end too early")
		default:
		}
		pass(time.Nanosecond)
		<-op.closing
		op.block(&view.BlockedError{})
		pass(time.Hour)
		op.unblock()
		pass(slowAnswer - time.Nanosecond)
		synctest.Wait()
		if op.ctx.Err() != nil {
			t.Fatal("it ended too early")
		}
		pass(time.Nanosecond)
		synctest.Wait()
		if cause := op.Cause(); !errors.Is(cause, fault.ErrTimeout) {
			t.Errorf("it ended with %+v", cause)
		}
	})
}

// pass lets time pass on the clock of the bubble.
func pass(d time.Duration) {
	time.Sleep(d) //nolint:forbidigo // no real time passes
}
