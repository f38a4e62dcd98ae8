package host

import (
	"context"
	"encoding/json"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
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
