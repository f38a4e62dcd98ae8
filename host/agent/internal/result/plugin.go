package result

import (
	"cmp"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// OfPlugin puts what the module returned under separate keys.
func OfPlugin(r host.PluginToolResult) Result {
	object := map[string]any{"success": !r.IsError, "text": r.Text}
	if r.Structured != nil {
		object["result"] = r.Structured
	}
	if r.IsError {
		object["error"], object["kind"], object["code"] = r.Text, string(host.ErrToolFailed), string(host.ErrToolFailed)
	}
	text := r.Text
	if r.Untrusted {
		object["untrusted"] = Untrusted{Origin: r.Origin, Fields: []string{"text", "result", "error"}}
		text = "made from what the page at " + cmp.Or(r.Origin, "an unknown origin") + " says:\n" + text
	}
	return Result{Text: text, Structured: object, IsError: r.IsError}
}
