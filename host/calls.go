package host

import (
	"context"
	"encoding/json"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugintool"
	"github.com/hermes-cdp/hermes-cdp/host/internal/rawcdp"
)

// CDPCall is one raw Chrome DevTools Protocol command.
type CDPCall struct {
	// Method is Domain.command.
	Method string
	// Params is a JSON object; nil for none.
	Params json.RawMessage
	// TargetID is the tab or worker, or FrameID the frame, to whose session the command goes; set at most one. If both are
	// empty, it is the tab in use.
	TargetID, FrameID string
}

// CDPResult is the browser's reply.
type CDPResult struct {
	Method    string          `json:"method"`
	Result    json.RawMessage `json:"result"`
	TargetID  string          `json:"target_id,omitempty"`
	FrameID   string          `json:"frame_id,omitempty"`
	SessionID string          `json:"session_id,omitempty"`
}

// CDP sends a raw command on the agent's own session of a target. The session is attached for the first command and
// kept, so whatever is enabled, disabled or set there affects the agent alone. Events of that session are discarded. So
// Fetch.enable, which would hold requests forever, is refused ([Task.Route] does its work), and Debugger.pause holds
// the page until Debugger.resume.
//
// An out-of-process frame has a session of its own. Any other frame is reached through the session that contains it:
// commands that can name a frame or its execution context (Runtime.evaluate, Runtime.callFunctionOn, Page.navigate,
// Page.createIsolatedWorld, ...) are given it, unless Params already names one. All other commands act on the whole
// session.
//
// Page.handleJavaScriptDialog counts as an answer, like [Task.RespondDialog]. Target.* and Browser.* reach only what
// belongs to the task; anything else, or a command that acts on the whole browser, is a [*RefusedError]. Other errors
// are those of [Tab.Evaluate], including a [*BlockedError] with its CallID.
func (t *Task) CDP(ctx context.Context, c CDPCall) (_ CDPResult, err error) {
	defer fault.During("cdp", &err)
	r, err := rawcdp.Do(ctx, t.pages, rawcdp.Call(c))
	return CDPResult(r), err
}

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
