package fault

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// DialogError says why an answer to a dialog was not accepted.
type DialogError struct {
	// Code is one of ErrNoDialog, ErrUnknownDialog, ErrAmbiguousDialog, ErrDialogBusy, ErrDialogGone, ErrAnswerRefused,
	// ErrAnswerUnconfirmed.
	Code Code
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

var dialogCodes = map[supervise.DialogErrorKind]Code{
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
