package agents

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// refCalls are the calls of every tool that takes a ref, by what takes it.
func refCalls(path, ref, other string) map[string]struct {
	tool string
	arguments
} {
	type call = struct {
		tool string
		arguments
	}
	return map[string]call{
		"browser_click":         {"browser_click", arguments{"ref": ref}},
		"a forced click":        {"browser_click", arguments{"ref": ref, "force": true}},
		"browser_dblclick":      {"browser_dblclick", arguments{"ref": ref}},
		"browser_hover":         {"browser_hover", arguments{"ref": ref}},
		"browser_type":          {"browser_type", arguments{"ref": ref, "text": "x"}},
		"browser_press":         {"browser_press", arguments{"ref": ref, "key": "Enter"}},
		"browser_scroll":        {"browser_scroll", arguments{"ref": ref, "direction": "down"}},
		"browser_select":        {"browser_select", arguments{"ref": ref, "values": []string{"m"}}},
		"browser_check":         {"browser_check", arguments{"ref": ref}},
		"browser_drag":          {"browser_drag", arguments{"ref": ref, "to_ref": other}},
		"the end of a drag":     {"browser_drag", arguments{"ref": other, "to_ref": ref}},
		"browser_upload":        {"browser_upload", arguments{"ref": ref, "paths": []string{path}}},
		"browser_download":      {"browser_download", arguments{"ref": ref}},
		"browser_extract_text":  {"browser_extract_text", arguments{"ref": ref}},
		"browser_highlight":     {"browser_highlight", arguments{"ref": ref}},
		"browser_get":           {"browser_get", arguments{"ref": ref, "what": "html"}},
		"browser_evaluate":      {"browser_evaluate", arguments{"ref": ref, "expression": "e => e.click()"}},
		"browser_screenshot":    {"browser_screenshot", arguments{"ref": ref}},
		"browser_snapshot":      {"browser_snapshot", arguments{"scope": ref}},
		"in a list of actions":  {"browser_interact", arguments{"actions": []arguments{{"action": "click", "ref": ref}}}},
		"the goal of an action": {"browser_interact", arguments{"actions": []arguments{{"action": "drag", "ref": other, "to_ref": ref}}}},
	}
}

func TestEveryToolThatTakesARefIsTried(t *testing.T) {
	t.Parallel()
	b := newBench(t, "", host.Options{})
	var tried []string
	for _, c := range refCalls("", "", "") {
		tried = append(tried, c.tool)
	}
	for _, tool := range everyone(b) {
		input := string(tool.Input)
		if takesRef(t, tool) && !slices.Contains(tried, tool.Name) {
			t.Errorf("%s takes a ref, and is not tried: %s", tool.Name, input)
		}
	}
}

func takesRef(t *testing.T, tool agent.Tool) bool {
	t.Helper()
	properties := schemaOf(t, tool).Properties
	_, ref := properties["ref"]
	_, scope := properties["scope"]
	return ref || scope
}

// schema is what the tests read of a JSON Schema.
type schema struct {
	Type       string
	Properties map[string]schema
	Required   []string
	Enum       []string
	Items      *schema
}

func schemaOf(t *testing.T, tool agent.Tool) schema {
	t.Helper()
	var s schema
	if err := json.Unmarshal(tool.Input, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// gone are the ways by which an element goes, and takes the place of which another like it.
var gone = []struct {
	name   string
	only   func(place) bool
	do     func(s *spot)
	silent bool // there is no page left that could say what it got
}{
	{name: "the element is made again", do: func(s *spot) {
		s.evaluate(`{ for (const id of ["save", "goal"]) { const e = find(id); e.replaceWith(e.cloneNode(true)) } 0 }`, new(int))
	}},
	{name: "its document is loaded again", do: func(s *spot) {
		s.evaluate(`{ document.getElementById("ready").remove(); setTimeout(() => location.reload()); 0 }`, new(int))
		s.good("browser_wait_for", s.inTab(arguments{"selector": "#ready", "state": "attached"}))
	}},
	{name: "its frame is removed", silent: true, only: func(p place) bool { return p.framed() }, do: func(s *spot) {
		s.good("browser_evaluate", s.inTab(arguments{"expression": `document.querySelector("iframe").remove()`}))
		s.Wait(s.ctx, func(now *host.Snapshot) bool { return len(now.Page().RawFrameTree.Children) == 0 })
	}},
	{name: "its tab is closed", silent: true, only: func(p place) bool { return p.popup }, do: func(s *spot) {
		s.good("browser_tabs", arguments{"action": "close", "tab": s.tab})
		s.tab = ""
	}},
}

// A ref of what is gone never acts on what took its place: it is said to be stale.
func TestAStaleRefIsRefusedByEveryToolInEveryPlace(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	path := writeFile(t)
	for _, p := range places {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := b.at(t, p, "play")
			for _, g := range gone {
				if g.only != nil && !g.only(p) {
					continue
				}
				t.Run(g.name, func(t *testing.T) {
					s := s.in(t)
					s.refuse(g.do, path, g.silent)
				})
			}
		})
	}
}

