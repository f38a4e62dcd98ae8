package fault

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestTheCodeOfAnErrorIsTheFirstInItsChain(t *testing.T) {
	for _, c := range []struct {
		err        error
		code, kind Code
	}{
		{nil, "", ""},
		{errors.New("another"), ErrFailed, ErrFailed},
		{ErrNoDialog, ErrNoDialog, ErrNoDialog},
		{fmt.Errorf("Domain.command: %w", ErrNotActionable), ErrNotActionable, ErrNotActionable},
		{&Error{Code: "of_an_embedder", Err: errors.New("its own")}, "of_an_embedder", "of_an_embedder"},
		{&Error{Code: ErrNoPage}, ErrNoPage, ErrNoPage},
		{context.DeadlineExceeded, ErrTimeout, ErrTimeout},
		{fmt.Errorf("it was ended: %w", context.Canceled), ErrAborted, ErrAborted},
		{errors.ErrUnsupported, ErrUnsupported, ErrUnsupported},
		{Stopped(context.DeadlineExceeded, context.DeadlineExceeded), ErrTimeout, ErrTimeout},
		{Stopped(ErrClosed, context.Canceled), ErrAborted, ErrAborted},
		{&DeliveredError{}, ErrDelivered, ErrDelivered},
		{&EvaluateError{}, ErrEvaluate, ErrEvaluate},
		{&ProtocolError{}, ErrProtocol, ErrProtocol},
		{&RefusedError{}, ErrRefused, ErrRefused},
		{&RefusedError{Code: ErrEvaluateDisabled}, ErrEvaluateDisabled, ErrEvaluateDisabled},
		{&RendererBusyError{Cause: context.DeadlineExceeded}, ErrRendererBusy, ErrRendererBusy},
		{fmt.Errorf("%w: %w", ErrFrameGone, &ProtocolError{}), ErrFrameGone, ErrSessionLost},
		{ErrTargetCrashed, ErrTargetCrashed, ErrSessionLost},
		{ErrTargetGone, ErrTargetGone, ErrSessionLost},
		{fmt.Errorf("%w: why", ErrDisconnected), ErrDisconnected, ErrTransport},
		{ErrBrowserGone, ErrBrowserGone, ErrTransport},
		{ErrTooLarge, ErrTooLarge, ErrTransport},
		{fmt.Errorf("%w: no port", ErrTask), ErrTask, ErrTask},
		{fmt.Errorf("%w: t: %w", ErrTask, ErrNoBrowser), ErrNoBrowser, ErrNoBrowser},
		{errors.Join(errors.New("first"), ErrNoDaemon, ErrTimeout), ErrNoDaemon, ErrNoDaemon},
	} {
		for _, err := range []error{c.err, Of("click", c.err)} {
			if code := CodeOf(err); code != c.code || code.Kind() != c.kind {
				t.Errorf("%v: %q of kind %q, want %q of kind %q", err, code, code.Kind(), c.code, c.kind)
			}
		}
	}
}

func TestAnErrorOfAnOperationMatchesItsCodeAndHasItsDetails(t *testing.T) {
	cause := fmt.Errorf("the click: %w", &DeliveredError{CallID: "c-1"})
	err := Of("launch", Of("click", cause))
	var of *Error
	var delivered *DeliveredError
	switch {
	case !errors.As(err, &of) || of.Op != "launch" || of.Code != ErrDelivered:
		t.Errorf("it is %#v", err)
	case !errors.Is(err, ErrDelivered) || !errors.As(err, &delivered) || delivered.CallID != "c-1":
		t.Errorf("%v has lost its cause", err)
	case err.Error() != cause.Error():
		t.Errorf("it says %q, want %q", err, cause)
	case !errors.Is(Of("click", context.DeadlineExceeded), ErrTimeout) || !errors.Is(Of("click", context.DeadlineExceeded), context.DeadlineExceeded):
		t.Error("the end of a context does not match")
	case Of("click", nil) != nil:
		t.Error("nothing has become an error")
	}
}

func TestACaseOfACodeMatchesIt(t *testing.T) {
	for _, c := range []struct {
		code, is Code
		want     bool
	}{
		{ErrBrowserGone, ErrDisconnected, true},
		{ErrBrowserGone, ErrTransport, true},
		{ErrAnswerUnconfirmed, ErrDisconnected, true},
		{ErrNavigationDenied, ErrNavigate, true},
		{ErrTargetCrashed, ErrSessionLost, true},
		{ErrDisconnected, ErrBrowserGone, false},
		{ErrNavigate, ErrNavigationDenied, false},
		{ErrTimeout, "", false},
		{"of_an_embedder", ErrFailed, false},
	} {
		if got := errors.Is(fmt.Errorf("wrapped: %w", c.code), c.is); got != c.want {
			t.Errorf("%q is %q: %v", string(c.code), string(c.is), got)
		}
	}
}

func TestACodeThatIsNotInTheListIsAFailure(t *testing.T) {
	if c := Code("of_an_embedder"); c.Error() != "of_an_embedder" || c.HTTPStatus() != 500 || c.ExitCode() != 1 {
		t.Errorf("%q has status %d and exit code %d", c.Error(), c.HTTPStatus(), c.ExitCode())
	}
}
