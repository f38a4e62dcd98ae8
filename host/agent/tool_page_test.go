package agent

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

const formPage = `<h1>Form</h1>
<label>Name <input id=name></label>
<button id=save onclick="document.title = 'saved ' + document.getElementById('name').value">Save</button>
<button id=twice ondblclick="this.textContent = 'twice'">Once</button>
<label><input type=checkbox id=box> Agree</label>
<select id=size aria-label=Size><option value=s>Small<option value=l>Large</select>
<img src="/logo.png" alt="Logo" width=10 height=20>
<a href="/two">Two</a>
<iframe srcdoc="<button onclick='parent.document.title = &quot;inner&quot;'>Inner</button>"></iframe>`

// ref returns the ref in a line of a snapshot.
func ref(t *testing.T, r Result, line string) string {
	t.Helper()
	match := regexp.MustCompile(regexp.QuoteMeta(line) + `.*@(e\d+)`).FindStringSubmatch(r.Structured["snapshot"].(string))
	if match == nil {
		t.Fatalf("no %s in %s", line, r.Structured["snapshot"])
	}
	return match[1]
}

func TestNavigateReadsThePage(t *testing.T) {
	w := newWorld(t, map[string]string{"/": formPage}, Options{})
	r := w.good("browser_navigate", `{"url":"SITE/"}`)
	want(t, r, "http_status", "200")
	want(t, r, "url", `"`+w.site+`/"`)
	want(t, r, "title", `"/"`)
	want(t, r, "untrusted.origin", `"`+w.site+`"`)
	for _, line := range []string{`button "Save"`, `button "Inner"`, `textbox "Name"`} {
		ref(t, r, line)
	}
	missing := w.good("browser_navigate", `{"url":"SITE/missing"}`)
	want(t, missing, "http_status", "404")
	want(t, missing, "warnings", `["the server answered 404"]`)
	w.bad("browser_navigate", `{"url":"http://127.0.0.1:1/"}`, host.ErrNavigate)
	want(t, w.good("browser_navigate", `{}`), "url", `"`+w.site+`/"`) // the last good page
	w.bad("browser_navigate", `{"url":"SITE/","tab":"t99"}`, host.ErrUnknownTarget)
}

