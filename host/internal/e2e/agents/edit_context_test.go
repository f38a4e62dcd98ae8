package agents

import (
	"strconv"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// editors are a canvas and an element without a size that the page makes fields of, each with a text of its own.
const editors = `<canvas id=drawn width=300 height=60></canvas><div id=hidden style="width: 0; height: 0"></div><div id=named role=textbox aria-label=Code style="height: 20px"></div>`

// editing gives an element an EditContext, as the specification has it: the page keeps the text, and draws it.
const editing = `globalThis.model = {};
	for (const [e, text] of [[drawn, "old text"], [hidden, "unseen"], [named, "let x"]]) {
		const context = e.editContext = new EditContext({text, selectionStart: text.length, selectionEnd: text.length});
		model[e.id] = text;
		const put = (from, to, text) => { model[e.id] = model[e.id].slice(0, from) + text + model[e.id].slice(to) };
		context.addEventListener("textupdate", u => put(u.updateRangeStart, u.updateRangeEnd, u.text));
		e.addEventListener("keydown", k => {
			if (k.key !== "Enter") return;
			const at = context.selectionStart, end = context.selectionEnd;
			context.updateText(at, end, "\n");
			context.updateSelection(at + 1, at + 1);
			put(at, end, "\n");
		});
	} 0`

// What edits through an EditContext is read, and typed into, like any other field.
func TestAnEditorThatThePageDrawsIsAField(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(editors, editing)
	read := func() string {
		return anyRef.ReplaceAllString(strings.TrimSpace(text(t, u.good("browser_snapshot", nil), "snapshot")), "@e")
	}
	is(t, "the page", read(), `- canvas @e: "old text"`+"\n"+`- generic @e: "unseen"`+"\n"+`- textbox "Code" @e: "let x"`)
	for _, id := range []string{"drawn", "hidden", "named"} {
		in := arguments{"selector": "#" + id, "timeout_ms": 20_000}
		has := func(what, want string) {
			t.Helper()
			is(t, what+", "+id, u.value("model."+id), shared.Dump(want))
			got := u.good("browser_get", arguments{"selector": "#" + id, "what": "value"})
			is(t, what+", the value of "+id, text(t, got, "value"), want)
		}
		u.good("browser_type", in.with(arguments{"text": "new\nline"}))
		has("what replaces the text", "new\nline")
		u.good("browser_type", in.with(arguments{"text": " 😀 é", "append": true}))
		has("what is added", "new\nline 😀 é")
		u.good("browser_press", in.with(arguments{"key": "Backspace"}))
		has("after a key", "new\nline 😀 ")
		u.good("browser_type", arguments{"text": strings.Repeat("long ", 200)})
		has("at the caret", "new\nline 😀 "+strings.Repeat("long ", 200))
		u.good("browser_type", in.with(arguments{"text": ""}))
		has("emptied", "")
		u.good("browser_type", in.with(arguments{"text": id}))
	}
	is(t, "the page then", read(), `- canvas @e: "drawn"`+"\n"+`- generic @e: "hidden"`+"\n"+`- textbox "Code" [focused] @e: "named"`)
}

// An editor of code shows the browser a part of its text only, and selects by its own keys.
func TestAnEditorWithATextOfItsOwnIsCleared(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div id=code tabindex=0 role=textbox aria-label=Code style="width:200px;height:50px"></div>`,
		`globalThis.model = {text: "one\ntwo", from: 0, to: 0}; code.editContext = new EditContext({text: "two"});
		code.onkeydown = e => {
			if (e.ctrlKey && e.key === "a") model.from = 0, model.to = model.text.length;
			else if (e.ctrlKey && e.key === "End") model.from = model.to = model.text.length;
			else if (e.key === "Delete" && model.to > model.from) model.text = model.text.slice(0, model.from) + model.text.slice(model.to), model.to = model.from;
			else return;
			e.preventDefault();
		};
		code.editContext.ontextupdate = e => {
			model.text = model.text.slice(0, model.from) + e.text + model.text.slice(model.to);
			model.from = model.to = model.from + e.text.length;
		}; 0`)
	in := arguments{"selector": "#code"}
	u.good("browser_type", in.with(arguments{"text": "!", "append": true}))
	is(t, "what is added", u.value("model.text"), `"one\ntwo!"`)
	u.good("browser_type", in.with(arguments{"text": "new"}))
	is(t, "what replaces the text", u.value("model.text"), `"new"`)
	u.good("browser_type", arguments{"text": "again"})
	is(t, "at the caret", u.value("model.text"), `"newagain"`)
	u.good("browser_type", in.with(arguments{"text": ""}))
	is(t, "emptied", u.value("model.text"), `""`)
}

// Older editors of code take keys with a textarea that nobody sees, which has the line of the caret, or nothing.
func TestAnEditorThatTakesKeysWithATextareaIsCleared(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	for name, textarea := range map[string]string{
		"a line":  `<textarea id=keys role=textbox style="opacity:0;width:1px;height:1px">two</textarea>`,
		"nothing": `<div style="overflow:hidden;position:relative;width:3px;height:0"><textarea id=keys style="position:absolute;width:1000px;height:1em"></textarea></div>`,
	} {
		u.body(textarea, `globalThis.model = {text: "one\ntwo", from: 0, to: 0};
			keys.onkeydown = e => {
				if (e.ctrlKey && e.key === "a") model.from = 0, model.to = model.text.length;
				else if (e.ctrlKey && e.key === "End") model.from = model.to = model.text.length;
				else return;
				e.preventDefault();
			};
			keys.onbeforeinput = e => {
				e.preventDefault();
				model.text = model.text.slice(0, model.from) + (e.data ?? "") + model.text.slice(model.to);
				model.from = model.to = model.from + (e.data ?? "").length;
			}; 0`)
		u.good("browser_type", arguments{"selector": "#keys", "text": "!", "append": true})
		is(t, "what is added, "+name, u.value("model.text"), `"one\ntwo!"`)
		u.good("browser_type", arguments{"selector": "#keys", "text": "new"})
		is(t, "what replaces the text, "+name, u.value("model.text"), `"new"`)
	}
	// A note that is folded away is no editor's.
	u.body(`<div style="overflow:hidden;height:0"><textarea id=keys></textarea></div>`, "0")
	u.inVain("browser_type", arguments{"selector": "#keys", "text": "x"}, "not_actionable", "cut off")
}

// An editor with a selection of its own may look only now and then for what is selected in the document.
func TestAnEditorThatNoticesASelectionLateIsCleared(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div id=editor contenteditable>old</div>`, `globalThis.all = false;
		editor.onkeydown = e => { if (e.ctrlKey && e.key === "a") { all = true; e.preventDefault() } };
		editor.onbeforeinput = e => {
			e.preventDefault();
			editor.textContent = all ? e.data ?? "" : editor.textContent + (e.data ?? "");
			all = false;
		}; 0`)
	for _, text := range []string{"new", "newer", ""} {
		u.good("browser_type", arguments{"selector": "#editor", "text": text})
		is(t, "the text", u.value("editor.textContent"), strconv.Quote(text))
	}
	// One that nothing clears is said to have both.
	u.value(`editor.textContent = "old", editor.onkeydown = null, 0`)
	if r := u.good("browser_type", arguments{"selector": "#editor", "text": "new"}); !strings.Contains(r.Text, "the field now has") || !strings.Contains(r.Text, "oldnew") {
		t.Error(r.Text)
	}
}

// Older editors of rich text turn the design mode of a frame's document on, whose body then is the field.
func TestADocumentInDesignModeIsAField(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<iframe id=notes title=Notes></iframe>`, `notes.contentDocument.body.innerHTML = "<p>Old"; 0`)
	r := u.good("browser_snapshot", nil)
	if strings.Contains(r.Text, "editable") {
		t.Errorf("nothing can be edited yet: %s", r.Text)
	}
	u.good("browser_evaluate", arguments{"expression": `notes.contentDocument.designMode = "on"; 0`})
	r = u.good("browser_snapshot", nil)
	ref := strings.TrimPrefix(anyRef.FindString(r.Text), "@")
	if !strings.Contains(r.Text, `generic [editable] @`+ref) {
		t.Fatalf("no field in: %s", r.Text)
	}
	u.good("browser_type", arguments{"ref": ref, "text": "Dear all"})
	if got := u.value("notes.contentDocument.body.innerText.trim()"); got != `"Dear all"` {
		t.Errorf("the document has %s", got)
	}
	want(t, u.good("browser_get", arguments{"ref": ref, "what": "value"}), "value", `"Dear all"`)
}