// refuse lets an element go, and names it in every call.
func (s *spot) refuse(do func(*spot), path string, silent bool) {
	s.t.Helper()
	save, goal := s.ref("button", "Save"), s.ref("button", "Goal")
	do(s)
	if !silent {
		s.log()
	}
	for what, c := range refCalls(path, save, goal) {
		if c.tool == "browser_interact" {
			r := s.call(c.tool, s.inTab(c.arguments))
			want(s.t, r, "results.0.kind", `"stale_ref"`)
			continue
		}
		r := s.call(c.tool, c.arguments)
		if r.Structured["kind"] != "stale_ref" {
			s.t.Errorf("%s: %s", what, show(r))
		}
	}
	if !silent {
		if log := s.log(); slices.ContainsFunc(log, func(e event) bool { return e.Type != "scroll" }) {
			s.t.Errorf("something was acted on: %s", shared.Dump(log))
		}
		r := s.bad("browser_click", arguments{"ref": save}, "stale_ref", "@"+save, `button "Save"`)
		want(s.t, r, "candidates.0.name", `"Save"`)
		s.good("browser_click", arguments{"ref": text(s.t, r, "candidates.0.ref")})
		s.tookOne("click", "save")
	}
	s.read = agent.Result{}
	if silent {
		return
	}
	s.log()
}

// Whichever tool is the first to meet what is gone: no reading of the page has told of it before.
func TestAStaleRefIsRefusedByTheFirstCall(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	s := b.at(t, places[2], "play")
	for what, c := range refCalls(writeFile(t), "REF", "GOAL") {
		save, goal := s.ref("button", "Save"), s.ref("button", "Goal")
		gone[0].do(s)
		encoded, err := json.Marshal(c.arguments)
		if err != nil {
			t.Fatal(err)
		}
		var a arguments
		if err := json.Unmarshal([]byte(strings.NewReplacer("REF", save, "GOAL", goal).Replace(string(encoded))), &a); err != nil {
			t.Fatal(err)
		}
		if r := s.call(c.tool, a); r.Structured["kind"] != "stale_ref" && lookUp(t, r, "results.0.kind") != `"stale_ref"` {
			t.Errorf("%s: %s", what, show(r))
		}
		s.read = agent.Result{}
	}
	if log := s.log(); slices.ContainsFunc(log, func(e event) bool { return e.Type != "scroll" }) {
		t.Errorf("something was acted on: %s", shared.Dump(log))
	}
}

// Libraries hide the page from assistive technology while a menu opens or closes over it. What a reading leaves out for
// that is there, and can be acted on; what a page no longer shows is said to be gone.
func TestARefOutlivesAReadingThatLeavesItsElementOut(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div id=page><button id=save>Save</button><button id=late>Late</button><p><button id=next>Next</button></p></div>`,
		`globalThis.log = []; addEventListener("click", e => log.push(e.target.id)); 0`)
	read := u.good("browser_snapshot", nil)
	save, late, next := refIn(t, read, "button", "Save"), refIn(t, read, "button", "Late"), refIn(t, read, "button", "Next")
	u.value(`page.ariaHidden = "true"`)
	if hidden := u.good("browser_snapshot", nil); strings.Contains(hidden.Text, "Save") {
		t.Fatalf("the page is not hidden: %s", hidden.Text)
	}
	u.good("browser_click", arguments{"ref": save})
	u.value(`next.parentElement.hidden = true`)
	u.bad("browser_click", arguments{"ref": next}, "stale_ref")
	u.value(`page.ariaHidden = null`)
	u.good("browser_click", arguments{"ref": late})
	is(t, "what was clicked", u.value("log"), `["save","late"]`)
}
