package host

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"
)

func TestEvaluationsAreCounted(t *testing.T) {
	h := &Host{}
	h.evaluations.ended(3*time.Second, nil)
	h.evaluations.ended(time.Second, fmt.Errorf("Runtime.evaluate: %w", stopped(context.DeadlineExceeded, context.DeadlineExceeded)))
	h.evaluations.ended(time.Second, &RendererBusyError{cause: context.DeadlineExceeded})
	h.evaluations.ended(time.Second, &EvaluateError{})
	h.evaluations.ended(time.Second, &EvaluateError{})
	h.evaluations.terminated()
	h.evaluations.fallback(fallbackDocument)
	c := h.evaluateCounters()
	if c.Calls != 5 || c.Timeouts != 1 || c.Terminations != 1 || c.TotalNS != int64(7*time.Second) || c.MaxNS != int64(3*time.Second) ||
		!maps.Equal(c.Errors, map[string]uint64{KindTimeout: 1, KindRendererBusy: 1, KindException: 2}) ||
		!maps.Equal(c.Fallbacks, map[string]uint64{fallbackDocument: 1}) {
		t.Errorf("the counters are %+v", c)
	}
	h.evaluations.ended(0, &EvaluateError{})
	if c.Errors[KindException] != 2 {
		t.Error("the copy changes with the counters")
	}
}

func TestEveryErrorHasAKind(t *testing.T) {
	for _, tc := range []struct {
		err  error
		kind string
	}{
		{nil, ""},
		{&EvaluateError{}, KindException},
		{&ProtocolError{}, KindProtocol},
		{fmt.Errorf("%w: why", ErrDisconnected), KindTransport},
		{ErrTooLarge, KindTransport},
		{stopped(context.DeadlineExceeded, context.DeadlineExceeded), KindTimeout},
		{stopped(errors.New("a cause"), context.Canceled), KindAborted},
		{ErrClosed, KindAborted},
		{&BlockedError{}, KindBlocked},
		{ErrTargetCrashed, KindSessionLost},
		{ErrTargetGone, KindSessionLost},
		{fmt.Errorf("%w: %w", ErrFrameGone, &ProtocolError{}), KindSessionLost},
		{&NotSerialisableError{}, KindNotSerialisable},
		{&RendererBusyError{cause: context.DeadlineExceeded}, KindRendererBusy},
		{&RefusedError{}, KindRefused},
		{&RefusedError{code: ErrEvaluateDisabled}, KindRefused},
	} {
		if got := ErrorKind(tc.err); got != tc.kind {
			t.Errorf("%v: %q, want %q", tc.err, got, tc.kind)
		}
	}
}
