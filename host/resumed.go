package host

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/internal/rawcdp"
)

// Resumed is the result of a call that a dialog had interrupted: one of its fields is set.
type Resumed struct {
	Evaluation *Evaluation       `json:"evaluation,omitempty"`
	CDP        *CDPResult        `json:"cdp,omitempty"`
	PluginTool *PluginToolResult `json:"plugin_tool,omitempty"`
	// Value is what another call on a page gave.
	Value any `json:"value,omitempty"`
}

// Resume waits for the result of a call that ended with a [*BlockedError] or a [*DeliveredError], by its CallID. Nothing is
// sent again: the call has gone on since the dialog was answered, or since the page was busy, with what was left of its time.
// When the next dialog blocks it, Resume returns a new [*BlockedError] with the same CallID; when ctx ends first, the call
// goes on and can still be resumed. Other errors are those of the call, and [ErrUnknownCall].
func (t *Task) Resume(ctx context.Context, callID string) (Resumed, error) {
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
	case PluginToolResult:
		return Resumed{PluginTool: &result}, nil
	default:
		return Resumed{Value: result}, nil
	}
}

// Stop ends a call that waits to be resumed before its time is over: script that it runs in the page, or set off there, is
// terminated. [Task.Resume] says afterwards what came of it. Errors: [ErrUnknownCall], a [*BlockedError] where a dialog holds
// the call, as what is done then is the answer's, and the context's.
func (t *Task) Stop(ctx context.Context, callID string) error { return t.engine.Stop(ctx, callID) }

// Interrupted lists the ids of the calls that [Task.Resume] can be given, oldest first.
func (t *Task) Interrupted() []string { return t.engine.Interrupted() }
