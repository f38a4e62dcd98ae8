package agent

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// callPlugin calls a plugin's tool; the host checks the arguments.
func (b *Browser) callPlugin(ctx context.Context, t host.PluginTool, arguments json.RawMessage) (result.Result, error) {
	call := host.PluginToolCall{Plugin: t.Plugin, Tool: t.Name}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &call.Arguments); err != nil || call.Arguments == nil {
			return result.Result{}, result.BadArgument("", "%s takes a JSON object", t.Name)
		}
	}
	ctx, cancel := b.within(ctx, Timeout{})
	defer cancel()
	if _, err := b.onPage(ctx, ""); err != nil {
		return result.Result{}, err
	}
	value, err := b.task.CallPluginTool(ctx, call)
	return then(ctx, b, value, err, func(_ context.Context, r host.PluginToolResult) (result.Result, error) {
		return pluginResult(r), nil
	})
}

// pluginResult puts what the module returned under separate keys.
func pluginResult(r host.PluginToolResult) result.Result {
	object := map[string]any{"success": !r.IsError, "text": r.Text}
	if r.Structured != nil {
		object["result"] = r.Structured
	}
	if r.IsError {
		object["error"], object["kind"], object["code"] = r.Text, string(host.ErrToolFailed), string(host.ErrToolFailed)
	}
	text := r.Text
	if r.Untrusted {
		object["untrusted"] = result.Untrusted{Origin: r.Origin, Fields: []string{"text", "result", "error"}}
		text = "made from what the page at " + cmp.Or(r.Origin, "an unknown origin") + " says:\n" + text
	}
	return result.Result{Text: text, Structured: object, IsError: r.IsError}
}
