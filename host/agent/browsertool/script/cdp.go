package script

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// CDPParams are the parameters of browser_cdp.
type CDPParams struct {
	// Method is Domain.command.
	Method string `json:"method" need:"yes"`
	// Params are the parameters of the command.
	Params map[string]any `json:"params,omitempty"`
	// TargetID or FrameID selects the session for the command; both empty: that of the tab in use.
	TargetID string `json:"target_id,omitempty"`
	FrameID  string `json:"frame_id,omitempty"`
	// Tab is a tab by its handle (t1), in place of TargetID.
	Tab string `json:"tab,omitempty" list:"no"`
	// TimeoutS bounds the call in seconds. 0: 30.
	TimeoutS float64 `json:"timeout,omitempty" min:"1" max:"300" doc:"seconds"`
}

// CDPResult is the result of browser_cdp. Result is the browser's reply; what pages put into it is untrusted.
type CDPResult struct {
	Method    string          `json:"method"`
	Result    json.RawMessage `json:"result"`
	TargetID  string          `json:"target_id,omitempty" schema:"-"`
	FrameID   string          `json:"frame_id,omitempty" schema:"-"`
	SessionID string          `json:"session_id,omitempty" schema:"-"`
	// Truncated says that Result is a string with the first characters of longer JSON: 65,536, or 2,000 with a Path.
	Truncated bool `json:"result_truncated,omitempty" schema:"-"`
	// Path is the file that has the whole result; Result is then its beginning.
	Path      string            `json:"result_path,omitempty" schema:"-"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
}

// defaultCDPTimeoutS is the time of a raw command, in seconds.
const defaultCDPTimeoutS = 30

// CDP sends a raw command. Errors are those of [host.Task.CDP].
func (k *Kit) CDP(ctx context.Context, p CDPParams) (CDPResult, error) {
	params, err := json.Marshal(p.Params)
	if err != nil {
		return CDPResult{}, result.BadArgument("params", "it cannot be encoded as JSON: %v", err)
	}
	if p.Tab != "" {
		if p.TargetID != "" {
			return CDPResult{}, result.BadArgument("tab", "give tab or target_id, not both")
		}
		if p.TargetID, err = k.Tab(p.Tab); err != nil {
			return CDPResult{}, err
		}
	}
	call := host.CDPCall{Method: p.Method, TargetID: p.TargetID, FrameID: p.FrameID}
	if p.Params != nil {
		call.Params = params
	}
	within, cancel := context.WithTimeout(ctx, time.Duration(cmp.Or(p.TimeoutS, defaultCDPTimeoutS)*float64(time.Second)))
	defer cancel()
	value, err := k.Task.CDP(within, call)
	if err != nil {
		err = result.OfCommand(err, p.Method)
	}
	return toolkit.Then(ctx, k.Kit, value, err, func(_ context.Context, r host.CDPResult) (CDPResult, error) {
		return Replied(k.Kit, r)
	})
}

// Replied is the result for a reply.
func Replied(k *toolkit.Kit, r host.CDPResult) (out CDPResult, err error) {
	out = CDPResult{
		Method: r.Method, TargetID: r.TargetID, FrameID: r.FrameID, SessionID: r.SessionID,
		Untrusted: k.Untrusted(r.TargetID, "result"),
	}
	if r.FrameID != "" {
		out.TargetID = ""
	}
	out.Result, out.Path, out.Truncated, err = k.KeepValue(r.Result)
	return out, err
}

// Text returns the reply.
func (r CDPResult) Text() string {
	text := result.VisibleLines(string(r.Result))
	switch {
	case r.Path != "":
		text += "\n(only the beginning; all of it is in " + r.Path + ")"
	case r.Truncated:
		text += "\n(only the first 65,536 characters)"
	}
	return r.Method + " returned: " + text
}
