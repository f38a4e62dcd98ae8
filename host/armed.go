package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// ErrDialogType says that a word is no type of dialog.
var ErrDialogType = errors.New("unknown dialog type")

// ArmDialog answers the next dialog of the task before it opens: it is closed by agent under the rule "armed", unless the
// dialog policy's verdict is final, or the policy failed and [Options.DialogFailClosed] holds; the dialog says so then. It
// answers one dialog, and takes the place of an answer that is armed already. A dialog that opens where another is open, or
// while its page is being left, can only be dismissed and does not use the answer up. Errors: ErrDialogType, ErrTask,
// ErrClosed, and the context's.
func (t *Task) ArmDialog(ctx context.Context, a ArmedAnswer) (ArmedAnswer, error) {
	kind, ok := abi.ParseDialogType(a.Type)
	if !ok && a.Type != "" {
		return ArmedAnswer{}, fmt.Errorf("%w: %q is none of alert, confirm, prompt, beforeunload", ErrDialogType, a.Type)
	}
	reply, err := t.engine.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.ArmDialog{
			Request: id, Task: t.ID(), Answer: supervise.Armed{Accept: a.Accept, Text: a.PromptText, Type: kind}, Expires: a.Expires,
		}
	})
	if err != nil {
		return ArmedAnswer{}, err
	}
	return *view.ArmedOf(reply.Armed), nil
}

// DisarmDialog takes the armed answer back and returns it; nil where none was armed.
func (t *Task) DisarmDialog(ctx context.Context) (*ArmedAnswer, error) {
	reply, err := t.engine.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.DisarmDialog{Request: id, Task: t.ID()}
	})
	return view.ArmedOf(reply.Armed), err
}

// ClearConsole forgets the console messages of the task. Their total keeps counting.
func (t *Task) ClearConsole(ctx context.Context) error {
	_, err := t.engine.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.ClearConsole{Request: id, Task: t.ID()}
	})
	return err
}
