package supervise

import "strings"

// TaskError says why a request that concerns a task failed.
type TaskError struct {
	Task   string
	Reason string
	// Disconnected says that the connection was lost.
	Disconnected bool
}

// Error names the task and the reason.
func (e *TaskError) Error() string { return "task " + e.Task + ": " + e.Reason }

// noTask is the error of a request that names an unknown task.
func noTask(id string) error { return &TaskError{Task: id, Reason: "there is no such task"} }

// DialogErrorKind says why an answer had no effect.
type DialogErrorKind int

// The kinds of [DialogError].
const (
	DialogNone        DialogErrorKind = iota // nothing is open
	DialogUnknown                            // no open dialog has this id
	DialogAmbiguous                          // several are pending and the answer names none
	DialogBusy                               // another answer is in flight
	DialogGone                               // it closed before the answer reached it
	DialogRefused                            // the browser rejected the answer; the dialog is pending again
	DialogUnconfirmed                        // the connection was lost before the browser confirmed the answer
)

// DialogError says why an answer had no effect. Open lists the open dialogs.
type DialogError struct {
	Kind   DialogErrorKind
	ID     string
	Open   []Dialog
	Reason string
}

// Error says what is wrong and what to do about it.
func (e *DialogError) Error() string {
	switch e.Kind {
	case DialogNone:
		if e.Reason != "" {
			return "no dialog is open: " + e.Reason
		}
		return "no dialog is open"
	case DialogUnknown:
		return "no open dialog has the id " + e.ID + "; open: " + e.openIDs()
	case DialogAmbiguous:
		return "several dialogs are pending; name one of them: " + e.openIDs()
	case DialogBusy:
		return "another answer to the dialog is in flight: " + e.openIDs()
	case DialogGone:
		return "dialog " + e.ID + " ended before the answer reached it: " + e.Reason
	case DialogUnconfirmed:
		return "the connection was lost before the browser confirmed the answer to dialog " + e.ID + ": " + e.Reason +
			"; once it is back, the snapshot shows whether the dialog is still pending"
	default:
		return "the browser rejected the answer to dialog " + e.ID + ", which is pending again: " + e.Reason
	}
}

func (e *DialogError) openIDs() string {
	ids := make([]string, len(e.Open))
	for i, d := range e.Open {
		ids[i] = d.ID
	}
	return strings.Join(ids, ", ")
}
