package agents

import (
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// busyPage has handlers that do not return for a while, or never.
const busyPage = `<p id=said>busy page</p><button id=ever onclick="mark = 'begun'; for (;;);">ever</button>
<button id=while onclick="const end = Date.now() + 2500; while (Date.now() < end); said.textContent = 'back again'">while</button>
<script>globalThis.mark = "untouched"</script>`

// busyUser is on that page, in a host that is soon out of patience.
func busyUser(t *testing.T) *user {
	t.Helper()
	u := newBench(t, common.Address(t), host.Options{ActionWait: time.Second}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/busy"})
	return u
}

// delivered clicks what keeps the page busy, and gives the id of the call.
func (u *user) delivered(tool string, a arguments) (callID string) {
	u.t.Helper()
	began := time.Now()
	r := u.bad(tool, a.with(arguments{"timeout_ms": 120_000}), "delivered", "reached the page", "which has been busy since", "do not repeat it")
	if took := time.Since(began); took > time.Minute { // half of what the call had
		u.t.Errorf("it took %v", took)
	}
	return text(u.t, r, "call_id")
}

func TestADeliveredActionAnswersAndIsResumed(t *testing.T) {
	t.Parallel()
	u := busyUser(t)
	id := u.delivered("browser_click", arguments{"selector": "#while"})
	r := u.good("browser_resume", arguments{"call_id": id})
	want(t, r, "clicked", `"button \"while\""`)
	want(t, u.good("browser_extract_text", arguments{"selector": "#said"}), "text", `"back again"`) // nothing was ended
	u.bad("browser_resume", arguments{"call_id": id}, "unknown_call", "was taken")

	u.good("browser_reload", nil)
	id = u.delivered("browser_interact", arguments{"actions": []arguments{
		{"action": "click", "selector": "#while"}, {"action": "extract_text", "selector": "#said"},
	}})
	r = u.good("browser_resume", arguments{"call_id": id})
	want(t, r, "results.0.result.clicked", `"button \"while\""`)
	want(t, r, "results.1.result.text", `"back again"`)
}

func TestABusyPageNamesTheCallThatConsoleCanEnd(t *testing.T) {
	t.Parallel()
	u := busyUser(t)
	id := u.delivered("browser_click", arguments{"selector": "#ever"})
	u.bad("browser_resume", arguments{"call_id": id, "timeout_ms": 300}, "timeout") // it goes on
	u.good("browser_console", nil)
	u.bad("browser_console", arguments{"expression": "mark", "timeout_ms": 100_000}, "renderer_busy", id)
	want(t, u.good("browser_console", arguments{"stop": id}), "stopped", `"`+id+`"`)
	u.bad("browser_resume", arguments{"call_id": id}, "aborted", "ended on request", "terminated")
	want(t, u.good("browser_console", arguments{"expression": "mark"}), "result", `"begun"`) // the page is as it was
	u.bad("browser_console", arguments{"stop": id}, "unknown_call")
}

func TestABusyPageCanBeLeft(t *testing.T) {
	t.Parallel()
	u := busyUser(t)
	id := u.delivered("browser_click", arguments{"selector": "#ever"})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
	want(t, u.good("browser_extract_text", nil), "text", `"two"`)
	u.call("browser_resume", arguments{"call_id": id}) // whatever came of it, it has ended
	u.bad("browser_resume", arguments{"call_id": id}, "unknown_call")
}

// What keeps one tab busy is nothing to a tab of another process.
func TestATabOfAnotherProcessGoesOnBesideABusyOne(t *testing.T) {
	t.Parallel()
	u := busyUser(t)
	u.good("browser_tabs", arguments{"action": "open", "url": "{{127.0.0.1}}/busy"})
	u.good("browser_tabs", arguments{"action": "focus", "tab": "t1"})
	id := u.delivered("browser_click", arguments{"selector": "#ever"})
	u.good("browser_tabs", nil)
	u.good("browser_tabs", arguments{"action": "focus", "tab": "t2"})
	u.good("browser_snapshot", nil)
	u.good("browser_evaluate", arguments{"expression": "1"})
	u.good("browser_hover", arguments{"selector": "#ever"})
	u.good("browser_screenshot", nil)
	other := u.delivered("browser_click", arguments{"selector": "#while"})
	want(t, u.good("browser_resume", arguments{"call_id": other}), "clicked", `"button \"while\""`)
	want(t, u.good("browser_extract_text", arguments{"selector": "#said"}), "text", `"back again"`)
	u.good("browser_navigate", arguments{"url": "{{127.0.0.1}}/two"})
	u.good("browser_tabs", arguments{"action": "open", "url": "{{127.0.0.2}}/two"})
	u.bad("browser_resume", arguments{"call_id": id, "timeout_ms": 100}, "timeout") // the first is busy still
	u.good("browser_tabs", arguments{"action": "close", "tab": "t1"})
}
