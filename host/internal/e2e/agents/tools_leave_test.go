package agents

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// leaveRows leave the page, and end the session; so they come last.
var leaveRows = []row{
	{name: "within the document", tool: "browser_click", run: func(t *testing.T, s *spot) {
		r := s.good("browser_click", arguments{"ref": s.ref("link", "Hash")})
		if !s.framed() {
			want(t, r, "navigated", shared.Dump(s.URL(s.host(0), s.path(s.kind, 0)+"#part")))
		}
		s.good("browser_back", s.inTab(nil))
		s.waitFor(`location.hash === ""`)
		s.log()
	}},
	{name: "and back", tool: "browser_back", run: func(t *testing.T, s *spot) {
		s.leaveByLink()
		r := s.good("browser_back", s.inTab(nil))
		wantKeys(t, r, "url")
		if !s.framed() {
			want(t, r, "url", shared.Dump(s.URL(s.host(0), s.path(s.kind, 0))))
			if text(t, r, "title") == "/after" {
				t.Errorf("the title is that of the page that was left: %s", show(r))
			}
		}
		s.relocate(s.path(s.kind, len(s.above)))
		s.waitFor(`document.readyState === "complete" && globalThis.find !== undefined`)
	}},
	{name: "again", tool: "browser_forward", run: func(t *testing.T, s *spot) {
		r := s.good("browser_forward", s.inTab(nil))
		wantKeys(t, r, "url")
		if !s.framed() {
			want(t, r, "url", shared.Dump(s.URL(s.host(0), "/after")))
		}
		s.relocate("/after")
		s.good("browser_back", s.inTab(nil))
		s.relocate(s.path(s.kind, len(s.above)))
	}},
	{name: "of the tab", tool: "browser_reload", run: func(t *testing.T, s *spot) {
		s.waitFor(`globalThis.find !== undefined`)
		s.evaluate(`{ globalThis.mark = 1; 0 }`, new(int))
		before := s.Visits(s.path(s.kind, len(s.above)))
		r := s.good("browser_reload", s.inTab(nil))
		wantKeys(t, r, "url")
		if err := s.Visited(s.ctx, s.path(s.kind, len(s.above)), before+1); err != nil {
			t.Fatal(err)
		}
		s.relocate(s.path(s.kind, len(s.above)))
		s.good("browser_wait_for", s.inTab(arguments{"selector": "#ready", "state": "attached"}))
		s.waitFor(`globalThis.mark === undefined && globalThis.find !== undefined`)
		s.read = agent.Result{}
		s.good("browser_click", arguments{"ref": s.ref("button", "Save")})
		s.tookOne("click", "save")
	}},
	{name: "of tabs", tool: "browser_tabs", run: func(t *testing.T, s *spot) {
		list := s.good("browser_tabs", nil)
		if s.popup {
			want(t, list, "tabs.1.popup", "true")
			want(t, list, "tabs.1.handle", shared.Dump(s.tab))
		}
		opened := s.good("browser_tabs", arguments{"action": "open", "url": "{{localhost}}/two"})
		handle := text(t, opened, "tab.handle")
		s.good("browser_wait_for", arguments{"tab": handle, "text": "two"})
		focused := arguments{"action": "focus", "tab": s.target}
		want(t, s.good("browser_tabs", focused), "tab.target_id", shared.Dump(s.target))
		s.good("browser_click", s.inTab(arguments{"selector": "#save"}))
		s.tookOne("click", "save")
		want(t, s.good("browser_tabs", arguments{"action": "close", "tab": handle}), "tab.handle", shared.Dump(handle))
		s.bad("browser_snapshot", arguments{"tab": handle}, "unknown_tab", handle)
	}},
	{name: "of the place's tab", tool: "browser_navigate", run: func(t *testing.T, s *spot) {
		for _, until := range []string{"commit", "domcontentloaded", "load", "networkidle"} {
			r := s.good("browser_navigate", s.inTab(arguments{"url": "{{localhost}}/two?" + until, "wait_until": until}))
			want(t, r, "url", shared.Dump(s.URL("localhost", "/two?"+until)))
			want(t, r, "http_status", "200")
			wantKeys(t, r, "title", "snapshot", "element_count")
		}
		r := s.good("browser_navigate", s.inTab(arguments{"url": "{{localhost}}/nowhere"}))
		want(t, r, "http_status", "404")
		want(t, r, "warnings.0", `"the server answered 404"`)
	}},
	{name: "of the session", tool: "browser_close", run: func(t *testing.T, s *spot) {
		want(t, s.good("browser_close", nil), "closed", "true")
		<-s.Done()
		s.bad("browser_snapshot", nil, "unknown_task", s.ID())
	}},
}

// leaveByLink clicks the link of the page, and waits until the frame has the page behind it.
func (s *spot) leaveByLink() {
	s.t.Helper()
	r := s.good("browser_click", s.inTab(arguments{"selector": "#link"}))
	if !s.framed() {
		want(s.t, r, "navigated", shared.Dump(s.URL(s.host(0), "/after")))
	}
	s.relocate("/after")
}

// relocate waits until the frame of the place has another document.
func (s *spot) relocate(path string) {
	s.t.Helper()
	s.locate(s.URL(s.host(len(s.above)), path))
	s.read = agent.Result{}
}

// waitFor waits for a condition in the page.
func (s *spot) waitFor(condition string) {
	s.t.Helper()
	s.evaluate(`new Promise(done => { const look = () => `+condition+` ? done(0) : setTimeout(look, 20); look() })`, new(int))
}
