package fault

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// The errors of this package. Callers compare with errors.Is; details are in [*DialogError], [*BlockedError],
// [*DeliveredError], [*EvaluateError], [*StoppedError], [*RendererBusyError], NotSerialisableError, [*RefusedError], [*ProtocolError] and
// [*NavigationDeniedError], which errors.As finds.
var (
	// ErrClosed says that the host or the task has been closed.
	ErrClosed = errors.New("closed")
	// ErrNoDialog says that there is no dialog to answer.
	ErrNoDialog = errors.New("no dialog is open")
	// ErrUnknownDialog says that no open dialog has the given id.
	ErrUnknownDialog = errors.New("unknown dialog id")
	// ErrAmbiguousDialog says that several dialogs are pending and none was named.
	ErrAmbiguousDialog = errors.New("several dialogs are pending")
	// ErrDialogBusy says that an answer to the dialog is already under way.
	ErrDialogBusy = errors.New("an answer is already under way")
	// ErrDialogGone says that the dialog ended before the answer reached it.
	ErrDialogGone = errors.New("the dialog ended before the answer")
	// ErrAnswerRefused says that the browser did not take the answer; the dialog is pending again.
	ErrAnswerRefused = errors.New("the browser did not take the answer")
	// ErrBlockedByDialog says that a dialog holds the tab; answer it first.
	ErrBlockedByDialog = errors.New("blocked by a dialog")
	// ErrTargetCrashed says that the tab's renderer crashed; navigate to revive the tab.
	ErrTargetCrashed = errors.New("the tab crashed")
	// ErrTargetGone says that the tab was closed.
	ErrTargetGone = errors.New("the tab is gone")
	// ErrUnknownTarget says that the task has no tab of the given id.
	ErrUnknownTarget = errors.New("unknown target")
	// ErrDisconnected says that the connection to the browser was lost while the call was under way, so that nobody knows
	// what came of it. The host reconnects by itself: look at a new snapshot before you try again.
	ErrDisconnected = errors.New("disconnected from the browser")
	// ErrBrowserGone says that the browser of the task is gone, or was not to be reached for too long, so that the task has
	// ended; attach or launch once more. It is an ErrDisconnected.
	ErrBrowserGone = fmt.Errorf("%w: the browser is gone", ErrDisconnected)
	// ErrAnswerUnconfirmed says that the connection was lost before the browser confirmed the answer to a dialog; whether
	// the dialog is still pending shows in the snapshot once the connection is back. It is an ErrDisconnected.
	ErrAnswerUnconfirmed = fmt.Errorf("%w before it confirmed the answer", ErrDisconnected)
	// ErrTask says that a task could not be started; the text has the reason.
	ErrTask = errors.New("task failed")
	// ErrProtocol says that the browser refused a command; the text is the browser's.
	ErrProtocol = errors.New("the browser refused the command")
	// ErrEvaluate says that an expression threw; see [EvaluateError].
	ErrEvaluate = errors.New("the expression threw")
	// ErrNavigate says that a navigation failed; the text has the browser's net error.
	ErrNavigate = errors.New("navigation failed")
	// ErrNavigationDenied says that a plugin denied the address, or that none decided and the host denies then. It is an
	// ErrNavigate.
	ErrNavigationDenied = fmt.Errorf("%w: denied", ErrNavigate)
)

// DialogError says why an answer to a dialog was not taken.
type DialogError struct {
	// Code is one of ErrNoDialog, ErrUnknownDialog, ErrAmbiguousDialog, ErrDialogBusy, ErrDialogGone, ErrAnswerRefused,
	// ErrAnswerUnconfirmed.
	Code error
	// DialogID is the id that was asked for; empty where none was.
	DialogID string
	// Open has the dialogs that can be answered instead.
	Open []view.Dialog
	Text string
}

// Error says what happened and which dialogs are open.
func (e *DialogError) Error() string { return e.Text }

// Unwrap gives the code.
func (e *DialogError) Unwrap() error { return e.Code }

// BlockedError says which dialogs hold the tab. It is [ErrBlockedByDialog].
type BlockedError struct {
	// Dialogs are the pending dialogs that hold the tab, oldest first. They can be another tab's, of the same site and
	// opened by this one or by which this one was opened: such tabs share a process.
	Dialogs []view.Dialog
	// CallID is what Task.Resume takes for the result, once the dialogs are answered; empty where nothing was begun.
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

// Unwrap gives [ErrBlockedByDialog].
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

// Of turns an error of the state machine into one of this package.
func Of(err error) error {
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
