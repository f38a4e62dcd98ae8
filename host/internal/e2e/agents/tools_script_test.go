package agents

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// scriptRows run script of the agent's, and read what scripts of the page's say.
var scriptRows = []row{
	{name: "on an element", tool: "browser_evaluate", run: func(t *testing.T, s *spot) {
		node := lookUp(t, s.good("browser_evaluate", arguments{"ref": s.ref("button", "Save"), "expression": "e => e"}), "backend_node_id")
		for name, a := range map[string]arguments{
			"by ref":                 {"ref": s.ref("button", "Save")},
			"by selector":            s.inTab(arguments{"selector": "#save"}),
			"by role in a frame":     s.inTab(arguments{"role": "button", "name": "Save", "frame_id": s.frame}),
			"by text in a frame":     s.inTab(arguments{"text": "Save", "frame_id": s.frame}),
			"by selector in a frame": s.inTab(arguments{"selector": "#save", "frame_id": s.frame}),
			"by node":                s.inTab(arguments{"backend_node_id": number(t, node), "frame_id": s.frame}),
		} {
			r := s.good("browser_evaluate", a.with(arguments{"expression": "async e => [e.id, e.ownerDocument.location.pathname]"}))
			want(t, r, "result", shared.Dump([]string{"save", s.path(s.kind, len(s.above))}))
			want(t, r, "ok", "true")
			want(t, r, "result_type", `"array"`)
			if t.Failed() {
				t.Log(name)
			}
		}
	}},
	{name: "in the frame", tool: "browser_evaluate", run: func(t *testing.T, s *spot) {
		r := s.good("browser_evaluate", s.inTab(arguments{"frame_id": s.frame, "expression": "location.pathname"}))
		want(t, r, "result", shared.Dump(s.path(s.kind, len(s.above))))
		want(t, r, "result_type", `"string"`)
	}},
	{name: "in the frame", tool: "browser_cdp", run: func(t *testing.T, s *spot) {
		r := s.good("browser_cdp", arguments{
			"method": "Runtime.evaluate", "params": arguments{"expression": "location.pathname"}, "frame_id": s.frame,
		})
		want(t, r, "method", `"Runtime.evaluate"`)
		want(t, r, "result.result.value", shared.Dump(s.path(s.kind, len(s.above))))
		want(t, r, "frame_id", shared.Dump(s.frame))
		wantKeys(t, r, "session_id")
	}},
	{name: "in the tab", tool: "browser_cdp", top: true, run: func(t *testing.T, s *spot) {
		r := s.good("browser_cdp", arguments{"method": "Page.getNavigationHistory", "target_id": s.target})
		want(t, r, "target_id", shared.Dump(s.target))
		wantKeys(t, r, "session_id", "result")
	}},
	{name: "of what the page says", tool: "browser_console", run: func(t *testing.T, s *spot) {
		s.good("browser_console", arguments{"clear": true})
		s.good("browser_click", arguments{"ref": s.ref("button", "Tell")})
		s.good("browser_click", arguments{"ref": s.ref("button", "Fail")})
		path := s.path(s.kind, len(s.above))
		r := s.good("browser_console", arguments{"clear": true})
		want(t, r, "console_messages.0.type", `"log"`)
		want(t, r, "console_messages.0.text", shared.Dump("told "+path))
		if !strings.Contains(text(t, r, "console_messages.0.source"), "play.js") {
			t.Errorf("no source in %s", show(r))
		}
		if !strings.Contains(text(t, r, "js_errors.0.message"), "failed at "+path) {
			t.Errorf("no error in %s", show(r))
		}
		want(t, r, "total_messages", "1")
		want(t, r, "total_errors", "1")
		want(t, s.good("browser_console", nil), "total_messages", "0")
		s.log()
	}},
	{name: "of an expression", tool: "browser_console", top: true, run: func(t *testing.T, s *spot) {
		r := s.good("browser_console", arguments{"expression": "Promise.resolve({a: 1})"})
		want(t, r, "result", `{"a":1}`)
		want(t, r, "result_type", `"object"`)
	}},
}

// number reads the JSON of a number.
func number(t *testing.T, text string) (n int64) {
	t.Helper()
	for _, digit := range text {
		if digit < '0' || digit > '9' {
			t.Fatalf("%s is no number", text)
		}
		n = 10*n + int64(digit-'0')
	}
	return n
}
