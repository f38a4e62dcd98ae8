package host

import (
	"github.com/hermes-cdp/hermes-cdp/host/fault"

	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Every method of [Host] and [Task] that fails returns an [*Error], whose [Code] says what went wrong; see
// docs/errors.md. errors.As finds the details.
type (
	Code  = fault.Code
	Error = fault.Error

	BlockedError          = view.BlockedError
	DeliveredError        = fault.DeliveredError
	DialogError           = view.DialogError
	EvaluateError         = fault.EvaluateError
	NavigationDeniedError = view.NavigationDeniedError
	NetworkRefusedError   = fault.NetworkRefusedError
	ProtocolError         = fault.ProtocolError
	RefusedError          = fault.RefusedError
	LoadingError          = fault.LoadingError
	RendererBusyError     = fault.RendererBusyError
	FileDeniedError       = fault.FileDeniedError
	ToolDeniedError       = fault.ToolDeniedError
	StoppedError          = fault.StoppedError
)

// CodeOf returns the code of any error; see [fault.CodeOf].
func CodeOf(err error) Code { return fault.CodeOf(err) }

// The codes of errors; see [fault]. errors.Is finds them.
const (
	ErrAborted                = fault.ErrAborted
	ErrAmbiguousDialog        = fault.ErrAmbiguousDialog
	ErrAnswerRefused          = fault.ErrAnswerRefused
	ErrAnswerUnconfirmed      = fault.ErrAnswerUnconfirmed
	ErrBadArguments           = fault.ErrBadArguments
	ErrBadState               = fault.ErrBadState
	ErrBlockedByDialog        = fault.ErrBlockedByDialog
	ErrBrowserGone            = fault.ErrBrowserGone
	ErrCapabilityDenied       = fault.ErrCapabilityDenied
	ErrClosed                 = fault.ErrClosed
	ErrCredentials            = fault.ErrCredentials
	ErrDelivered              = fault.ErrDelivered
	ErrDialogBusy             = fault.ErrDialogBusy
	ErrDialogGone             = fault.ErrDialogGone
	ErrDialogPolicy           = fault.ErrDialogPolicy
	ErrDialogType             = fault.ErrDialogType
	ErrDisconnected           = fault.ErrDisconnected
	ErrDownload               = fault.ErrDownload
	ErrEvaluate               = fault.ErrEvaluate
	ErrEvaluateDisabled       = fault.ErrEvaluateDisabled
	ErrFailed                 = fault.ErrFailed
	ErrFrameGone              = fault.ErrFrameGone
	ErrHeldByOperator         = fault.ErrHeldByOperator
	ErrHidden                 = fault.ErrHidden
	ErrKnownPlugin            = fault.ErrKnownPlugin
	ErrLoading                = fault.ErrLoading
	ErrNavigate               = fault.ErrNavigate
	ErrNavigationDenied       = fault.ErrNavigationDenied
	ErrNetworkRefused         = fault.ErrNetworkRefused
	ErrProfileBusy            = fault.ErrProfileBusy
	ErrNoBrowser              = fault.ErrNoBrowser
	ErrNoCandidate            = fault.ErrNoCandidate
	ErrNoDialog               = fault.ErrNoDialog
	ErrAmbiguousElement       = fault.ErrAmbiguousElement
	ErrNoElement              = fault.ErrNoElement
	ErrNoGeneration           = fault.ErrNoGeneration
	ErrNoRecording            = fault.ErrNoRecording
	ErrNoTrace                = fault.ErrNoTrace
	ErrTraceRunning           = fault.ErrTraceRunning
	ErrNotHeld                = fault.ErrNotHeld
	ErrNotRecorded            = fault.ErrNotRecorded
	ErrRecordingRunning       = fault.ErrRecordingRunning
	ErrNotActionable          = fault.ErrNotActionable
	ErrNotDelivered           = fault.ErrNotDelivered
	ErrNotSerialisable        = fault.ErrNotSerialisable
	ErrOutOfService           = fault.ErrOutOfService
	ErrPageScript             = fault.ErrPageScript
	ErrPluginFault            = fault.ErrPluginFault
	ErrPluginRefused          = fault.ErrPluginRefused
	ErrProtocol               = fault.ErrProtocol
	ErrProvider               = fault.ErrProvider
	ErrProviderSessionExpired = fault.ErrProviderSessionExpired
	ErrRefused                = fault.ErrRefused
	ErrRendererBusy           = fault.ErrRendererBusy
	ErrRestartLoop            = fault.ErrRestartLoop
	ErrSessionLost            = fault.ErrSessionLost
	ErrStaleRef               = fault.ErrStaleRef
	ErrStateKey               = fault.ErrStateKey
	ErrTargetCrashed          = fault.ErrTargetCrashed
	ErrTargetGone             = fault.ErrTargetGone
	ErrTask                   = fault.ErrTask
	ErrTimeout                = fault.ErrTimeout
	ErrTooLarge               = fault.ErrTooLarge
	ErrToolDenied             = fault.ErrToolDenied
	ErrFileDenied             = fault.ErrFileDenied
	ErrToolFailed             = fault.ErrToolFailed
	ErrTransport              = fault.ErrTransport
	ErrUnknownCall            = fault.ErrUnknownCall
	ErrUnknownDialog          = fault.ErrUnknownDialog
	ErrUnknownFrame           = fault.ErrUnknownFrame
	ErrFrameFiltered          = fault.ErrFrameFiltered
	ErrUnknownHook            = fault.ErrUnknownHook
	ErrUnknownPlugin          = fault.ErrUnknownPlugin
	ErrUnknownQuestion        = fault.ErrUnknownQuestion
	ErrUnknownRef             = fault.ErrUnknownRef
	ErrUnknownTarget          = fault.ErrUnknownTarget
	ErrUnknownTool            = fault.ErrUnknownTool
)
