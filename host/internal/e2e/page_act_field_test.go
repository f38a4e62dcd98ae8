package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// fieldPages has the fields in the page, in a frame of its process, and in one of another.
func fieldPages() map[string]string {
	fields := `<input id=text value=old><textarea id=area></textarea><div id=rich contenteditable>rich</div><input id=ro readonly value=x><input id=day type=date>
<form onsubmit="report('submitted', this.q.value); return false"><input name=q id=q></form>
<select id=one onchange="report('changed', value)"><option value=a>Alpha</option><option value=b>Beta</option></select>
<select id=many multiple><option>x</option><option>y</option><option>z</option></select>
<label id=label><input id=box type=checkbox onchange="report('box', checked)">Box</label><div id=switch role=switch tabindex=0 aria-checked=false onclick="this.setAttribute('aria-checked', 'true')">Switch</div>
<div id=stubborn role=checkbox aria-checked=false tabindex=0>Stubborn</div>
<input id=file type=file style="display: none" onchange="report('file', [...files].map(f => f.name))"><button id=choose onclick="file.click()">Choose</button>
<input id=files type=file multiple onchange="report('files', [...files].map(f => f.name))">`
	return map[string]string{
		"/top": fields, "/same": `<h1>frame</h1><iframe style="width: 600px; height: 600px" src="/fields"></iframe>`,
		"/other": `<h1>frame</h1><iframe style="width: 600px; height: 600px" src="{{127.0.0.1}}/fields"></iframe>`, "/fields": fields + `<script>report("ready")</script>`,
	}
}

func TestFieldsInEveryFrame(t *testing.T) {
	for _, path := range []string{"/top", "/same", "/other"} {
		t.Run(path[1:], func(t *testing.T) {
			w := newWorld(t, fieldPages(), host.TaskOptions{})
			w.open(path)
			if path != "/top" {
				w.reported("ready")
			}
			checkTyping(t, w)
			checkChoosing(t, w)
			checkFiles(t, w)
		})
	}
}

func checkTyping(t *testing.T, w *world) {
	value := func(selector string) (text string) {
		t.Helper()
		for _, f := range append(w.Snapshot().Page().RawFrameTree.Children, w.Snapshot().Page().RawFrameTree.Top) {
			v, err := w.Tab("").Evaluate(w.ctx, "e => e.value ?? e.textContent", &host.EvaluateOptions{Locator: host.Locator{FrameID: f.FrameID, Selector: selector}})
			if err == nil {
				decode(t, string(v.Value), &text)
				return text
			}
		}
		t.Fatalf("no %s", selector)
		return ""
	}
	long := strings.Repeat("long ", 200)
	for _, tc := range []struct {
		id, text string
		clear    bool
		value    string
	}{
		{"text", "new", true, "new"}, {"text", " and more", false, "new and more"}, {"text", "", true, ""},
		{"text", `Az09 !@#~"\|`, true, `Az09 !@#~"\|`},
		{"text", "é😀👩‍👩‍👧 1️⃣ שלום", true, "é😀👩‍👩‍👧 1️⃣ שלום"},
		{"area", "two\nlines", true, "two\nlines"}, {"area", long, true, long},
		{"rich", "text", true, "text"}, {"day", "2026-02-28", true, "2026-02-28"},
	} {
		if _, err := w.Tab("").Type(w.ctx, host.BySelector("#"+tc.id), tc.text, &host.TypeOptions{Clear: tc.clear}); err != nil {
			t.Fatalf("type %q into %s: %v", tc.text, tc.id, err)
		}
		want(t, tc.id, value("#"+tc.id), tc.value)
	}
	for id, obstacle := range map[string]any{"ro": host.ObstacleReadOnly, "box": host.ObstacleUnfit, "one": host.ObstacleUnfit, "day": host.ObstacleUnfit} {
		_, err := w.Tab("").Type(w.ctx, host.BySelector("#"+id), "x", nil)
		var not *host.NotActionableError
		if !errors.As(err, &not) || any(not.Obstacle) != obstacle {
			t.Errorf("typing into %s: %v", id, err)
		}
	}
	if _, err := w.Tab("").Type(w.ctx, host.BySelector("#q"), "query", &host.TypeOptions{Submit: true}); err != nil {
		t.Fatal(err)
	}
	want(t, "the form", w.reported("submitted"), `"query"`)
	for _, key := range []string{"Control+A", "Backspace", "A", "Shift+b", "ArrowLeft", "Space"} {
		if _, err := w.Tab("").Press(w.ctx, key, nil); err != nil {
			t.Fatalf("press %s: %v", key, err)
		}
	}
	want(t, "after the keys", value("#q"), "A b")
	_, err := w.Tab("").Press(w.ctx, "Hyper+Q", nil)
	wantError(t, err, host.ErrBadArguments)
}

