package host

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

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
		{fault.Stopped(context.DeadlineExceeded, context.DeadlineExceeded), KindTimeout},
		{fault.Stopped(errors.New("a cause"), context.Canceled), KindAborted},
		{ErrClosed, KindAborted},
		{&BlockedError{}, KindBlocked},
		{ErrTargetCrashed, KindSessionLost},
		{ErrTargetGone, KindSessionLost},
		{fmt.Errorf("%w: %w", ErrFrameGone, &ProtocolError{}), KindSessionLost},
		{&NotSerialisableError{}, KindNotSerialisable},
		{&RendererBusyError{Cause: context.DeadlineExceeded}, KindRendererBusy},
		{&RefusedError{}, KindRefused},
		{&RefusedError{Code: ErrEvaluateDisabled}, KindRefused},
	} {
		if got := ErrorKind(tc.err); got != tc.kind {
			t.Errorf("%v: %q, want %q", tc.err, got, tc.kind)
		}
	}
}
