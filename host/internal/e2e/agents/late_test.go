package agents

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// latePage gets ready when it is asked to, later than anything was ever waited for without being told to.
const latePage = `<button id=start onclick="start()">start</button><div id=room></div>
<button id=disabled disabled onclick="said.textContent += 'enabled '">disabled</button>
<button id=covered onclick="said.textContent += 'uncovered '">covered</button><p id=said></p>
<div id=cover style="position: fixed; inset: 60px 0 0 0; background: tomato; display: none">cover</div>
<script>
function start() {
	cover.style.display = "block";
	setTimeout(() => { room.innerHTML = "<button id=late>late</button>"; late.onclick = () => { said.textContent += "come " } }, 3000);
	setTimeout(() => { disabled.disabled = false; cover.remove(); document.title = "ready page" }, 3500);
}
</script>`

func TestAnActionWaitsForWhatItNeedsAsLongAsItHasTime(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	for _, late := range []struct{ selector, said string }{{"#late", "come"}, {"#disabled", "enabled"}, {"#covered", "uncovered"}} {
		t.Run(late.selector, func(t *testing.T) {
			t.Parallel()
			u := b.newUser(t, host.TaskOptions{})
			u.good("browser_navigate", arguments{"url": "{{localhost}}/late"})
			u.good("browser_evaluate", arguments{"expression": "start()"})
			u.good("browser_click", arguments{"selector": late.selector})
			want(t, u.good("browser_extract_text", arguments{"selector": "#said"}), "text", `"`+late.said+`"`)
		})
	}
	t.Run("a look at it, too", func(t *testing.T) {
		t.Parallel()
		u := b.newUser(t, host.TaskOptions{})
		u.good("browser_navigate", arguments{"url": "{{localhost}}/late"})
		u.good("browser_evaluate", arguments{"expression": "start()"})
		want(t, u.good("browser_extract_text", arguments{"selector": "#late"}), "text", `"late"`)
	})
}

// The lists of actions that are known from elsewhere are done as they are.
func TestListsThatAreKnownFromElsewhere(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	path := filepath.Join(u.options.ScreenshotDir, "run", "page.png")
	r := u.good("browser_interact", arguments{"actions": []arguments{
		{"action": "goto", "url": "{{localhost}}/late", "wait_until": "domcontentloaded"},
		{"action": "click", "selector": "#start"},
		{"action": "click", "selector": "#disabled", "wait_for_hidden": "#cover", "wait_for_hidden_ms": 30000},
		{"action": "screenshot", "full_page": true, "out_path": "run/page.png"},
	}})
	want(t, r, "title", `"ready page"`)
	want(t, r, "url", `"`+u.URL("localhost", "/late")+`"`)
	want(t, r, "results.3.result.screenshot_path", `"`+path+`"`)
	if png, err := os.ReadFile(path); err != nil || len(r.Images) != 1 || !bytes.Equal(png, r.Images[0].Data) {
		t.Errorf("the file has %d bytes, %v; %d pictures came", len(png), err, len(r.Images))
	}
	r = u.call("browser_interact", arguments{"actions": []arguments{
		{"action": "click", "selector": "#start", "wait_for_hidden": "#said", "wait_for_hidden_ms": 200},
	}})
	want(t, r, "results.0.error", `"wait_for_hidden(#said) timed out before click(#start)"`)
}

// A list that could leave the directories for pictures is refused before anything of it is done.
func TestAPictureIsKeptNowhereElse(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/late"})
	for _, path := range []string{"../up.png", "/tmp/away.png", filepath.Join(u.options.ScreenshotDir, "..", "up.png"), "page.sh"} {
		u.bad("browser_interact", arguments{"url": "{{localhost}}/two", "actions": []arguments{{"action": "screenshot", "out_path": path}}}, "bad_arguments", "actions[0].out_path")
		u.bad("browser_screenshot", arguments{"out_path": path}, "bad_arguments", "out_path")
	}
	u.bad("browser_interact", arguments{"actions": []arguments{{"action": "click", "selector": "p", "wait_for_hidden_ms": 5}}}, "bad_arguments", "wait_for_hidden")
	want(t, u.good("browser_console", arguments{"expression": "location.pathname"}), "result", `"/late"`)
}

// An action that waits in vain, and names no time of its own, leaves some to those that follow.
func TestAnActionInVainLeavesTimeToTheOthers(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/late"})
	r := u.answered("browser_interact", arguments{"timeout_ms": 16000, "actions": []arguments{
		{"action": "click", "selector": "#nowhere"}, {"action": "extract_text", "selector": "#start"},
	}})
	want(t, r, "results.0.kind", `"no_element"`)
	want(t, r, "results.1.result.text", `"start"`)
	want(t, r, "aborted", "null")
}
