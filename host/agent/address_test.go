package agent

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Toolsets without a tool for scripts have no other way to run script of the agent's.
func TestToolsetsWithoutScriptRunNone(t *testing.T) {
	w := newWorld(t, map[string]string{"/": "<p>untouched</p>"}, Options{})
	const script = `document.body.textContent='ran'`
	for _, toolset := range []string{"browser-safe", "browser-read"} {
		w.good("browser_navigate", `{"url":"SITE/"}`)
		call := func(name, arguments string) (Result, error) {
			return w.registry.Call(w.ctx, Call{Task: "task", Name: name, Arguments: json.RawMessage(arguments), Toolsets: []string{toolset}})
		}
		for _, c := range []struct {
			name, arguments string
			kind            host.Code
		}{
			{"browser_navigate", `{"url":"javascript:void(` + script + `)"}`, host.ErrBadArguments},
			{"browser_navigate", `{"url":"data:text/html,<script>` + script + `</script>"}`, host.ErrRefused},
			{"browser_tabs", `{"action":"open","url":"javascript:void(` + script + `)"}`, host.ErrBadArguments},
			{"browser_tabs", `{"action":"open","url":"data:text/html,<script>` + script + `</script>"}`, host.ErrRefused},
			{"browser_interact", `{"url":"javascript:void(` + script + `)","actions":[{"action":"reload"}]}`, host.ErrBadArguments},
			{"browser_interact", `{"actions":[{"action":"goto","url":"javascript:void(` + script + `)"}]}`, host.ErrBadArguments},
			{"browser_interact", `{"actions":[{"action":"goto","url":"data:text/html,<script>` + script + `</script>"}]}`, host.ErrRefused},
			{"browser_interact", `{"actions":[{"action":"evaluate","text":"` + script + `"}]}`, host.ErrBadArguments},
			{"browser_interact", `{"actions":[{"action":"wait_for","expression":"` + script + `"}]}`, host.ErrRefused},
			{"browser_console", `{"expression":"` + script + `"}`, ""},
			{"browser_evaluate", `{"expression":"` + script + `"}`, ""},
			{"browser_cdp", `{"method":"Runtime.evaluate","params":{"expression":"` + script + `"}}`, ""},
		} {
			r, err := call(c.name, c.arguments)
			absent := c.kind == "" || toolset == "browser-read" && c.name != "browser_navigate"
			if absent && !errors.Is(err, fault.ErrUnknownTool) || !absent && (err != nil || r.Structured["kind"] != string(c.kind)) {
				t.Errorf("%s: %s %s: got %v, %s", toolset, c.name, c.arguments, err, show(r))
			}
		}
		if r, err := call("browser_extract_text", `{}`); err != nil || r.Structured["text"] != "untouched" {
			t.Errorf("%s: the page became %s, %v", toolset, show(r), err)
		}
	}
	if n := len(w.task.Tabs()); n != 1 {
		t.Errorf("there are %d tabs", n)
	}
	want(t, w.good("browser_navigate", `{"url":"data:text/html,<title>data</title>"}`), "title", `"data"`)
	r := w.bad("browser_navigate", `{"url":"javascript:1"}`, host.ErrBadArguments)
	if !strings.Contains(r.Text, "browser_evaluate") {
		t.Errorf("the error does not name the tool: %s", r.Text)
	}
}
