package agents

import (
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// obstacle is an element of the page wall that cannot be acted on.
type obstacle struct {
	what  string
	tool  string
	on    string // the id of the element
	more  arguments
	kind  string // of the obstacle; empty where the error is of another kind
	words []string
}

var obstacles = []obstacle{
	{"covered", "browser_click", "covered", nil, "covered", []string{`button "Covered"`, `dialog "Cookies" (selector "div#cover")`, "force"}},
	{"disabled", "browser_click", "disabled", nil, "disabled", []string{`button "Disabled"`, "attribute disabled"}},
	{"disabled by what is above it", "browser_click", "aria", nil, "disabled", []string{`button "Aria"`, "div#group"}},
	{"inert", "browser_click", "inert", nil, "disabled", []string{"inert", "div#frozen"}},
	{"invisible", "browser_click", "hidden", nil, "hidden", []string{"visibility: hidden"}},
	{"not rendered", "browser_click", "within", nil, "hidden", []string{"display: none", "div#none"}},
	{"without a size", "browser_click", "zero", nil, "hidden", []string{"no size"}},
	{"moving", "browser_click", "moving", nil, "moving", []string{`button "Moving"`, "at rest"}},
	{"where nobody can scroll to", "browser_click", "outside", nil, "outside", []string{`button "Outside"`}},
	{"cut off by a box", "browser_click", "clipped", nil, "outside", []string{`button "Clipped"`, "div#clip"}},
	{"nothing to the pointer", "browser_click", "through", nil, "disabled", []string{`button "Through"`, "pointer-events: none"}},
	{"read-only", "browser_type", "fixed", arguments{"text": "x"}, "read-only", []string{`textbox "Fixed"`}},
	{"no field", "browser_type", "twin", arguments{"text": "x"}, "unfit", []string{`button "Twin"`, "not a text field"}},
	{"no date", "browser_type", "day", arguments{"text": "tomorrow"}, "unfit", []string{"2006-01-02"}},
	{"without that option", "browser_select", "size", arguments{"values": []string{"Huge"}}, "", []string{`"Huge"`, `"Small"`, `"Medium"`}},
	{"with that option disabled", "browser_select", "size", arguments{"values": []string{"m"}}, "unfit", []string{"disabled"}},
	{"no select", "browser_select", "twin", arguments{"values": []string{"s"}}, "unfit", []string{"not a select"}},
	{"no box", "browser_check", "twin", nil, "unfit", []string{"not a checkbox"}},
	{"a box that stays as it is", "browser_check", "stubborn", nil, "unfit", []string{`checkbox "Stubborn"`, "checked=true"}},
	{"no field for files", "browser_upload", "twin", arguments{"paths": []string{"FILE"}}, "unfit", []string{"not a file input", "no file chooser"}},
	{"a field for one file", "browser_upload", "file", arguments{"paths": []string{"FILE", "FILE"}}, "unfit", []string{"one file"}},
}

// wallPlaces are those in which every obstacle is met.
var wallPlaces = []string{
	"main frame", "frame of the same origin", "three frames deep, each of another origin", "closed shadow root",
	"closed shadow root in a frame of another origin", "popup", "frames that are scrolled, turned and shrunk",
}

func TestWhatIsInTheWayIsNamedInEveryPlace(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	path := writeFile(t)
	for _, p := range places {
		if !slices.Contains(wallPlaces, p.name) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := b.at(t, p, "wall")
			for _, o := range obstacles {
				t.Run(o.what, func(t *testing.T) { s.in(t).meet(o, path) })
			}
			t.Run("removed while the call waits", func(t *testing.T) {
				s := s.in(t)
				s.evaluate(`{ remove("leaving", 1200); 0 }`, new(int))
				want(t, s.bad("browser_click", s.inTab(arguments{"selector": "#leaving", "timeout_ms": 15000}), "not_actionable", "removed"), "obstacle", `"detached"`)
			})
			t.Run("the first of two", func(t *testing.T) {
				s := s.in(t)
				s.good("browser_click", s.inTab(arguments{"selector": ".twin"}))
				s.tookOne("click", "twin")
			})
			t.Run("force", func(t *testing.T) {
				s := s.in(t)
				for id, met := range map[string]string{"covered": "cover", "through": "wall"} {
					s.good("browser_click", s.inTab(arguments{"selector": "#" + id, "force": true}))
					if list := s.took("click", met); !list[0].Trusted {
						t.Errorf("with force on %s: %s", id, shared.Dump(list))
					}
				}
			})
		})
	}
}

// meet runs into an obstacle, which has to be named, and nothing may be done to any element.
func (s *spot) meet(o obstacle, path string) {
	s.t.Helper()
	a := s.inTab(arguments{"selector": "#" + o.on}).with(o.more)
	if paths, ok := a["paths"].([]string); ok {
		a["paths"] = slices.Repeat([]string{path}, len(paths))
	}
	s.log()
	r := s.inVain(o.tool, a, "not_actionable", o.words...)
	if o.kind != "" {
		want(s.t, r, "obstacle", shared.Dump(o.kind))
	}
	want(s.t, r, "untrusted.fields.0", `"error"`)
	for _, e := range s.log() {
		if o.tool == "browser_click" && e.Type == "click" {
			s.t.Errorf("it was clicked nevertheless: %s", shared.Dump(e))
		}
	}
}

// What covers an element is in the way of every tool that points at it.
func TestACoverIsInTheWayOfEveryPointer(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	path := writeFile(t)
	for tool, a := range map[string]arguments{
		"browser_click": {"selector": "#save"}, "browser_dblclick": {"selector": "#save"}, "browser_hover": {"selector": "#save"},
		"browser_type": {"selector": "#name", "text": "x"}, "browser_check": {"selector": "#box"}, "browser_download": {"selector": "#download"},
		"browser_drag": {"selector": "#source", "to_selector": "#goal"}, "browser_upload": {"selector": "#chooser", "paths": []string{path}},
	} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			s := b.at(t, places[2], "play")
			s.evaluate(`{
				const cover = document.createElement("div");
				cover.id = "veil-of-all";
				cover.style = "position: fixed; inset: 0; background: tomato";
				document.body.append(cover);
				0
			}`, new(int))
			want(t, s.inVain(tool, a, "not_actionable", `selector "div#veil-of-all"`), "obstacle", `"covered"`)
			for _, e := range s.log() {
				if e.ID != "veil-of-all" && e.Trusted && slices.Contains([]string{"click", "dblclick", "input", "drop"}, e.Type) {
					t.Errorf("it was done nevertheless: %s", shared.Dump(e))
				}
			}
		})
	}
}
