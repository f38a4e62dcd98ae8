package agents

import (
	"fmt"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// fieldRows fill in forms.
var fieldRows = []row{
	{name: "into a field", tool: "browser_type", run: func(t *testing.T, s *spot) {
		s.inEveryWay(t, "textbox", "Name", "name", func(s *spot, element arguments) {
			r := s.good("browser_type", element.with(arguments{"text": "Ada 🙂"}))
			want(s.t, r, "typed", "5")
			want(s.t, r, "element", `"textbox \"Name\""`)
			inputs := s.took("input", "name")
			if last := inputs[len(inputs)-1]; last.Value != "Ada 🙂" || !last.Trusted {
				s.t.Errorf("the last input is %s", shared.Dump(last))
			}
		})
	}},
	{name: "into a larger field, one that is edited, and one for a date", tool: "browser_type", run: func(_ *testing.T, s *spot) {
		for _, field := range []struct{ name, id, text string }{{"Notes", "notes", "two\nlines"}, {"Edit", "edit", "edited"}} {
			s.good("browser_type", arguments{"ref": s.ref("textbox", field.name), "text": field.text})
			inputs := s.took("input", field.id)
			is(s.t, field.id, inputs[len(inputs)-1].Value, field.text)
		}
		s.good("browser_type", s.inTab(arguments{"selector": "#day", "text": "2026-02-28"}))
		is(s.t, "day", s.took("change", "day")[0].Value, "2026-02-28")
	}},
	{name: "and send it", tool: "browser_type", run: func(_ *testing.T, s *spot) {
		s.good("browser_type", arguments{"ref": s.ref("textbox", "Query"), "text": "asked", "submit": true})
		s.tookOne("submit", "form")
	}},
	{name: "of a list", tool: "browser_select", run: func(t *testing.T, s *spot) {
		values := []string{"m", "Large", "s"}
		for i, w := range s.ways("combobox", "Size", "size") {
			r := s.good("browser_select", w.with(arguments{"values": []string{values[i]}}))
			chosen := []string{"m", "l", "s"}[i]
			want(t, r, "selected", shared.Dump([]string{chosen}))
			want(t, r, "element", `"combobox \"Size\""`)
			is(t, "the list "+w.name, s.took("change", "size")[0].Value, chosen)
		}
	}},
	{name: "a box", tool: "browser_check", run: func(t *testing.T, s *spot) {
		on := false
		for _, w := range s.ways("checkbox", "Box", "box") {
			on = !on
			for range 2 { // the second changes nothing
				r := s.good("browser_check", w.with(arguments{"checked": on}))
				want(t, r, "checked", fmt.Sprint(on))
				want(t, r, "element", `"checkbox \"Box\""`)
			}
			s.tookOne("click", "box")
			var is bool
			if s.evaluate(`find("box").checked`, &is); is != on {
				t.Errorf("the box is %v %s", is, w.name)
			}
		}
	}},
	{name: "one of several", tool: "browser_check", run: func(t *testing.T, s *spot) {
		want(t, s.good("browser_check", arguments{"ref": s.ref("radio", "Blue")}), "checked", "true")
		s.tookOne("click", "blue")
		var state [2]bool
		s.evaluate(`[find("red").checked, find("blue").checked]`, &state)
		is(t, "red and blue", state, [2]bool{false, true})
	}},
	{name: "to a field", tool: "browser_upload", run: func(t *testing.T, s *spot) {
		path := writeFile(t)
		for _, w := range s.ways("button", "File", "file") {
			r := s.good("browser_upload", w.with(arguments{"paths": []string{path}}))
			want(t, r, "uploaded", "1")
			wantKeys(t, r, "element")
			is(t, "the field "+w.name, s.took("files", "file")[0].Value, "a.txt 5")
			s.evaluate(`{ find("file").value = ""; 0 }`, new(int))
		}
		r := s.good("browser_upload", arguments{"ref": s.ref("button", "Chooser"), "paths": []string{path}})
		want(t, r, "file_chooser", "null")
		is(t, "the chooser", s.took("files", "hidden-file")[0].Value, "a.txt 5")
	}},
}

// Typing without an element is typing where the caret is: into a document, of which nothing else may be lost. A field
// of a form gets the text in place of what it has.
func TestTypingAtTheCaretOfAnEditorKeepsItsDocument(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div id=rich contenteditable><p>First</p><p id=second>Second</p></div><input id=field value=old>`, "")
	type step = arguments
	in := func(what string, steps ...step) {
		t.Helper()
		u.good("browser_click", arguments{"text": what})
		u.good("browser_press", arguments{"key": "End"})
		for _, s := range steps {
			u.good("browser_type", s)
		}
	}
	content := func(want ...string) {
		t.Helper()
		is(t, "the document", u.value(`[...rich.children].map(p => p.innerText.trim())`), shared.Dump(want))
	}
	in("First", step{"text": " one"}, step{"text": " more"})
	content("First one more", "Second")
	u.good("browser_press", arguments{"key": "shift+Home"})
	u.good("browser_type", arguments{"text": "Start"}) // in place of what is selected
	content("Start", "Second")
	in("Second", step{"text": "\nThird"})
	content("Start", "Second", "Third")
	u.good("browser_type", arguments{"selector": "#rich", "text": "All", "timeout_ms": 20_000}) // named, it is replaced
	is(t, "the document", u.value(`rich.innerText.trim()`), `"All"`)

	u.good("browser_click", arguments{"selector": "#field"})
	u.good("browser_type", arguments{"text": "new"})
	is(t, "the field", u.value("field.value"), `"new"`)
}

// A box around a field, which is not one itself, is typed into as that field, wherever the click on it goes.
func TestTypingIntoTheBoxOfAFieldIsTypingIntoTheField(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div role=combobox aria-label=Fruit style="width: 600px; height: 40px"><input id=field value=old style="width: 100px"><button>Open</button></div>`, "")
	for _, text := range []string{"new", "newer"} {
		u.good("browser_type", arguments{"role": "combobox", "name": "Fruit", "text": text})
		is(t, "the field", u.value("field.value"), shared.Dump(text))
	}
}
