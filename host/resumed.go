package host

import "context"

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
	result, err := t.actTask.Resume(ctx, callID)
	if err != nil {
		return Resumed{}, err
	}
	switch result := result.(type) {
	case Evaluation:
		return Resumed{Evaluation: &result}, nil
	case rawResult:
		cdp := CDPResult(result)
		return Resumed{CDP: &cdp}, nil
	case PluginToolResult:
		return Resumed{PluginTool: &result}, nil
	default:
		return Resumed{Value: result}, nil
	}
}
