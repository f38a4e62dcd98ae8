package host

import (
	"context"
	"errors"
)

// The kinds of errors, as [ErrorKind] returns them.
const (
	KindException       = "js_exception"
	KindProtocol        = "cdp_protocol"
	KindTransport       = "cdp_transport"
	KindTimeout         = "timeout"
	KindAborted         = "aborted"
	KindBlocked         = "blocked_by_dialog"
	KindDelivered       = "delivered"
	KindSessionLost     = "session_lost"
	KindNotSerialisable = "result_not_serialisable"
	KindRendererBusy    = "renderer_busy"
	KindRefused         = "refused"
	KindBadCall         = "bad_arguments"
	KindUnknownTab      = "unknown_tab"
	KindUnknownFrame    = "unknown_frame"
	KindUnknownCall     = "unknown_call"
	KindNoElement       = "no_element"
	KindStaleRef        = "stale_ref"
	KindUnknownRef      = "unknown_ref"
	KindNotActionable   = "not_actionable"
	KindNotDelivered    = "input_not_delivered"
	KindNavigation      = "navigation"
	KindDenied          = "navigation_denied"
	KindDialog          = "dialog"
	KindDownload        = "download"
	KindTask            = "task"
	KindPlugin          = "plugin"
	KindNoBrowser       = "no_browser"
	KindRestartLoop     = "restart_loop"
	KindNoRecording     = "unknown_recording"
)

// kinds maps errors to kinds. Errors that wrap others come first.
var kinds = []struct {
	is   error
	kind string
}{
	{ErrNoDialog, KindDialog}, {ErrUnknownDialog, KindDialog}, {ErrAmbiguousDialog, KindDialog}, {ErrDialogBusy, KindDialog},
	{ErrDialogGone, KindDialog}, {ErrAnswerRefused, KindDialog}, {ErrAnswerUnconfirmed, KindDialog},
	{ErrBadCall, KindBadCall}, {ErrBadArguments, KindBadCall}, {ErrDialogType, KindBadCall}, {ErrDialogPolicy, KindBadCall}, {ErrUnknownCall, KindUnknownCall},
	{ErrUnknownTarget, KindUnknownTab}, {ErrUnknownFrame, KindUnknownFrame}, {ErrNoElement, KindNoElement}, {ErrAmbiguousElement, KindNoElement},
	{ErrStaleRef, KindStaleRef}, {ErrUnknownRef, KindUnknownRef}, {ErrDownload, KindDownload}, {ErrNoRecording, KindNoRecording},
	{ErrNotDelivered, KindNotDelivered}, {ErrNotActionable, KindNotActionable}, {ErrHidden, KindNotActionable},
	{ErrNavigationDenied, KindDenied}, {ErrNavigate, KindNavigation},
	{ErrUnknownPlugin, KindPlugin}, {ErrUnknownHook, KindPlugin}, {ErrKnownPlugin, KindPlugin}, {ErrUnknownTool, KindPlugin}, {ErrCapabilityDenied, KindPlugin}, {ErrPageScript, KindPlugin},
	{ErrPluginFault, KindPlugin}, {ErrToolFailed, KindPlugin}, {ErrNoGeneration, KindPlugin}, {ErrNoCandidate, KindPlugin},
	{ErrBlockedByDialog, KindBlocked}, {ErrDelivered, KindDelivered}, {ErrRendererBusy, KindRendererBusy}, {ErrEvaluate, KindException},
	{ErrNotSerialisable, KindNotSerialisable}, {ErrEvaluateDisabled, KindRefused}, {ErrRefused, KindRefused},
	{ErrTimeout, KindTimeout}, {ErrAborted, KindAborted}, {ErrTooLarge, KindTransport}, {ErrDisconnected, KindTransport},
	{ErrTargetCrashed, KindSessionLost}, {ErrTargetGone, KindSessionLost}, {ErrFrameGone, KindSessionLost},
	{ErrProtocol, KindProtocol}, {ErrRestartLoop, KindRestartLoop}, {ErrNoBrowser, KindNoBrowser},
	{ErrTask, KindTask}, {ErrClosed, KindAborted}, {context.DeadlineExceeded, KindTimeout}, {context.Canceled, KindAborted},
}

// ErrorKind returns one word for an error of a [Task], and an empty string for nil. Every error of this package has a
// kind. Any other error, such as a file that cannot be written, is a [KindProtocol].
func ErrorKind(err error) string {
	if err == nil {
		return ""
	}
	for _, k := range kinds {
		if errors.Is(err, k.is) {
			return k.kind
		}
	}
	return KindProtocol
}