func TestSnapshotHasDialogsAndFrames(t *testing.T) {
	w := newWorld(t, map[string]string{"/": formPage}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	first := w.good("browser_snapshot", ``)
	want(t, first, "pending_dialogs", "[]")
	want(t, first, "recent_dialogs", "[]")
	want(t, first, "frame_tree.top.url", `"`+w.site+`/"`)
	want(t, first, "frame_tree.truncated", "false")
	want(t, w.good("browser_snapshot", `{"since":`+field(t, first, "token")+`}`), "changed", "false")
	if full := w.good("browser_snapshot", `{"full":true}`); !strings.Contains(field(t, full, "snapshot"), "/two") {
		t.Errorf("a full snapshot has no address of the link: %s", show(full))
	}
	w.bad("browser_snapshot", `{"scope":"e9999"}`, host.ErrUnknownRef)

	w.bad("browser_evaluate", `{"expression":"confirm('sure?')"}`, host.ErrBlockedByDialog)
	held := w.good("browser_snapshot", ``)
	want(t, held, "stale", "true")
	want(t, held, "pending_dialogs.0.message", `"sure?"`)
	ref(t, held, `button "Save"`)
	if !strings.HasPrefix(held.Text, "<untrusted ") || !strings.Contains(held.Text, ">\ndialog d-1 confirm") {
		t.Errorf("the text does not begin with the dialog: %s", held.Text)
	}
	if n := w.registry.Counters()["browser_snapshot"]; n.Fallbacks[FallbackLastKnown] != 1 {
		t.Errorf("counted %+v", n)
	}
	w.good("browser_dialog", `{"action":"dismiss"}`)
	again := w.good("browser_snapshot", ``)
	want(t, again, "recent_dialogs.0.closed_by", `"agent"`)
	if token := field(t, again, "token"); !strings.Contains(again.Text, "(its content is untrusted, "+strings.Trim(token, `"`)+"):") {
		t.Errorf("the text does not have the token %s: %s", token, again.Text)
	}
	want(t, w.good("browser_snapshot", ``), "recent_dialogs", "[]") // told once
}

func TestGetImages(t *testing.T) {
	w := newWorld(t, map[string]string{"/": formPage}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	r := w.good("browser_get_images", ``)
	want(t, r, "count", "1")
	want(t, r, "images.0.alt", `"Logo"`)
	want(t, r, "images.0.src", `"`+w.site+`/logo.png"`)
}

func TestTypeAndClick(t *testing.T) {
	w := newWorld(t, map[string]string{"/": formPage}, Options{})
	page := w.good("browser_navigate", `{"url":"SITE/"}`)
	typed := w.good("browser_type", fmt.Sprintf(`{"ref":%q,"text":"Ada 🙂"}`, ref(t, page, `textbox "Name"`)))
	want(t, typed, "typed", "5")
	if strings.Contains(show(typed), "Ada") {
		t.Errorf("the result repeats what may be a password: %s", show(typed))
	}
	clicked := w.good("browser_click", fmt.Sprintf(`{"ref":%q}`, ref(t, page, `button "Save"`)))
	want(t, clicked, "clicked", `"button \"Save\""`)
	want(t, w.good("browser_evaluate", `{"expression":"document.title"}`), "result", `"saved Ada 🙂"`)
	want(t, w.good("browser_evaluate", fmt.Sprintf(`{"ref":%q,"expression":"e => e.value"}`, ref(t, page, `textbox "Name"`))), "result", `"Ada 🙂"`)
	w.bad("browser_evaluate", `{"ref":"e1","selector":"#name","expression":"e => e.value"}`, host.ErrBadArguments)
	w.good("browser_type", `{"selector":"#name","text":"Bob"}`)
	want(t, w.good("browser_evaluate", `{"expression":"document.getElementById('name').value"}`), "result", `"Bob"`)
	w.good("browser_click", fmt.Sprintf(`{"ref":%q}`, ref(t, page, `button "Inner"`)))
	want(t, w.good("browser_evaluate", `{"expression":"document.title"}`), "result", `"inner"`)
}

func TestTheOtherActions(t *testing.T) {
	w := newWorld(t, map[string]string{"/": formPage + `<div style="height:5000px"></div><p id=end>end</p>
		<p id=over onmouseover="this.textContent = 'hovered'">over</p>
		<div id=source draggable=true ondragstart="event.dataTransfer.setData('text/plain', 'x')">drag me</div>
		<div id=goal ondragover="event.preventDefault()" ondrop="this.textContent = 'dropped'">here</div>
		<input type=file id=file>`}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	w.good("browser_dblclick", `{"selector":"#twice"}`)
	want(t, w.good("browser_check", `{"selector":"#box"}`), "checked", "true")
	want(t, w.good("browser_check", `{"selector":"#box","checked":false}`), "checked", "false")
	want(t, w.good("browser_select", `{"selector":"#size","values":["Large"]}`), "selected", `["l"]`)
	want(t, w.good("browser_scroll", `{"direction":"down","amount":300}`), "scrolled", `"down"`)
	w.good("browser_click", `{"selector":"#name"}`)
	want(t, w.good("browser_press", `{"key":"a"}`), "pressed", `"a"`)
	w.good("browser_hover", `{"selector":"#over"}`)
	w.good("browser_drag", `{"selector":"#source","to_selector":"#goal"}`)
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	want(t, w.good("browser_upload", fmt.Sprintf(`{"selector":"#file","paths":[%q]}`, file)), "uploaded", "1")
	state := `[document.getElementById('twice').textContent, document.getElementById('name').value,
		document.getElementById('over').textContent, document.getElementById('goal').textContent, document.getElementById('file').files[0].name]`
	encoded, err := json.Marshal(map[string]string{"expression": state})
	if err != nil {
		t.Fatal(err)
	}
	want(t, w.good("browser_evaluate", string(encoded)), "result", `["twice","a","hovered","dropped","a.txt"]`)
	text := w.good("browser_extract_text", `{"selector":"#end"}`)
	want(t, text, "text", `"end"`)
	want(t, w.good("browser_extract_text", `{"max_chars":3}`), "truncated", "true")
}

func TestElementsAreNamedByOneWay(t *testing.T) {
	w := newWorld(t, map[string]string{"/": formPage}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	w.bad("browser_click", `{}`, host.ErrBadArguments)
	w.bad("browser_click", `{"ref":"e1","selector":"#save"}`, host.ErrBadArguments)
	w.bad("browser_click", `{"ref":"e9999"}`, host.ErrUnknownRef)
	w.bad("browser_click", `{"selector":"#nowhere","timeout_ms":3000}`, host.ErrNoElement)
	w.bad("browser_drag", `{"selector":"#save"}`, host.ErrBadArguments)
	w.bad("browser_wait_for", `{}`, host.ErrBadArguments)
}

func TestAnElementThatIsCoveredNamesWhatCoversIt(t *testing.T) {
	w := newWorld(t, map[string]string{"/": formPage + `<div id=cover style="position:fixed;inset:0;background:red">ad</div>`}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	r := w.bad("browser_click", `{"selector":"#save","timeout_ms":20000}`, host.ErrNotActionable)
	want(t, r, "obstacle", `"covered"`)
	if !strings.Contains(r.Text, "cover") {
		t.Errorf("got %s", r.Text)
	}
}

func TestAStaleRefNamesCandidates(t *testing.T) {
	w := newWorld(t, map[string]string{"/": formPage}, Options{})
	page := w.good("browser_navigate", `{"url":"SITE/"}`)
	save := ref(t, page, `button "Save"`)
	w.good("browser_evaluate", `{"expression":"document.getElementById('save').outerHTML += ''"}`)
	w.good("browser_snapshot", ``)
	r := w.bad("browser_click", fmt.Sprintf(`{"ref":%q}`, save), host.ErrStaleRef)
	want(t, r, "candidates.0.name", `"Save"`)
}

func TestWaitForAndHistory(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/":    `<p id=late hidden>late</p><script>setTimeout(() => { late.hidden = false })</script>`,
		"/two": "two",
	}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	want(t, w.good("browser_wait_for", `{"selector":"#late"}`), "state", `"visible"`)
	want(t, w.good("browser_wait_for", `{"text":"late"}`), "state", `"visible"`)
	w.bad("browser_wait_for", `{"selector":"#late","state":"hidden","timeout_ms":200}`, host.ErrTimeout)
	w.good("browser_navigate", `{"url":"SITE/two"}`)
	want(t, w.good("browser_back", ``), "url", `"`+w.site+`/"`)
	want(t, w.good("browser_forward", ``), "url", `"`+w.site+`/two"`)
	want(t, w.good("browser_reload", ``), "url", `"`+w.site+`/two"`)
	w.bad("browser_forward", ``, host.ErrNavigate)
}

func TestTabs(t *testing.T) {
	w := newWorld(t, map[string]string{"/": `<a target=_blank href="/two">open</a>`, "/two": "two"}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	want(t, w.good("browser_tabs", ``), "tabs.0.handle", `"t1"`)
	clicked := w.good("browser_click", `{"selector":"a"}`)
	want(t, clicked, "new_tabs.0.handle", `"t2"`)
	opened := w.good("browser_tabs", `{"action":"open","url":"SITE/two"}`)
	want(t, opened, "tab.handle", `"t3"`)
	want(t, w.good("browser_wait_for", `{"text":"two","tab":"t3"}`), "state", `"visible"`)
	w.good("browser_tabs", `{"action":"focus","tab":"t1"}`)
	closed := w.good("browser_tabs", `{"action":"close","tab":"t3"}`)
	want(t, closed, "tab.handle", `"t3"`)
	w.bad("browser_snapshot", `{"tab":"t3"}`, host.ErrUnknownTarget)
	w.bad("browser_tabs", `{"action":"close"}`, host.ErrBadArguments)
	w.bad("browser_tabs", `{"url":"SITE/two"}`, host.ErrBadArguments)
}

func TestAnActionThatOpensADialogIsResumed(t *testing.T) {
	w := newWorld(t, map[string]string{"/": `<button id=ask onclick="document.title = confirm('sure?')">Ask</button>`}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	blocked := w.bad("browser_click", `{"selector":"#ask"}`, host.ErrBlockedByDialog)
	w.good("browser_dialog", `{"action":"accept"}`)
	r := w.good("browser_resume", `{"call_id":`+field(t, blocked, "call_id")+`}`)
	want(t, r, "clicked", `"button \"Ask\""`)
	want(t, w.good("browser_evaluate", `{"expression":"document.title"}`), "result", `"true"`)
}