func checkChoosing(t *testing.T, w *world) {
	for _, tc := range []struct {
		id     string
		values []string
		now    string
	}{{"one", []string{"Beta"}, "b"}, {"many", []string{"x", "z"}, "x z"}, {"many", nil, ""}} {
		acted, err := w.Tab("").Select(w.ctx, host.BySelector("#"+tc.id), tc.values, nil)
		if err != nil || strings.Join(acted.Selected, " ") != tc.now {
			t.Fatalf("select %v of %s: %s, %v", tc.values, tc.id, shared.Dump(acted), err)
		}
	}
	want(t, "the change", w.reported("changed"), `"b"`)
	_, err := w.Tab("").Select(w.ctx, host.BySelector("#one"), []string{"Gamma"}, nil)
	var option *host.OptionError
	if !errors.As(err, &option) || !strings.Contains(err.Error(), `no option "Gamma"; it has "Alpha", "Beta"`) {
		t.Errorf("an option that is not there: %v", err)
	}
	for _, id := range []string{"box", "label", "switch"} {
		acted, err := w.Tab("").Check(w.ctx, host.BySelector("#"+id), true, nil)
		if err != nil || acted.Checked == nil || !*acted.Checked {
			t.Fatalf("check %s: %s, %v", id, shared.Dump(acted), err)
		}
	}
	want(t, "the box", w.reported("box"), "true")
	for _, id := range []string{"stubborn", "text"} {
		_, err := w.Tab("").Check(w.ctx, host.BySelector("#"+id), true, nil)
		wantError(t, err, host.ErrNotActionable)
	}
}

func checkFiles(t *testing.T, w *world) {
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"a.txt", "b.txt"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	if _, err := w.Tab("").Upload(w.ctx, host.BySelector("#files"), paths, nil); err != nil {
		t.Fatal(err)
	}
	want(t, "the files", w.reported("files"), `["a.txt","b.txt"]`)
	acted, err := w.Tab("").Upload(w.ctx, host.BySelector("#choose"), paths[:1], nil)
	if err != nil || acted.FileChooser {
		t.Fatalf("by a chooser: %s, %v", shared.Dump(acted), err)
	}
	want(t, "the file", w.reported("file"), `["a.txt"]`)
	_, err = w.Tab("").Upload(w.ctx, host.BySelector("#file"), paths, nil)
	wantError(t, err, host.ErrNotActionable)
	_, err = w.Tab("").Upload(w.ctx, host.BySelector("#text"), paths[:1], nil)
	wantError(t, err, host.ErrNotActionable)
	_, err = w.Tab("").Upload(w.ctx, host.BySelector("#file"), []string{dir}, nil)
	wantError(t, err, host.ErrNotActionable)
}

