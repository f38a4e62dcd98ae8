package agent

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func TestURLsThatCannotBeLoaded(t *testing.T) {
	in := func(s scripting) context.Context { return context.WithValue(t.Context(), scriptingKey{}, s) }
	direct, full, safe, off := t.Context(), in(scripting{tool: "browser_evaluate"}), in(scripting{}), in(scripting{disabled: true})
	for name, c := range map[string]struct {
		ctx  context.Context
		url  string
		code error
		says string
	}{
		"a site for everybody":        {safe, "https://example.org/", nil, ""},
		"a file":                      {safe, "file:///tmp/x", nil, ""},
		"an empty page":               {safe, "about:blank", nil, ""},
		"data without a tool":         {safe, "data:text/html,<script>1</script>", host.ErrRefused, "no tool in the toolsets in use"},
		"a blob without a tool":       {safe, "blob:https://example.org/1", host.ErrRefused, "url:"},
		"data with a tool":            {full, "data:text/html,<p>x", nil, ""},
		"data without a view":         {direct, "data:text/html,<p>x", nil, ""},
		"script without a tool":       {safe, "javascript:1", fault.ErrBadArguments, "give a URL"},
		"script with a tool":          {full, "javascript:1", fault.ErrBadArguments, "use browser_evaluate to run script"},
		"script without a view":       {direct, "javascript:1", fault.ErrBadArguments, "loads nothing"},
		"script in disguise":          {full, "\x01 JAVA\tscr\nipt:1", fault.ErrBadArguments, "loads nothing"},
		"what the host refuses":       {off, "javascript:1", nil, ""},
		"a word that begins like it":  {full, "javascript", nil, ""},
		"the source of what is not":   {safe, "view-source:https://example.org/", host.ErrRefused, "about:blank"},
		"an address without a scheme": {safe, "example.org", nil, ""},
		"a word":                      {safe, "example", host.ErrRefused, "https:"},
	} {
		t.Run(name, func(t *testing.T) {
			err := loadable(c.ctx, "url", c.url)
			if !errors.Is(err, c.code) || c.code != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %v with %q", err, c.code, c.says)
			}
		})
	}
}

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
