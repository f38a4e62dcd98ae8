package host

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugintool"
	"github.com/hermes-cdp/hermes-cdp/host/internal/rawcdp"
)

// Resumed is the result of an interrupted call: one of its fields is set.
type Resumed struct {
	Evaluation *Evaluation       `json:"evaluation,omitempty"`
	CDP        *CDPResult        `json:"cdp,omitempty"`
	PluginTool *PluginToolResult `json:"plugin_tool,omitempty"`
	// Value is the result of any other call.
	Value any `json:"value,omitempty"`
}

// Resume waits for the result of a call that ended with a [*BlockedError] or a [*DeliveredError], by its CallID.
// Nothing is sent again: the call has gone on with the rest of its time, since the dialog was answered or while the
// page was busy. If another dialog blocks it, Resume returns a new [*BlockedError] with the same CallID. If ctx ends
// first, the call goes on and can still be resumed. Other errors are those of the call, and [ErrUnknownCall].
func (t *Task) Resume(ctx context.Context, callID string) (_ Resumed, err error) {
	defer fault.During("resume", &err)
	result, err := t.engine.Resume(ctx, callID)
	if err != nil {
		return Resumed{}, err
	}
	switch result := result.(type) {
	case Evaluation:
		return Resumed{Evaluation: &result}, nil
	case rawcdp.Result:
		cdp := CDPResult(result)
		return Resumed{CDP: &cdp}, nil
	case plugintool.Result:
		tool := PluginToolResult(result)
		return Resumed{PluginTool: &tool}, nil
	default:
		return Resumed{Value: result}, nil
	}
}

// Stop ends a call that waits to be resumed: any script that it runs in the page, or started there, is terminated.
// [Task.Resume] then returns the outcome. Errors: [ErrUnknownCall]; a [*BlockedError] if a dialog holds the call, as
// the dialog must be answered first; and the context's.
func (t *Task) Stop(ctx context.Context, callID string) error {
	return fault.Of("stop", t.engine.Stop(ctx, callID))
}

// Interrupted lists the ids of the calls that can be resumed, oldest first.
func (t *Task) Interrupted() []string { return t.engine.Interrupted() }
