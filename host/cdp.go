package host

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/rawcdp"
)

// CDPCall is one raw command of the Chrome DevTools Protocol.
type CDPCall struct {
	// Method is Domain.command.
	Method string `json:"method"`
	// Params is a JSON object; nil for none.
	Params json.RawMessage `json:"params,omitempty"`
	// TargetID is the tab or worker, FrameID the frame, to whose session the command goes; at most one of them. Both empty:
	// the tab in use.
	TargetID string `json:"target_id,omitempty"`
	FrameID  string `json:"frame_id,omitempty"`
	// Timeout bounds the call as the context does; zero: the context alone.
	Timeout time.Duration `json:"timeout_ns,omitempty"`
}

// CDPResult is the browser's reply.
type CDPResult struct {
	Method    string          `json:"method"`
	Result    json.RawMessage `json:"result"`
	TargetID  string          `json:"target_id,omitempty"`
	FrameID   string          `json:"frame_id,omitempty"`
	SessionID string          `json:"session_id,omitempty"`
}

// CDP sends a raw command on the agent's own session of a target, which is attached for the first command and kept: what is
// enabled, disabled or set there is the agent's alone. The events of that session go nowhere. So Fetch.enable holds requests
// that nobody continues, until Fetch.disable; and Debugger.pause holds the page until Debugger.resume.
//
// A frame in a process of its own has a session of its own; any other is reached through the session that shows it, and the
// commands that can name a frame or its execution context are made to (Runtime.evaluate, Runtime.callFunctionOn,
// Page.navigate, Page.createIsolatedWorld, ...) unless Params does. The others act on all that the session shows.
//
// Page.handleJavaScriptDialog is an answer like [Task.RespondDialog]. Target.* and Browser.* reach what belongs to the task;
// what does not, and what acts on the whole browser, is a [*RefusedError]. The errors are otherwise those of
// [Task.Evaluate], a [*BlockedError] with its CallID included.
func (t *Task) CDP(ctx context.Context, c CDPCall) (CDPResult, error) {
	r, err := rawcdp.Do(ctx, t.pages, rawcdp.Call(c))
	return CDPResult(r), err
}
