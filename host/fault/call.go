package fault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// EvaluateError is an exception that an expression threw. It matches [ErrEvaluate].
type EvaluateError struct {
	// Exception is the page's own description, with the stack; untrusted text.
	Exception string
}

// Error returns the page's description.
func (e *EvaluateError) Error() string { return ErrEvaluate.Error() + ": " + e.Exception }

// Unwrap returns [ErrEvaluate].
func (e *EvaluateError) Unwrap() error { return ErrEvaluate }

// StoppedError says what remains of a call that ended before its result. It matches its Code and its Cause.
type StoppedError struct {
	// Code is [ErrTimeout] or [ErrAborted].
	Code Code
	// Cause is the cause of the context, or [ErrClosed].
	Cause error
	// Sent says that the command, or input before it, had been sent: its effects remain.
	Sent bool
	// Terminated says that its script was terminated, and that the page answers again.
	Terminated bool
	// Ending says that script which the call ran or set off may still be running, and is being terminated. The next call
	// to the page waits for that.
	Ending bool
	// Limit is the time limit of the call; zero if it is not known, or not what ended the call.
	Limit time.Duration
	// Handler says that the script was the page's, set off by the call, and not the call's own.
	Handler bool

	Keep bool // the script is not to be terminated
}

// Stopped makes the error of a context that ended.
func Stopped(cause, err error) *StoppedError {
	if errors.Is(err, context.DeadlineExceeded) {
		return &StoppedError{Code: ErrTimeout, Cause: cause}
	}
	return &StoppedError{Code: ErrAborted, Cause: cause}
}

// Error says what remains of the call.
func (e *StoppedError) Error() string {
	text := e.Code.Error() + ": " + e.why()
	switch {
	case e.Ending:
		return text + "; what it ran or set off in the page may still be running and is being terminated, what it did until then remains; the next call to the page waits for that"
	case e.Terminated && e.Handler:
		return text + "; the page's script that it set off did not end and was terminated, what it did until then remains"
	case e.Handler:
		return text + "; the page's script that it set off does not end and could not be terminated"
	case e.Terminated:
		return text + "; the script was terminated, what it did until then remains"
	case e.Sent:
		return text + "; the command had been sent, what it did or still does remains"
	}
	return text + "; nothing that changes the page had been sent"
}

// why says what ended the call.
func (e *StoppedError) why() string {
	switch {
	case e.Cause == context.Canceled: //nolint:errorlint // an error that wraps it has a text of its own
		return "it was canceled"
	case e.Cause != context.DeadlineExceeded: //nolint:errorlint // likewise
		return e.Cause.Error()
	case e.Limit > 0:
		return "its time limit (" + Seconds(e.Limit) + ") has passed"
	}
	return "its time limit has passed"
}

// Seconds formats a duration as a person would: 1.5 s.
func Seconds(d time.Duration) string {
	round := time.Millisecond
	if d >= time.Second {
		round *= 10
	}
	return strconv.FormatFloat(d.Round(round).Seconds(), 'f', -1, 64) + " s"
}

// Unwrap returns the code and the cause.
func (e *StoppedError) Unwrap() []error { return []error{e.Code, e.Cause} }

// ProtocolError is the browser's refusal of a command. It matches [ErrProtocol].
type ProtocolError struct {
	// Code is the JSON-RPC code; Chromium uses -32000 for most failures.
	Code int64
	// Message and Data are the browser's text.
	Message, Data string
}

// Error returns the browser's text and the code.
func (e *ProtocolError) Error() string {
	text := ErrProtocol.Error() + ": " + e.Message
	if e.Data != "" {
		text += ": " + e.Data
	}
	return fmt.Sprintf("%s (code %d)", text, e.Code)
}

// Unwrap returns [ErrProtocol].
func (e *ProtocolError) Unwrap() error { return ErrProtocol }

// RefusedError says why a raw command was not sent. It matches [ErrRefused], and [ErrEvaluateDisabled] if that is the
// reason.
type RefusedError struct {
	// Method is the command.
	Method string
	// Reason says why, and what to do instead.
	Reason string

	Code Code // replaces ErrRefused if set
}

// Error returns the reason.
func (e *RefusedError) Error() string {
	if e.Code != "" {
		return e.Method + " is refused: " + e.Reason + ", and " + e.Code.Error()
	}
	return e.Method + " is refused: " + e.Reason
}

// Unwrap returns the code.
func (e *RefusedError) Unwrap() error { return cmp.Or(e.Code, ErrRefused) }
