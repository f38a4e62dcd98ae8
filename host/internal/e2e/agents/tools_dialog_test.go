package agents

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// held checks what is known of the only dialog that holds a place, and gives its id.
func (s *spot) held(kind, message string) string {
	s.t.Helper()
	r := s.good("browser_snapshot", s.inTab(nil))
	want(s.t, r, "stale", "true")
	want(s.t, r, "pending_dialogs.0.type", shared.Dump(kind))
	want(s.t, r, "pending_dialogs.0.message", shared.Dump(message))
	want(s.t, r, "pending_dialogs.0.frame_id", shared.Dump(s.frame))
	want(s.t, r, "pending_dialogs.0.origin", shared.Dump(s.URL(s.host(len(s.above)), "")))
	want(s.t, r, "pending_dialogs.0.target_id", shared.Dump(s.target))
	want(s.t, r, "pending_dialogs.1", "null")
	for _, key := range []string{"default_prompt", "opened_at", "session_id"} {
		if lookUp(s.t, r, "pending_dialogs.0."+key) == "null" {
			s.t.Errorf("no %s in %s", key, show(r))
		}
	}
	return text(s.t, r, "pending_dialogs.0.id")
}

// dialogRows let dialogs open in the middle of a call, answer them, and take the call's result afterwards.
var dialogRows = []row{
	{name: "of a prompt", tool: "browser_dialog", run: func(t *testing.T, s *spot) {
		for _, c := range []struct {
			answer arguments
			got    string
		}{
			{arguments{"action": "accept", "prompt_text": "mine"}, "mine"},
			{arguments{"action": "accept"}, "the default"},
			{arguments{"action": "dismiss"}, "null"},
		} {
			blocked := s.bad("browser_click", arguments{"ref": s.ref("button", "Ask")}, "blocked_by_dialog")
			id := s.held("prompt", "What?")
			want(t, blocked, "pending_dialogs.0.id", shared.Dump(id))
			want(t, blocked, "pending_dialogs.0.default_prompt", `"the default"`)
			r := s.good("browser_dialog", c.answer.with(arguments{"dialog_id": id}))
			want(t, r, "action", shared.Dump(c.answer["action"]))
			want(t, r, "dialog.id", shared.Dump(id))
			want(t, r, "dialog.closed_by", `"agent"`)
			r = s.good("browser_resume", arguments{"call_id": text(t, blocked, "call_id")})
			want(t, r, "clicked", `"button \"Ask\""`)
			want(t, r, "dialogs.0.id", shared.Dump(id))
			is(t, "the page got", s.took("answer", "ask")[0].Value, c.got)
		}
		r := s.good("browser_snapshot", s.inTab(nil))
		want(t, r, "stale", "null")
		want(t, r, "recent_dialogs.0.closed_by", `"agent"`)
		if lookUp(t, r, "recent_dialogs.0.closed_at") == "null" {
			t.Errorf("no closed_at in %s", show(r))
		}
	}},
	{name: "that is armed", tool: "browser_dialog", run: func(t *testing.T, s *spot) {
		r := s.good("browser_dialog", arguments{"action": "accept", "prompt_text": "armed", "arm": true, "expires_s": 600})
		want(t, r, "action", `"accept"`)
		want(t, r, "armed.prompt_text", `"armed"`)
		r = s.good("browser_click", arguments{"ref": s.ref("button", "Ask")})
		want(t, r, "dialogs.0.closed_by", `"agent"`)
		want(t, r, "dialogs.0.frame_id", shared.Dump(s.frame))
		is(t, "the page got", s.took("answer", "ask")[0].Value, "armed")
	}},
	{name: "of a call that two dialogs block", tool: "browser_resume", run: func(t *testing.T, s *spot) {
		blocked := s.bad("browser_click", arguments{"ref": s.ref("button", "Twice")}, "blocked_by_dialog")
		call := arguments{"call_id": text(t, blocked, "call_id")}
		s.held("confirm", "one")
		want(t, s.bad("browser_resume", call, "blocked_by_dialog"), "call_id", shared.Dump(call["call_id"]))
		s.good("browser_dialog", arguments{"action": "accept"})
		again := s.bad("browser_resume", call, "blocked_by_dialog")
		want(t, again, "pending_dialogs.0.message", `"two"`)
		want(t, again, "call_id", shared.Dump(call["call_id"]))
		s.good("browser_dialog", arguments{"action": "dismiss"})
		want(t, s.good("browser_resume", call), "clicked", `"button \"Twice\""`)
		is(t, "the page got", s.took("answer", "twice")[0].Value, "true false")
		s.bad("browser_resume", call, "unknown_call", text(t, again, "call_id"))
	}},
	{name: "of an evaluation", tool: "browser_resume", run: func(t *testing.T, s *spot) {
		blocked := s.bad("browser_evaluate", s.inTab(arguments{"frame_id": s.frame, "expression": "[confirm('sure?'), 2]"}), "blocked_by_dialog")
		s.held("confirm", "sure?")
		s.good("browser_dialog", arguments{"action": "accept"})
		r := s.good("browser_resume", arguments{"call_id": text(t, blocked, "call_id")})
		want(t, r, "result", "[true,2]")
		want(t, r, "ok", "true")
	}},
}
