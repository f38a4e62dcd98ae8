package fault

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// The errors of calls on a task. Compare them with errors.Is. Details are in [*DialogError], [*BlockedError],
// [*DeliveredError], [*EvaluateError], [*StoppedError], [*RendererBusyError], NotSerialisableError, [*RefusedError],
// [*ProtocolError] and [*NavigationDeniedError], which errors.As finds.
var (
	// ErrClosed says that the host or the task has been closed.
	ErrClosed = errors.New("closed")
	// ErrNoDialog says that there is no dialog to answer.
	ErrNoDialog = errors.New("no dialog is open")
	// ErrUnknownDialog says that no open dialog has the given id.
	ErrUnknownDialog = errors.New("unknown dialog id")
	// ErrAmbiguousDialog says that several dialogs are pending and the call named none.
	ErrAmbiguousDialog = errors.New("several dialogs are pending")
	// ErrDialogBusy says that an answer to the dialog is already under way.
	ErrDialogBusy = errors.New("an answer is already under way")
	// ErrDialogGone says that the dialog ended before the answer reached it.
	ErrDialogGone = errors.New("the dialog ended before the answer")
	// ErrAnswerRefused says that the browser did not accept the answer; the dialog is pending again.
	ErrAnswerRefused = errors.New("the browser did not accept the answer")
	// ErrBlockedByDialog says that a dialog holds the tab; answer it first.
	ErrBlockedByDialog = errors.New("blocked by a dialog")
	// ErrTargetCrashed says that the tab's renderer crashed; navigate to revive the tab.
	ErrTargetCrashed = errors.New("the tab crashed")
	// ErrTargetGone says that the tab was closed.
	ErrTargetGone = errors.New("the tab is gone")
	// ErrUnknownTarget says that the task has no tab with the given id.
	ErrUnknownTarget = errors.New("unknown target")
	// ErrDisconnected says that the connection to the browser was lost while the call was under way, so its outcome is
	// unknown. The host reconnects by itself: look at a new snapshot before you try again.
	ErrDisconnected = errors.New("disconnected from the browser")
	// ErrBrowserGone says that the browser of the task is gone, or was unreachable for too long, so the task has ended;
	// attach or launch again. It matches ErrDisconnected.
	ErrBrowserGone = fmt.Errorf("%w: the browser is gone", ErrDisconnected)
	// ErrAnswerUnconfirmed says that the connection was lost before the browser confirmed the answer to a dialog. Once the
	// connection is back, the snapshot shows whether the dialog is still pending. It matches ErrDisconnected.
	ErrAnswerUnconfirmed = fmt.Errorf("%w before it confirmed the answer", ErrDisconnected)
	// ErrTask says that a task could not be started; the text says why.
	ErrTask = errors.New("task failed")
	// ErrProtocol says that the browser refused a command; the text is the browser's.
	ErrProtocol = errors.New("the browser refused the command")
	// ErrEvaluate says that an expression threw; see [EvaluateError].
	ErrEvaluate = errors.New("the expression threw")
	// ErrNavigate says that a navigation failed; the text holds the browser's net error.
	ErrNavigate = errors.New("navigation failed")
	// ErrNavigationDenied says that a plugin denied the navigation, or that no plugin decided and the host denies in that
	// case. It matches ErrNavigate.
	ErrNavigationDenied = fmt.Errorf("%w: denied", ErrNavigate)
)

// DialogError says why an answer to a dialog was not accepted.
type DialogError struct {
	// Code is one of ErrNoDialog, ErrUnknownDialog, ErrAmbiguousDialog, ErrDialogBusy, ErrDialogGone, ErrAnswerRefused,
	// ErrAnswerUnconfirmed.
	Code error
	// DialogID is the id that the call named; empty if it named none.
	DialogID string
	// Open holds the dialogs that can be answered instead.
	Open []view.Dialog
	// Text is the whole error text.
	Text string
}

// Error says what happened and which dialogs are open.
func (e *DialogError) Error() string { return e.Text }

// Unwrap returns the code.
func (e *DialogError) Unwrap() error { return e.Code }

// BlockedError says which dialogs hold the tab. It matches [ErrBlockedByDialog].
type BlockedError struct {
	// Dialogs are the pending dialogs that hold the tab, oldest first. They may be those of another tab that shares the
	// process: one of the same site that opened this tab or was opened by it.
	Dialogs []view.Dialog
	// CallID is the id for Task.Resume, which returns the result once the dialogs are answered; empty if nothing was
	// begun.
	CallID string
}

// Error names the dialogs.
func (e *BlockedError) Error() string {
	ids := make([]string, len(e.Dialogs))
	for i, d := range e.Dialogs {
		ids[i] = fmt.Sprintf("%s (%s)", d.ID, d.Type)
	}
	return ErrBlockedByDialog.Error() + ": " + strings.Join(ids, ", ") + "; answer it first"
}

// Unwrap returns [ErrBlockedByDialog].
func (e *BlockedError) Unwrap() error { return ErrBlockedByDialog }

var dialogCodes = map[supervise.DialogErrorKind]error{
	supervise.DialogNone:        ErrNoDialog,
	supervise.DialogUnknown:     ErrUnknownDialog,
	supervise.DialogAmbiguous:   ErrAmbiguousDialog,
	supervise.DialogBusy:        ErrDialogBusy,
	supervise.DialogGone:        ErrDialogGone,
	supervise.DialogRefused:     ErrAnswerRefused,
	supervise.DialogUnconfirmed: ErrAnswerUnconfirmed,
}

// FromState turns an error of the state machine into an error of this package.
func FromState(err error) error {
	var dialog *supervise.DialogError
	if errors.As(err, &dialog) {
		out := &DialogError{Code: dialogCodes[dialog.Kind], DialogID: dialog.ID, Text: dialog.Error()}
		for _, d := range dialog.Open {
			out.Open = append(out.Open, view.DialogOf(d))
		}
		return out
	}
	var task *supervise.TaskError
	if errors.As(err, &task) && task.Disconnected {
		return fmt.Errorf("%w: %w: %s", ErrTask, ErrDisconnected, task.Error())
	}
	if task != nil {
		return fmt.Errorf("%w: %s", ErrTask, task.Error())
	}
	return err
}
