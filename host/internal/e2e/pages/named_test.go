package pages

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// The tests of this file are what no comparable tool passes, by name.

func (w *world) callID(r agent.Result) string {
	w.t.Helper()
	var id string
	if err := json.Unmarshal([]byte(lookUp(w.t, r, "call_id")), &id); err != nil || id == "" {
		w.t.Fatalf("no call_id in %s", show(r))
	}
	return id
}

func TestADialogInAPopupIsVisibleAndWedgesNothing(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<button id=same onclick="window.open('/popup', '', 'width=300,height=200')">same</button>
<button id=other onclick="window.open('{{127.0.0.1}}/popup', '', 'width=300,height=200,noopener')">other</button><button id=b onclick="this.textContent += '+'">b</button>`,
		"/popup": `<p>popup<script>globalThis.answer = confirm('from the popup'); document.body.append(' said ' + answer)</script>`,
	})
	w.open("/page")
	for _, id := range []string{"same", "other"} {
		w.call("browser_click", args{"selector": "#" + id}) // a popup of the page's own process holds the page, too
		r := w.until("the dialog", "browser_snapshot", nil, func(r agent.Result) bool { return lookUp(t, r, "pending_dialogs.0.message") == `"from the popup"` })
		if !strings.Contains(r.Text, "from the popup") {
			t.Errorf("the dialog is not in the text: %s", r.Text)
		}
		tabs := w.good("browser_tabs", nil)
		tab := text(t, tabs, "tabs.1.handle")
		want(t, r, "pending_dialogs.0.target_id", lookUp(t, tabs, "tabs.1.target_id"))
		w.bad("browser_evaluate", args{"expression": "1", "tab": tab}, "blocked_by_dialog", "confirm")
		if id == "other" { // another process is not held at all
			w.good("browser_click", args{"selector": "#b"})
		}
		w.good("browser_dialog", args{"action": "accept"})
		w.good("browser_wait_for", args{"tab": tab, "text": "said true"})
		w.good("browser_click", args{"selector": "#b"})
		w.good("browser_tabs", args{"action": "close", "tab": tab})
	}
	is(t, "the page", w.js("document.getElementById('b').textContent"), `"b+++"`)
}

func TestAPromptAcceptedWithoutTextReturnsThePagesDefault(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<button onclick="this.textContent = prompt('Name?', 'the default')">ask</button>`})
	w.open("/page")
	blocked := w.bad("browser_click", args{"selector": "button"}, "blocked_by_dialog")
	want(t, blocked, "pending_dialogs.0.default_prompt", `"the default"`)
	want(t, w.good("browser_dialog", args{"action": "accept"}), "dialog.text", `"the default"`)
	w.good("browser_resume", args{"call_id": w.callID(blocked)})
	is(t, "what the page got", w.js("document.querySelector('button').textContent"), `"the default"`)
	w.bad("browser_click", args{"selector": "button"}, "blocked_by_dialog")
	w.good("browser_dialog", args{"action": "accept", "prompt_text": ""})
	w.until("the empty answer", "browser_evaluate", args{"expression": "document.querySelector('button').textContent"},
		func(r agent.Result) bool { return lookUp(t, r, "result") == `""` })
}

func TestAnEvaluateThatNeverEndsIsEndedWithTheTabAndItsStateKept(t *testing.T) {
	w := newWorldAlone(t, map[string]string{"/page": `<input id=kept><button onclick="this.textContent = 'clicked'">b</button>`})
	w.open("/page")
	w.good("browser_type", args{"selector": "#kept", "text": "typed before"})
	w.js("void (globalThis.state = {deep: [1, 2]}, sessionStorage.setItem('k', 'v'))")
	w.bad("browser_evaluate", args{"expression": "globalThis.began = true; while (true) {}", "timeout_ms": 700}, "timeout", "remain")
	is(t, "the state", w.js("[began, state.deep, sessionStorage.getItem('k'), document.getElementById('kept').value]"), `[true,[1,2],"v","typed before"]`)
	w.good("browser_click", args{"selector": "button"})
	w.shows(nil, `button "clicked"`)
}

func TestAStuckFrameOfAnotherProcessDelaysNeitherSnapshotNorClicks(t *testing.T) {
	w := newWorldAlone(t, map[string]string{
		"/page": `<button onclick="this.textContent += '+'">b</button><input aria-label=Field><iframe title=Stuck src="{{127.0.0.1}}/stuck"></iframe>`,
		// It spins again when it was ended.
		"/stuck": `<p>stuck<script>report("stuck"); const spin = () => { setTimeout(spin); for (;;); }; setTimeout(spin, 50)</script>`,
	})
	w.open("/page")
	w.reported("stuck")
	page := w.shows(args{"timeout_ms": 10_000}, "(unresponsive)")
	want(t, page, "stale", "null")
	want(t, page, "frame_notes.0.state", `"unresponsive"`)
	for range 3 {
		w.good("browser_click", args{"ref": w.ref(page, `button "b`), "timeout_ms": 10_000})
	}
	w.good("browser_type", args{"ref": w.ref(page, `"Field"`), "text": "typed", "timeout_ms": 10_000})
	is(t, "the page", w.js("document.querySelector('button').textContent + document.querySelector('input').value"), `"b+++typed"`)
}

