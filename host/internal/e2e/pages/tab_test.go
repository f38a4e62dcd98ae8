package pages

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestACrashedTabLeavesTheOthersAndIsRevived(t *testing.T) {
	w := newWorldAlone(t, map[string]string{"/one": `<input id=kept><button id=b onclick="this.textContent = 'clicked'">b</button>`, "/two": `<p>two`})
	w.open("/one")
	w.good("browser_type", args{"selector": "#kept", "text": "kept"})
	tab := text(t, w.good("browser_tabs", args{"action": "open", "url": "{{127.0.0.1}}/two"}), "tab.handle")
	w.good("browser_wait_for", args{"tab": tab, "text": "two"})
	target := text(t, w.good("browser_tabs", nil), "tabs.1.target_id")
	w.bad("browser_cdp", args{"method": "Page.crash", "target_id": target}, "session_lost")
	w.until("the mark of the crash", "browser_tabs", nil, func(r agent.Result) bool { return lookUp(t, r, "tabs.1.crashed") == "true" })
	w.bad("browser_snapshot", args{"tab": tab}, "session_lost", "crashed")
	w.good("browser_tabs", args{"action": "focus", "tab": "t1"})
	w.good("browser_click", args{"selector": "#b"})
	is(t, "what the other tab kept", w.js("document.getElementById('kept').value + document.getElementById('b').textContent"), `"keptclicked"`)
	revived := w.good("browser_navigate", args{"tab": tab, "url": "{{127.0.0.1}}/two"})
	want(t, revived, "title", `"/two"`)
	want(t, w.good("browser_tabs", nil), "tabs.1.crashed", "null")
	is(t, "the revived tab", w.js("document.body.textContent.trim()", args{"tab": tab}), `"two"`)
}

func TestAFileChooserIsNamedAndThenGivenAFile(t *testing.T) {
	w := newWorld(t, map[string]string{"/files": `<button id=pick onclick="input.click()">Pick</button><p id=got></p><script>
const input = document.createElement('input'); // which is in no document
input.type = 'file';
input.onchange = async () => { got.textContent = input.files[0].name + ': ' + await input.files[0].text() };
</script><iframe src="{{127.0.0.1}}/framed"></iframe>`,
		"/framed": `<input type=file id=inner aria-label="Inner file" onchange="document.title = this.files[0].name"><script>report('framed')</script>`})
	w.open("/files")
	w.reported("framed")
	clicked := w.good("browser_click", args{"selector": "#pick"})
	want(t, clicked, "file_chooser", "true")
	if !strings.Contains(clicked.Text, "browser_upload") {
		t.Errorf("the text does not say what to do: %s", clicked.Text)
	}
	path := filepath.Join(t.TempDir(), "größe.txt")
	if err := os.WriteFile(path, []byte("the content"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.good("browser_upload", args{"selector": "#pick", "paths": []string{path}})
	w.good("browser_wait_for", args{"text": "größe.txt: the content"})
	want(t, w.good("browser_click", args{"selector": "#inner"}), "file_chooser", "true")
	w.good("browser_upload", args{"ref": w.ref(w.shows(nil, "Inner file"), "Inner file"), "paths": []string{path}})
	is(t, "the file of the frame", w.js("e => e.files[0].name", args{"selector": "#inner"}), `"größe.txt"`)
}

// Texts of many scripts are typed and read back to the letter, and what hides or turns text is made visible.
func TestRightToLeftAndEmojiText(t *testing.T) {
	const texts = "שלום עולם|مرحبا بالعالم 123|👩‍💻🇩🇪👍🏽|e\u0301 ﷺ 𝒳 漢字 ไทย|क्षि|1️⃣ ok"
	w := newWorld(t, map[string]string{"/text": `<html dir=rtl><input id=line><textarea id=area></textarea><div id=free contenteditable></div>
<p id=says>` + texts + `</p><button>safe&#x202e;gnp.exe</button><button>&#x2066;iso&#x2069;lated</button><button>zero&#x200b;width</button>
<label>שם <input id=named></label>`})
	page := w.open("/text")
	for _, id := range []string{"line", "area", "free"} {
		for typed := range strings.SplitSeq(texts, "|") {
			w.good("browser_type", args{"selector": "#" + id, "text": typed})
			quoted, err := json.Marshal(typed)
			if err != nil {
				t.Fatal(err)
			}
			is(t, "what is in "+id, w.js("e => e.value ?? e.textContent", args{"selector": "#" + id}), string(quoted))
		}
	}
	is(t, "the text", text(t, w.good("browser_extract_text", args{"selector": "#says"}), "text"), texts)
	w.good("browser_type", args{"ref": w.ref(page, `"שם"`), "text": "עדה"})
	is(t, "the named field", w.js("document.getElementById('named').value"), `"עדה"`)
	w.good("browser_wait_for", args{"text": "مرحبا بالعالم"})
	snapshot := text(t, page, "snapshot")
	for _, line := range []string{`button "safe\u202egnp.exe"`, `button "\u2066iso\u2069lated"`, `button "zero\u200bwidth"`} {
		if !strings.Contains(snapshot, line) {
			t.Errorf("there is no %s in %s", line, snapshot)
		}
	}
	if strings.ContainsAny(page.Text+shared.Dump(page.Structured), "\u202e\u2066\u200b") {
		t.Error("the result has what turns or hides text")
	}
	w.good("browser_click", args{"ref": w.ref(page, `safe\u202egnp`)})
}
