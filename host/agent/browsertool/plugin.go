package browsertool

import (
	"context"
	"encoding/json"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// CallPlugin calls a plugin's tool; the host checks the arguments.
func (b *Browser) CallPlugin(ctx context.Context, t host.PluginTool, arguments json.RawMessage) (result.Result, error) {
	call := host.PluginToolCall{Plugin: t.Plugin, Tool: t.Name}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &call.Arguments); err != nil || call.Arguments == nil {
			return result.Result{}, result.BadArgument("", "%s takes a JSON object", t.Name)
		}
	}
	ctx, cancel := b.kit.Within(ctx, toolkit.Timeout{})
	defer cancel()
	if _, err := b.kit.OnPage(ctx, ""); err != nil {
		return result.Result{}, err
	}
	value, err := b.kit.Task.CallPluginTool(ctx, call)
	return toolkit.Then(ctx, b.kit, value, err, func(_ context.Context, r host.PluginToolResult) (result.Result, error) {
		return result.OfPlugin(r), nil
	})
}
