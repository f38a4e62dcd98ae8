package host

import (
	"context"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// ArmDialog prepares the answer to the task's next dialog before it opens. That dialog is closed by agent under the
// rule "armed", unless the dialog policy's verdict is final, or the policy failed and [Options.DialogFailClosed] is
// set; the dialog then says so. The answer is used once and replaces any answer armed before it. A dialog that opens
// while another is open, or while its page is being left, can only be dismissed and does not use up the answer. Errors:
// ErrDialogType, ErrTask, ErrClosed, and the context's.
func (t *Task) ArmDialog(ctx context.Context, a ArmedAnswer) (_ ArmedAnswer, err error) {
	defer fault.During("arm_dialog", &err)
	kind, ok := abi.ParseDialogType(string(a.Type))
	if !ok && a.Type != "" {
		return ArmedAnswer{}, fmt.Errorf("%w: %q is not one of alert, confirm, prompt, beforeunload", ErrDialogType, a.Type)
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

// DisarmDialog withdraws the armed answer and returns it, or nil if none was armed.
func (t *Task) DisarmDialog(ctx context.Context) (_ *ArmedAnswer, err error) {
	defer fault.During("disarm_dialog", &err)
	reply, err := t.engine.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.DisarmDialog{Request: id, Task: t.ID()}
	})
	return view.ArmedOf(reply.Armed), err
}

// ClearConsole discards the task's console messages. Their total keeps counting.
func (t *Task) ClearConsole(ctx context.Context) (err error) {
	defer fault.During("clear_console", &err)
	_, err = t.engine.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.ClearConsole{Request: id, Task: t.ID()}
	})
	return err
}
