package e2e

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// A dialog that opens between the press of a button and its release takes the release, so that there is no click.
func TestAClickWhoseReleaseADialogTakesIsRepeated(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<button>Press</button><script>
let presses = 0, clicks = 0;
document.querySelector("button").onpointerdown = () => { if (presses++ === 0) setTimeout(() => alert("now")) };
document.querySelector("button").onclick = () => { clicks++ };
</script>`}, host.TaskOptions{})
	w.open("/page")
	if _, err := w.ArmDialog(w.ctx, host.ArmedAnswer{Accept: true, Repeat: true, Expires: time.Minute}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Tab("").Click(w.unhurried(), host.BySelector("button"), nil); err != nil {
		t.Error(err)
	}
	want(t, "clicks", w.evaluate("clicks"), "1")
}

// A page that opens one dialog after the other holds an agent whose every call comes too late to be between two.
func TestAPageThatOpensDialogsWithoutEndIsUsedAndLeft(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/endless": `<button onclick="document.title = 'pressed'">Press</button><script>opened = 0; setInterval(() => { opened++; alert("again") }, 50)</script>`,
		"/after":   `<h1>Left</h1>`,
	}, host.TaskOptions{})
	r := w.tools()
	w.start(`location = "` + w.URL("localhost", "/endless") + `"`)
	call := func(name string, arguments map[string]any) string {
		t.Helper()
		result := w.callTool(r, name, arguments)
		if result.IsError {
			t.Fatalf("%s: %s", name, result.Text)
		}
		return result.Text
	}
	for n := 1; ; n++ {
		w.pending(1)
		said := call("browser_dialog", map[string]any{"action": "dismiss"})
		if hinted := strings.Contains(said, "repeat: true"); hinted != (n >= 3) {
			t.Errorf("after %d dialogs: %s", n, said)
		}
		if n == 4 {
			break
		}
	}
	w.pending(1)
	if said := call("browser_dialog", map[string]any{"action": "dismiss", "repeat": true, "expires_s": 3600}); !strings.Contains(said, "every alert until") {
		t.Errorf("the answer says %s", said)
	}
	call("browser_click", map[string]any{"selector": "button"})
	var opened int
	if err := json.Unmarshal([]byte(w.evaluate("opened")), &opened); err != nil || opened < 6 {
		t.Errorf("%d dialogs opened: %v", opened, err)
	}
	want(t, "the title", w.evaluate("document.title"), `"pressed"`)
	if said := call("browser_navigate", map[string]any{"url": w.URL("localhost", "/after")}); !strings.Contains(said, "Left") {
		t.Errorf("the navigation says %s", said)
	}
	w.start(`confirm("other")`) // which is no alert
	w.pending(1)
	w.answer(host.DialogResponse{Accept: true})
}
