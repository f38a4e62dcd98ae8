package agents

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// inEveryWay does something to an element by each of its names.
func (s *spot) inEveryWay(t *testing.T, role, name, id string, do func(s *spot, element arguments)) {
	t.Helper()
	for _, w := range s.ways(role, name, id) {
		t.Run(w.name, func(t *testing.T) {
			sub := *s
			owner := *s.user
			owner.t, sub.user = t, &owner
			do(&sub, w.arguments)
		})
	}
}

// actRows work the pointer and the keys.
var actRows = []row{
	{name: "on a button", tool: "browser_click", run: func(t *testing.T, s *spot) {
		s.inEveryWay(t, "button", "Save", "save", func(s *spot, element arguments) {
			want(s.t, s.good("browser_click", element), "clicked", `"button \"Save\""`)
			s.tookOne("click", "save")
		})
	}},
	{name: "with another button of the mouse", tool: "browser_click", run: func(_ *testing.T, s *spot) {
		s.good("browser_click", arguments{"ref": s.ref("button", "Save"), "button": "right"})
		is(s.t, "button", s.tookOne("contextmenu", "save").Button, 2)
	}},
	{name: "with force", tool: "browser_click", run: func(_ *testing.T, s *spot) {
		s.good("browser_click", arguments{"ref": s.ref("button", "Save"), "force": true})
		s.tookOne("click", "save")
	}},
	{name: "once something is hidden", tool: "browser_click", run: func(_ *testing.T, s *spot) {
		s.good("browser_click", arguments{"ref": s.ref("button", "Veil")})
		s.good("browser_click", s.inTab(arguments{"selector": "#save", "wait_for_hidden": "#veiled"}))
		s.tookOne("click", "save")
		var hidden bool
		s.evaluate(`find("veiled").hidden`, &hidden)
		is(s.t, "hidden", hidden, true)
	}},
	{name: "on a link that opens a tab", tool: "browser_click", run: func(_ *testing.T, s *spot) {
		r := s.good("browser_click", arguments{"ref": s.ref("link", "Blank")})
		want(s.t, r, "navigated", "null")
		opened := text(s.t, r, "new_tabs.0.handle")
		s.good("browser_wait_for", arguments{"text": "two", "tab": opened})
		want(s.t, s.good("browser_tabs", arguments{"action": "close", "tab": opened}), "tab.handle", shared.Dump(opened))
		s.log()
	}},
	{name: "that opens a file chooser", tool: "browser_click", run: func(_ *testing.T, s *spot) {
		want(s.t, s.good("browser_click", arguments{"ref": s.ref("button", "Chooser")}), "file_chooser", "true")
		s.log()
	}},
	{name: "on a button", tool: "browser_dblclick", run: func(t *testing.T, s *spot) {
		s.inEveryWay(t, "button", "Save", "save", func(s *spot, element arguments) {
			want(s.t, s.good("browser_dblclick", element), "clicked", `"button \"Save\""`)
			clicks := 0
			var all []event
			s.evaluate(`take("dblclick", "save")`, &all)
			for _, e := range all {
				if e.Type == "click" && e.Trusted && e.Inside {
					clicks++
				}
			}
			is(s.t, "clicks", clicks, 2)
		})
	}},
	{name: "over a button", tool: "browser_hover", run: func(t *testing.T, s *spot) {
		s.inEveryWay(t, "button", "Over", "over", func(s *spot, element arguments) {
			s.good("browser_hover", arguments{"ref": s.ref("button", "Save")})
			s.log()
			want(s.t, s.good("browser_hover", element), "hovered", `"button \"Over\""`)
			s.tookOne("mouseover", "over")
		})
	}},
	{name: "at a point", tool: "browser_mouse", run: func(t *testing.T, s *spot) {
		save := s.ref("button", "Save")
		s.good("browser_hover", arguments{"ref": save}) // which brings it into view
		_, box := s.seen(t, save)
		x, y := (box.Min.X+box.Max.X)/2, (box.Min.Y+box.Max.Y)/2
		s.log()
		for action, kind := range map[string]string{"click": "click", "double_click": "dblclick"} {
			want(s.t, s.good("browser_mouse", s.inTab(arguments{"action": action, "x": x, "y": y})), "element", `"button \"Save\""`)
			s.took(kind, "save")
		}
		s.bad("browser_mouse", s.inTab(arguments{"action": "click", "x": 99999, "y": y}), "bad_arguments", "viewport")
		s.bad("browser_mouse", s.inTab(arguments{"action": "drag", "x": x, "y": y, "to_x": 5}), "bad_arguments", "to_x")
		s.log()
	}},
	{name: "of data", tool: "browser_drag", run: func(_ *testing.T, s *spot) {
		for _, a := range []arguments{
			{"ref": s.ref("button", "Source"), "to_ref": s.ref("button", "Goal")},
			s.inTab(arguments{"selector": "#source", "to_selector": "#goal"}),
			s.inTab(arguments{"selector": "#source", "to_ref": s.ref("button", "Goal"), "frame_id": s.frame}),
		} {
			want(s.t, s.good("browser_drag", a), "dragged", `"button \"Source\""`)
			drops := s.took("dropped", "goal")
			if len(drops) != 1 || drops[0].Value != "cargo" {
				s.t.Errorf("%s: dropped %s", shared.Dump(a), shared.Dump(drops))
			}
		}
	}},
	{name: "within a box", tool: "browser_scroll", run: func(t *testing.T, s *spot) {
		s.inEveryWay(t, "button", "Pane", "pane", func(s *spot, element arguments) {
			s.evaluate(`{ find("pane").scrollTop = 0; 0 }`, new(int))
			s.good("browser_hover", element) // which brings it into view
			var before, after [2]float64
			const places = `[document.scrollingElement.scrollTop, find("pane").scrollTop]`
			s.evaluate(places, &before)
			want(s.t, s.good("browser_scroll", element.with(arguments{"direction": "down", "amount": 120})), "scrolled", `"down"`)
			s.evaluate(places, &after)
			if after[0] != before[0] || after[1] <= before[1] {
				s.t.Errorf("scrolled from %v to %v", before, after)
			}
			s.good("browser_scroll", element.with(arguments{"direction": "up", "amount": 500}))
			s.evaluate(places, &after)
			is(s.t, "scrolled back", after[1], 0)
		})
		s.log()
	}},
	{name: "of the keyboard", tool: "browser_press", run: func(t *testing.T, s *spot) {
		s.inEveryWay(t, "textbox", "Query", "query", func(s *spot, element arguments) {
			want(s.t, s.good("browser_press", element.with(arguments{"key": "Enter"})), "pressed", `"Enter"`)
			var all []event
			s.evaluate(`take("submit", "form")`, &all)
			if len(all) == 0 || all[0].Type != "keydown" || all[0].ID != "query" || all[0].Key != "Enter" || !all[0].Trusted {
				s.t.Errorf("pressed Enter: %s", shared.Dump(all))
			}
		})
		s.good("browser_press", s.inTab(arguments{"key": "a"}))
		is(s.t, "the field that has the focus", s.took("input", "query")[0].Value, "a")
	}},
	{name: "of a link", tool: "browser_download", run: func(t *testing.T, s *spot) {
		s.inEveryWay(t, "link", "Download", "download", func(s *spot, element arguments) {
			r := s.good("browser_download", element)
			wantKeys(s.t, r, "path", "name", "bytes")
			want(s.t, r, "name", `"file.bin"`)
			path := text(s.t, r, "path")
			is(s.t, "directory", filepath.Dir(path), s.options.DownloadDir)
			content, err := os.ReadFile(path)
			if err != nil || string(content) != fileContent {
				s.t.Errorf("the file has %q: %v", content, err)
			}
		})
		s.log()
	}},
}
