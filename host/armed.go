package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// ErrDialogType says that a word is no type of dialog.
var ErrDialogType = errors.New("unknown dialog type")

// ArmedAnswer is an answer to a dialog that has not opened yet.
type ArmedAnswer struct {
	// Accept accepts, else the dialog is dismissed.
	Accept bool `json:"accept"`
	// PromptText is what an accepted prompt returns; nil: the page's default text.
	PromptText *string `json:"prompt_text,omitempty"`
	// Type is alert, confirm, prompt or beforeunload; empty: any.
	Type string `json:"type,omitempty"`
	// Expires is how long the answer waits. Default 60 s, at most 24 h.
	Expires time.Duration `json:"expires_ns,omitempty"`
	// ExpiresAt is set on what is returned and shown.
	ExpiresAt UnixTime `json:"expires_at,omitzero"`
}

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
	reply, err := t.ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.ArmDialog{
			Request: id, Task: t.id, Answer: supervise.Armed{Accept: a.Accept, Text: a.PromptText, Type: kind}, Expires: a.Expires,
		}
	})
	if err != nil {
		return ArmedAnswer{}, err
	}
	return *publicArmed(reply.Armed), nil
}

// DisarmDialog takes the armed answer back and returns it; nil where none was armed.
func (t *Task) DisarmDialog(ctx context.Context) (*ArmedAnswer, error) {
	reply, err := t.ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.DisarmDialog{Request: id, Task: t.id}
	})
	return publicArmed(reply.Armed), err
}

// ClearConsole forgets the console messages of the task. Their total keeps counting.
func (t *Task) ClearConsole(ctx context.Context) error {
	_, err := t.ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.ClearConsole{Request: id, Task: t.id}
	})
	return err
}

// ask is a request to the state machine on behalf of a task that has not been closed.
func (t *Task) ask(ctx context.Context, event func(supervise.RequestID) supervise.Event) (supervise.Reply, error) {
	if t.closed.Load() {
		return supervise.Reply{}, ErrClosed
	}
	reply, err := t.link.request(ctx, event)
	if err == nil {
		err = publicError(reply.Err)
	}
	return reply, err
}

func publicArmed(a *supervise.Armed) *ArmedAnswer {
	if a == nil {
		return nil
	}
	out := &ArmedAnswer{Accept: a.Accept, PromptText: a.Text, ExpiresAt: UnixTime{a.ExpiresAt}}
	if a.Type != abi.DialogTypeUnspecified {
		out.Type = a.Type.String()
	}
	return out
}