func TestPointerActions(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<style>#from, #to, #slider { width: 90px; height: 60px; background: silver; position: absolute }</style>
<div id=hover onmouseenter="report('hover', 1)" style="width: 80px">hover</div><div id=double ondblclick="report('double', event.detail)" style="width: 80px">double</div>
<div id=right oncontextmenu="report('right', event.button); return false" style="width: 80px">right</div>
<div id=from draggable=true style="top: 200px; left: 20px" ondragstart="event.dataTransfer.setData('text/plain', 'cargo')">from</div>
<div id=to style="top: 400px; left: 300px" ondragover="event.preventDefault()" ondrop="report('dropped', event.dataTransfer.getData('text/plain'))">to</div>
<div id=slider style="top: 300px; left: 20px">slider</div><div style="height: 5000px"></div><p id=end>end</p>
<script>let from = null
slider.onmousedown = e => { from = e.clientX }
onmouseup = e => { if (from !== null) report('slid', e.clientX - from) }
addEventListener("scroll", () => { if (scrollY > 1000) report("scrolled", 1) })</script>`,
	}, host.TaskOptions{})
	w.open("/page")
	at := func(id string) host.Locator { return host.Locator{Selector: "#" + id} }
	steps := []struct {
		key, value string
		act        func() (host.ActionResult, error)
	}{
		{"hover", "1", func() (host.ActionResult, error) { return w.Tab("").Hover(w.ctx, at("hover"), nil) }},
		{"double", "2", func() (host.ActionResult, error) {
			return w.Tab("").Click(w.ctx, at("double"), &host.ClickOptions{Double: true})
		}},
		{"right", "2", func() (host.ActionResult, error) {
			return w.Tab("").Click(w.ctx, at("right"), &host.ClickOptions{Button: "right"})
		}},
		{"slid", "280", func() (host.ActionResult, error) { return w.Tab("").Drag(w.ctx, at("slider"), at("to"), nil) }},
		{"dropped", `"cargo"`, func() (host.ActionResult, error) { return w.Tab("").Drag(w.ctx, at("from"), at("to"), nil) }},
		{"scrolled", "1", func() (host.ActionResult, error) { return w.Tab("").Scroll(w.ctx, &host.ScrollOptions{Amount: 1500}) }},
	}
	for _, step := range steps {
		if acted, err := step.act(); err != nil {
			t.Fatalf("%s: %s, %v", step.key, shared.Dump(acted), err)
		}
		want(t, step.key, w.reported(step.key), step.value)
	}
	want(t, "the place", w.evaluate("scrollY"), "1500")
	if _, err := w.Tab("").Scroll(w.ctx, &host.ScrollOptions{Direction: "up", Amount: 500}); err != nil {
		t.Fatal(err)
	}
	want(t, "the place", w.evaluate("scrollY"), "1000")
	_, err := w.Tab("").Scroll(w.ctx, &host.ScrollOptions{Direction: "sideways"})
	wantError(t, err, host.ErrBadArguments)
}

func TestInfiniteScroll(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<ul></ul><div id=more>more</div><script>
let n = 0;
function grow() { for (let i = 0; i < 50; i++) document.querySelector("ul").append(Object.assign(document.createElement("li"), {textContent: "item " + n++})) }
grow();
addEventListener("scroll", () => { if (more.getBoundingClientRect().top < innerHeight + 100) grow() });
</script>`}, host.TaskOptions{})
	w.open("/page")
	for range 20 {
		if _, err := w.Tab("").Scroll(w.ctx, nil); err != nil {
			t.Fatal(err)
		}
		text, err := w.Tab("").Text(w.ctx, &host.TextOptions{Locator: host.BySelector("ul")})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text.Text, "item 120") {
			w.click("li:nth-child(100)")
			return
		}
	}
	t.Error("the list did not grow")
}

func TestWaitForHiddenBeforeAnAction(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<button onclick="report('clicked', document.querySelector('.spinner') === null)">b</button><div class=spinner>wait</div>`}, host.TaskOptions{})
	w.open("/page")
	o := host.ClickOptions{ActionOptions: host.ActionOptions{WaitForHidden: ".spinner"}}
	_, err := w.Tab("").Click(within(t, w.ctx, shared.Patience(3*time.Second)), host.BySelector("button"), &o)
	if !errors.Is(err, host.ErrTimeout) || err.Error() != "wait_for_hidden(.spinner) timed out before click(button)" {
		t.Errorf("while it is there: %v", err)
	}
	w.evaluate("setTimeout(() => document.querySelector('.spinner').remove(), 100); 0")
	if _, err := w.Tab("").Click(w.ctx, host.BySelector("button"), &o); err != nil {
		t.Fatal(err)
	}
	want(t, "the click", w.reported("clicked"), "true")
}