func TestAStaleRefNeverActsOnAnotherElement(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<div id=list></div><script>
globalThis.log = [];
const draw = (...names) => { list.innerHTML = names.map(n => '<button onclick="log.push(this.textContent)">' + n + '</button><input aria-label="' + n + '">').join('') };
draw('Keep', 'Delete');
</script><iframe srcdoc="<button onclick='parent.log.push(1)'>Framed</button>"></iframe>`})
	w.open("/page")
	page := w.shows(nil, "Framed")
	refs := map[string]string{}
	for _, name := range []string{`button "Keep"`, `button "Delete"`, `textbox "Delete"`, `button "Framed"`} {
		refs[name] = w.ref(page, name)
	}
	everyTool := func(name string) {
		t.Helper()
		at := args{"ref": refs[name]}
		for tool, more := range map[string]args{
			"browser_click": {}, "browser_dblclick": {}, "browser_hover": {}, "browser_type": {"text": "x"}, "browser_press": {"key": "a"},
			"browser_scroll": {"direction": "down"}, "browser_select": {"values": []string{"x"}}, "browser_check": {}, "browser_extract_text": {},
			"browser_drag": {"to_selector": "body"}, "browser_evaluate": {"expression": "e => e.click()"}, "browser_screenshot": {}, "browser_download": {},
			"browser_upload": {"paths": []string{"named_test.go"}},
		} {
			a := args{}
			for _, m := range []args{at, more} {
				for k, v := range m {
					a[k] = v
				}
			}
			r := w.call(tool, a)
			if kind := lookUp(t, r, "kind"); kind != `"stale_ref"` {
				t.Errorf("%s on the stale %s: %s", tool, name, show(r))
			}
		}
		w.bad("browser_snapshot", args{"scope": refs[name]}, "stale_ref")
	}
	w.js("void draw('Delete', 'Keep')") // the same words, but other elements
	everyTool(`button "Delete"`)
	everyTool(`textbox "Delete"`)
	candidates := w.bad("browser_click", args{"ref": refs[`button "Keep"`]}, "stale_ref")
	want(t, candidates, "candidates.0.name", `"Keep"`)
	w.js("void (document.querySelector('iframe').srcdoc = '<button onclick=\"parent.log.push(2)\">Framed</button>')")
	w.until("the new document of the frame", "browser_click", args{"ref": refs[`button "Framed"`]}, func(r agent.Result) bool { return lookUp(t, r, "kind") == `"stale_ref"` })
	w.js("void (globalThis.log = [])")
	everyTool(`button "Framed"`)
	w.open("/page")
	everyTool(`button "Keep"`)
	is(t, "what was clicked", w.js("log"), "[]")
	fresh := w.good("browser_snapshot", nil)
	for name, old := range refs {
		if ref(fresh, name) == old {
			t.Errorf("%s was given to another element", old)
		}
	}
}

func TestADismissedBeforeunloadStaysAndSaysSo(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<a href="/empty">next</a><button>touch</button><script>onbeforeunload = e => e.preventDefault()</script>`})
	for tool, a := range map[string]args{
		"browser_click": {"selector": "a"}, "browser_reload": {}, "browser_navigate": {"url": "{{localhost}}/empty"},
		"browser_interact": {"url": "{{localhost}}/empty", "actions": []args{{"action": "sleep", "ms": 1}}},
	} {
		w.open("/page")
		w.good("browser_click", args{"selector": "button"}) // pages that nobody touched are not asked
		blocked := w.bad(tool, a, "blocked_by_dialog")
		want(t, blocked, "pending_dialogs.0.type", `"beforeunload"`)
		w.good("browser_dialog", args{"action": "dismiss"})
		r := w.call("browser_resume", args{"call_id": w.callID(blocked)})
		if !strings.Contains(show(r), "so the page stays") {
			t.Errorf("%s: %s", tool, show(r))
		}
		is(t, "the page after "+tool, w.js("onbeforeunload = null, location.pathname"), `"/page"`)
	}
}

func TestADialogOpenedByAnEvaluateBlocksItAndResumeYieldsTheValue(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<iframe src="{{127.0.0.1}}/frame"></iframe>`, "/frame": `<script>report('frame')</script>`})
	w.open("/page")
	w.reported("frame")
	frame := text(t, w.until("the frame", "browser_snapshot", nil, func(r agent.Result) bool { return lookUp(t, r, "frame_tree.children.0.is_oopif") == "true" }),
		"frame_tree.children.0.frame_id")
	for _, where := range []args{{}, {"frame_id": frame}} {
		where["expression"] = "(async () => [confirm('one'), await 1, prompt('two', 'x')])()"
		blocked := w.bad("browser_evaluate", where, "blocked_by_dialog")
		want(t, blocked, "pending_dialogs.0.message", `"one"`)
		id := w.callID(blocked)
		w.bad("browser_resume", args{"call_id": id}, "blocked_by_dialog")
		w.good("browser_dialog", args{"action": "accept"})
		again := w.bad("browser_resume", args{"call_id": id}, "blocked_by_dialog")
		want(t, again, "pending_dialogs.0.message", `"two"`)
		is(t, "the call", w.callID(again), id)
		w.good("browser_dialog", args{"action": "accept", "prompt_text": "y"})
		want(t, w.good("browser_resume", args{"call_id": id}), "result", `[true,1,"y"]`)
	}
}
