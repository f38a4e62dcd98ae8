package agents

import (
	"cmp"
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// answersBeside are tools that work though a dialog holds the page, with arguments for it.
var answersBeside = map[string]arguments{
	"browser_snapshot": nil, "browser_find": {"text": "x"}, "browser_console": nil, "browser_tabs": nil,
	"browser_emulate": {"color_scheme": "dark"}, "browser_network_requests": nil, "browser_network_request": {"id": "r1"},
	"browser_route": {"action": "list"}, "browser_trace": {"action": "start"}, "browser_record": {"action": "start"},
}

// closes are those that end the dialog, or the session with it.
var closes = []string{"browser_dialog", "browser_close"}

// While a dialog holds a page every tool says so at once and does nothing, or works without the page.
func TestEveryToolWhileADialogIsOpen(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	path := writeFile(t)
	for _, p := range places {
		if !slices.Contains(wallPlaces, p.name) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := b.at(t, p, "play")
			save := s.ref("button", "Save")
			blocked := s.bad("browser_click", arguments{"ref": s.ref("button", "Ask")}, "blocked_by_dialog")
			id := text(t, blocked, "pending_dialogs.0.id")
			for _, tool := range everyone(b) {
				s.beside(t, tool.Name, save, path, id)
			}
			s.bad("browser_dialog", arguments{"action": "accept", "dialog_id": "d-99"}, "unknown_dialog", "d-99", id)
			s.good("browser_dialog", arguments{"action": "dismiss"})
			s.good("browser_resume", arguments{"call_id": text(t, blocked, "call_id")})
			s.bad("browser_dialog", arguments{"action": "accept"}, "no_dialog", "no dialog")
			log := s.log()
			if slices.ContainsFunc(log, func(e event) bool { return e.ID == "save" || e.ID == "name" }) {
				t.Errorf("something was done meanwhile: %s", shared.Dump(log))
			}
			s.good("browser_click", arguments{"ref": save})
			s.tookOne("click", "save")
		})
	}
}

// beside calls a tool while the dialog is open.
func (s *spot) beside(t *testing.T, tool, ref, path, id string) {
	t.Helper()
	if slices.Contains(closes, tool) {
		return
	}
	if tool == "browser_ask_operator" {
		s.asksAPerson(t)
		return
	}
	if a, ok := answersBeside[tool]; ok {
		r := s.good(tool, a)
		if (tool == "browser_snapshot" || tool == "browser_find") && !s.popup {
			want(t, r, "stale", "true")
		}
		return
	}
	whole := s.inTab(arguments{})
	a := map[string]arguments{
		"browser_type": {"ref": ref, "text": "x"}, "browser_press": {"ref": ref, "key": "a"}, "browser_scroll": {"ref": ref, "direction": "down"},
		"browser_select": {"ref": ref, "values": []string{"m"}}, "browser_drag": {"ref": ref, "to_ref": ref}, "browser_upload": {"ref": ref, "paths": []string{path}},
		"browser_evaluate": s.inTab(arguments{"expression": "document.title = 'x'"}), "browser_navigate": s.inTab(arguments{"url": "{{localhost}}/two"}),
		"browser_wait_for": s.inTab(arguments{"selector": "#save"}), "browser_vision": s.inTab(arguments{"question": "what?"}),
		"browser_mouse":     s.inTab(arguments{"action": "click", "x": 5, "y": 5}),
		"browser_highlight": {"ref": ref},
		"browser_get":       {"ref": ref, "what": "state"}, "browser_save": s.inTab(arguments{"format": "pdf"}),
		"browser_get_images": whole, "browser_back": whole, "browser_forward": whole, "browser_reload": whole,
		"browser_cdp": {"method": "Runtime.evaluate", "params": arguments{"expression": "document.title = 'x'"}, "frame_id": s.frame},
		"browser_interact": s.inTab(arguments{"actions": []arguments{
			{"action": "click", "ref": ref}, {"action": "extract_text"},
		}}),
		"browser_resume": {"call_id": "c-1"}, "browser_state": {"action": "save", "name": "blocked"},
	}[tool]
	if a == nil {
		a = arguments{"ref": ref}
	}
	r := s.call(tool, a)
	if tool == "browser_interact" {
		want(t, r, "abort_reason", `"blocked_by_dialog"`)
		want(t, r, "results.0.kind", `"blocked_by_dialog"`)
		want(t, r, "results.1", "null")
		return
	}
	s.failed(r, tool, "blocked_by_dialog", id)
	want(t, r, "pending_dialogs.0.id", shared.Dump(id))
	if call := lookUp(t, r, "call_id"); tool != "browser_resume" && call != "null" {
		t.Errorf("%s began something: %s", tool, show(r))
	}
}

// Two dialogs of two tabs are told apart by their ids.
func TestTwoDialogsAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	for name, first := range map[string]place{
		"in the tabs themselves": places[0], "in a frame of another origin, and a tab": places[2], "in a popup of another origin, and a tab": places[8],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := b.at(t, first, "play")
			// A page of another site has a process of its own, which the dialog of the first does not hold.
			second := text(t, s.good("browser_tabs", arguments{"action": "open", "url": "{{127.0.0.2}}/play-main-frame-0"}), "tab.handle")
			s.good("browser_wait_for", arguments{"selector": "#ready", "state": "attached", "tab": second})
			s.tab = cmp.Or(s.tab, "t1") // which is not the one in use any more
			one := s.bad("browser_click", s.inTab(arguments{"selector": "#ask"}), "blocked_by_dialog")
			two := s.bad("browser_click", arguments{"selector": "#ask", "tab": second}, "blocked_by_dialog")
			id, other := text(t, one, "pending_dialogs.0.id"), text(t, two, "pending_dialogs.0.id")
			if id == other {
				t.Fatalf("both are %s", id)
			}
			r := s.bad("browser_dialog", arguments{"action": "accept"}, "ambiguous_dialog", id, other)
			want(t, r, "pending_dialogs.0.id", shared.Dump(id))
			want(t, r, "pending_dialogs.1.id", shared.Dump(other))
			s.good("browser_dialog", arguments{"action": "dismiss", "dialog_id": id})
			want(t, s.good("browser_resume", arguments{"call_id": text(t, one, "call_id")}), "dialogs.0.id", shared.Dump(id))
			s.good("browser_dialog", arguments{"action": "accept"}) // it is the only one now
			want(t, s.good("browser_resume", arguments{"call_id": text(t, two, "call_id")}), "dialogs.1.id", shared.Dump(other))
			is(t, "the first page got", s.took("answer", "ask")[0].Value, "null")
		})
	}
}
