package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/coder/websocket"
)

var (
	// ErrConnectionLost matches, with errors.Is, every error caused by a lost or closed connection; the error itself is a
	// [*LostError].
	ErrConnectionLost = errors.New("connection to the browser lost")
	// ErrClosed is the cause inside a [*LostError] when [Conn.Close] ended the connection.
	ErrClosed = errors.New("closed by this side")
	// ErrTooLarge matches every [*TooLargeError].
	ErrTooLarge = errors.New("message too large")
	// ErrQueueFull matches every [*QueueFullError].
	ErrQueueFull = errors.New("write queue full")
)

// LostError says that the connection is gone. It never contains the browser's endpoint, which may include a secret.
type LostError struct {
	// Cause is what ended the connection: [ErrClosed], io.EOF, a WebSocket close status, or a system error.
	Cause error
}

// Error names the cause.
func (e *LostError) Error() string { return fmt.Sprintf("%v: %v", ErrConnectionLost, e.Cause) }

// Is makes errors.Is(err, ErrConnectionLost) true.
func (e *LostError) Is(target error) bool { return target == ErrConnectionLost }

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Cause }

// TooLargeError says that a reply was larger than [Options.ReadLimit]. The reply was discarded; the connection stays
// open.
type TooLargeError struct {
	Size  int64 // of the message, in bytes
	Limit int64 // in bytes
}

// Error names the size and the limit.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the reply has %d bytes, more than the read limit of %d bytes; request less at once or raise the limit", e.Size, e.Limit)
}

// Is makes errors.Is(err, ErrTooLarge) true.
func (e *TooLargeError) Is(target error) bool { return target == ErrTooLarge }

// QueueFullError says that the browser does not read what is sent to it. The command was not sent.
type QueueFullError struct {
	Queued int64 // bytes waiting to be written
	Limit  int64 // in bytes
}

// Error names the queue's size and limit.
func (e *QueueFullError) Error() string {
	return fmt.Sprintf("%d bytes are waiting to be written, the limit is %d: the browser does not read; close the connection or wait", e.Queued, e.Limit)
}

// Is makes errors.Is(err, ErrQueueFull) true.
func (e *QueueFullError) Is(target error) bool { return target == ErrQueueFull }

// CallError is the failure of one command, whatever the reason.
type CallError struct {
	// Method is the command that failed.
	Method string
	// SessionID is the session that it was sent on; empty for the browser's own session.
	SessionID string
	// Err is the reason: an [*Error] from the browser, a [*LostError], a [*TooLargeError], a [*QueueFullError], the cause
	// of the context, the argument of [Conn.FailSession], or an encoding error.
	Err error
}

// Error names the command and the reason.
func (e *CallError) Error() string { return e.Method + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *CallError) Unwrap() error { return e.Err }

// noReplyError says that a call ended before its reply. It matches the error of the context and its cause.
type noReplyError struct{ ctx context.Context }

func (e *noReplyError) Error() string {
	return fmt.Sprintf("no reply from the browser yet: %v", context.Cause(e.ctx))
}

func (e *noReplyError) Unwrap() []error { return []error{context.Cause(e.ctx), e.ctx.Err()} }

// lossCause reduces an error of the transport to what may be shown: no URLs, and not the library's chain of messages.
func lossCause(err error) error {
	var closed websocket.CloseError
	if errors.As(err, &closed) {
		if closed.Reason == "" {
			return fmt.Errorf("the peer closed the WebSocket with status %d", int(closed.Code))
		}
		return fmt.Errorf("the peer closed the WebSocket with status %d: %s", int(closed.Code), closed.Reason)
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	for _, known := range []error{io.ErrUnexpectedEOF, io.EOF, net.ErrClosed, io.ErrClosedPipe} {
		if errors.Is(err, known) {
			return known
		}
	}
	return err
}
