package control

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

var toolCall = host.PluginToolCall{Plugin: "p", Tool: "t", Arguments: map[string]any{"n": 1.5, "list": []any{"<x>"}}, TargetID: "a"}

func (r *recorder) Tools(context.Context) ([]host.PluginTool, error) {
	r.note("tools")
	return []host.PluginTool{{Plugin: "p", Name: "t", Description: "d", InputSchema: json.RawMessage(`{"type":"object"}`), ReadOnly: true}}, r.err
}

func (r *recorder) CallTool(_ context.Context, task string, c host.PluginToolCall) (host.PluginToolResult, error) {
	r.note("call tool", task, c)
	return host.PluginToolResult{Text: "<two>\nlines", Structured: map[string]any{"n": 2.0}, IsError: true, Untrusted: true, Origin: "o"}, r.err
}

// An exception in a page script is the plugin's, not one of the agent's own expression.
func TestAPageScriptsExceptionIsThePlugins(t *testing.T) {
	failed := &host.PluginToolError{Plugin: "p", Tool: "t", Code: host.ErrPageScript, Cause: &host.EvaluateError{Exception: "x"}}
	_, err := serveSocket(t, &recorder{err: failed}).CallTool(t.Context(), "", toolCall)
	if !errors.Is(err, host.ErrPageScript) || errors.Is(err, host.ErrEvaluate) {
		t.Errorf("the error is %#v", err)
	}
}
