package control

import (
	"context"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

// The errors of this package; others are of package host.
var (
	// ErrNoDaemon says that no daemon answers at the socket or address.
	ErrNoDaemon = errors.New("no daemon is running")
	// ErrDaemonRunning says that the socket belongs to a running daemon.
	ErrDaemonRunning = errors.New("a daemon is already running")
	// ErrNoTask says that there is no task yet.
	ErrNoTask = errors.New("there is no task")
	// ErrUnknownTask says that no task has the given id.
	ErrUnknownTask = errors.New("unknown task")
	// ErrAmbiguousTask says that there are several tasks and the request named none.
	ErrAmbiguousTask = errors.New("several tasks are supervised")
	// ErrToolCall says that a call must be resumed through its tool, as otherwise the tool's result would be lost.
	ErrToolCall = errors.New("this is the call of a tool")
	// ErrPluginRefused says that a module did not pass a loading step; the previous one stays in service.
	ErrPluginRefused = errors.New("plugin refused")
	// ErrBadRequest says that a request cannot be understood.
	ErrBadRequest = errors.New("bad request")
	// ErrUnauthorized says that the bearer token is missing or wrong.
	ErrUnauthorized = access.ErrUnauthorized
	// ErrForbidden says that a request came by a host name or from a web page that is not allowed, or with a token that is
	// not bound to what it asks for.
	ErrForbidden = access.ErrForbidden
)

// Code is the machine-readable name of an error; part of the API.
type Code string

// codes maps errors to codes; the first match is used. Codes that agents know from evaluate are the same here.
var codes = []struct {
	err  error
	code Code
}{
	{host.ErrBlockedByDialog, "blocked_by_dialog"},
	{host.ErrDelivered, "delivered"},
	{host.ErrPageScript, "page_script_failed"}, // may wrap the next one
	{host.ErrEvaluate, "js_exception"},
	{host.ErrNoDialog, "no_dialog"},
	{host.ErrUnknownDialog, "unknown_dialog"},
	{host.ErrAmbiguousDialog, "ambiguous_dialog"},
	{host.ErrDialogBusy, "dialog_busy"},
	{host.ErrDialogGone, "dialog_gone"},
	{host.ErrAnswerRefused, "answer_refused"},
	{host.ErrDialogType, "dialog_type"},
	{host.ErrTargetCrashed, "target_crashed"},
	{host.ErrTargetGone, "target_gone"},
	{host.ErrUnknownTarget, "unknown_target"},
	{host.ErrUnknownFrame, "unknown_frame"},
	{host.ErrFrameGone, "frame_gone"},
	{host.ErrNoElement, "no_element"},
	{host.ErrUnknownCall, "unknown_call"},
	{host.ErrRendererBusy, "renderer_busy"},
	{host.ErrNotSerialisable, "result_not_serialisable"},
	{host.ErrTooLarge, "result_too_large"},
	{host.ErrEvaluateDisabled, "evaluate_disabled"},
	{host.ErrRefused, "refused"},
	{host.ErrBadCall, "bad_call"},
	{host.ErrTimeout, "timeout"},
	{host.ErrAborted, "aborted"},
	{host.ErrAnswerUnconfirmed, "answer_unconfirmed"},
	{host.ErrBrowserGone, "browser_gone"},
	{host.ErrDisconnected, "disconnected"},
	{host.ErrNavigate, "navigation_failed"},
	{host.ErrProtocol, "cdp_protocol"},
	{host.ErrNoBrowser, "no_browser"},
	{ErrPluginRefused, "plugin_refused"},
	{host.ErrUnknownPlugin, "unknown_plugin"},
	{host.ErrUnknownHook, "unknown_hook"},
	{host.ErrDialogPolicy, "dialog_policy"},
	{host.ErrUnknownTool, "unknown_tool"},
	{host.ErrNoRecording, "unknown_recording"},
	{host.ErrBadArguments, "bad_arguments"},
	{host.ErrCapabilityDenied, "capability_denied"},
	{host.ErrPluginFault, "plugin_fault"},
	{host.ErrToolFailed, "tool_failed"},
	{host.ErrNoGeneration, "no_generation"},
	{host.ErrNoCandidate, "no_candidate"},
	{ErrNoDaemon, "no_daemon"},
	{ErrDaemonRunning, "daemon_running"},
	{ErrNoTask, "no_task"},
	{ErrUnknownTask, "unknown_task"},
	{ErrAmbiguousTask, "ambiguous_task"},
	{ErrToolCall, "tool_call"},
	{ErrBadRequest, "bad_request"},
	{access.ErrBadToken, "bad_token"},
	{access.ErrUnknownToken, "unknown_token"},
	{access.ErrTokenExists, "token_exists"},
	{ErrUnauthorized, "unauthorized"},
	{ErrForbidden, "forbidden"},
	{context.DeadlineExceeded, "deadline_exceeded"},
	{context.Canceled, "canceled"},
	{errors.ErrUnsupported, "unsupported"},
	{host.ErrClosed, "closed"},
	{host.ErrTask, "task_failed"},
}

// CodeFailed is the code of an error without a code of its own.
const CodeFailed Code = "failed"

// Error is an error on the wire. errors.Is finds the error of package host or of this one that its code stands for.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	// Dialogs are those that hold the tab, or that can be answered instead.
	Dialogs []host.Dialog `json:"dialogs,omitempty"`
	// CallID is for resume, once the dialogs are answered; empty if nothing was begun.
	CallID string `json:"call_id,omitempty"`
	// Step is the loading step that a module did not pass, with plugin_refused.
	Step string `json:"step,omitempty"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the error that the code stands for, or nil.
func (e *Error) Unwrap() error {
	for _, c := range codes {
		if c.code == e.Code {
			return c.err
		}
	}
	return nil
}

// ErrorOf converts any error for the wire; nil stays nil.
func ErrorOf(err error) *Error {
	if err == nil {
		return nil
	}
	var out *Error
	if errors.As(err, &out) {
		return out
	}
	out = &Error{Code: CodeFailed, Message: err.Error()}
	for _, c := range codes {
		if errors.Is(err, c.err) {
			out.Code = c.code
			break
		}
	}
	var refused *module.LoadError
	if errors.As(err, &refused) {
		out.Code, out.Step = "plugin_refused", string(refused.Step) // whatever its cause, such as a timeout
	}
	var blocked *host.BlockedError
	if errors.As(err, &blocked) {
		out.Dialogs, out.CallID = blocked.Dialogs, blocked.CallID
	}
	var delivered *host.DeliveredError
	if errors.As(err, &delivered) {
		out.CallID = delivered.CallID
	}
	var dialog *host.DialogError
	if errors.As(err, &dialog) {
		out.Dialogs = dialog.Open
	}
	return out
}

func badRequest(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrBadRequest, fmt.Errorf(format, args...))
}
