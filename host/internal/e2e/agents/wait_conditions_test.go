package agents

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// waits are conditions that become true once the page's script went() has run, and not before. The script runs a while
// after the wait has begun, or never.
var waits = []struct {
	name      string
	body      string
	went      string // what makes it true
	arguments arguments
	last      string // what the error has to say
}{
	{"a role comes", `<p id=p></p>`, `p.innerHTML = "<button>Save it</button>"`, arguments{"role": "button", "name": "Save it"}, "Save it"},
	{"a role goes", `<button id=b>Save it</button>`, `b.remove()`, arguments{"role": "button", "name": "Save it", "state": "hidden"}, "Save it"},
	{"a text goes", `<p id=p>Saving</p>`, `p.remove()`, arguments{"text": "Saving", "state": "hidden"}, "Saving"},
	{"a selector is enabled", `<button id=b disabled>B</button>`, `b.disabled = false`, arguments{"selector": "#b", "state": "enabled"}, "disabled"},
	{"a selector comes enabled", `<p id=p></p>`, `p.innerHTML = "<input id=i>"`, arguments{"selector": "#i", "state": "enabled"}, "#i"},
	{"a text is enabled", `<button id=b disabled>Send</button>`, `b.disabled = false`, arguments{"text": "Send", "state": "enabled"}, "disabled"},
	{"a role is enabled", `<button id=b disabled>Send</button>`, `b.disabled = false`, arguments{"role": "button", "name": "Send", "state": "enabled"}, "disabled"},
	{"a selector in a frame to come", `<p id=p></p>`, `p.innerHTML = "<iframe srcdoc='<b id=inner>x</b>'></iframe>"`, arguments{"selector": "#inner"}, "#inner"},
	{"a pushed URL by glob", ``, `history.pushState(0, "", "/pushed?a=1#b")`, arguments{"url": "*/pushed?a=1#b"}, "/two"},
	{"a pushed URL by expression", ``, `history.pushState(0, "", "/pushed/42")`, arguments{"url": `/pushed/\d+$/`}, "/two"},
	{"a loaded URL", ``, `location.href = "/after"`, arguments{"url": "*/after"}, "/two"},
	{"a request", ``, `fetch("/two?saved")`, arguments{"request": "?saved"}, "no such request"},
	{"a request by expression", ``, `new Image().src = "/two?id=42"`, arguments{"request": `/\?id=\d+$/`}, "no such request"},
	{"an element of the next page", `<p id=p></p>`, `location.href = "/two?again"`, arguments{"expression": `location.search === "?again"`}, "false"},
	{"an expression", ``, `globalThis.ready = 1`, arguments{"expression": "globalThis.ready"}, "undefined"},
	{"a function", ``, `globalThis.ready = 1`, arguments{"expression": "async () => globalThis.ready === 1;"}, "false"},
	{"an expression that throws", ``, `globalThis.ready = {now: true}`, arguments{"expression": "ready.now // at last"}, "ReferenceError"},
}

func TestAWaitEndsWhenItsConditionIsTrue(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	for _, w := range waits {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			u := b.newUser(t, host.TaskOptions{})
			u.body(w.body, "setTimeout(() => { "+w.went+" }, 700); 0")
			wantKeys(t, u.good("browser_wait_for", w.arguments), "waited_ms")
			u.body(w.body, "setTimeout(() => { "+w.went+" }, 700); 0")
			u.good("browser_interact", arguments{"actions": []arguments{w.arguments.with(arguments{"action": "wait_for"})}})
		})
	}
}

func TestAWaitInVainSaysWhatWasSeenLast(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	for _, w := range waits {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			u := b.newUser(t, host.TaskOptions{})
			u.body(w.body, "0")
			u.bad("browser_wait_for", w.arguments.with(arguments{"timeout_ms": 2000}), "timeout", "in time", w.last)
		})
	}
}

// A ref names one element, which does not come back when it is gone.
func TestAWaitForARef(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<button id=b disabled>Send</button>`, "0")
	ref := refIn(t, u.good("browser_snapshot", nil), "button", "Send")
	u.bad("browser_wait_for", arguments{"ref": ref, "state": "enabled", "timeout_ms": 1500}, "timeout", "disabled")
	for _, step := range []struct{ went, state string }{
		{"b.disabled = false", "enabled"}, {"b.hidden = true", "hidden"}, {"b.hidden = false", "visible"}, {"b.remove()", "detached"},
	} {
		u.good("browser_evaluate", arguments{"expression": "setTimeout(() => { " + step.went + " }, 500); 0"})
		want(t, u.good("browser_wait_for", arguments{"ref": ref, "state": step.state}), "state", `"`+step.state+`"`)
	}
	want(t, u.good("browser_wait_for", arguments{"ref": ref, "state": "hidden"}), "state", `"hidden"`)
	u.bad("browser_wait_for", arguments{"ref": ref}, "stale_ref", ref)
	u.bad("browser_wait_for", arguments{"ref": "e9999"}, "unknown_ref", "e9999")
}

func TestAWaitTakesOneCondition(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	for _, a := range []arguments{
		{}, {"url": "*", "expression": "1"}, {"url": "*", "time_ms": 5}, {"selector": "p", "url": "*"}, {"role": "button", "expression": "1"},
		{"text": "x", "time_ms": 5}, {"load_state": "load", "text": "x"},
	} {
		u.bad("browser_wait_for", a, "bad_arguments", "url", "request", "expression", "time_ms", "selector")
	}
	u.bad("browser_wait_for", arguments{"request": "x", "frame_id": "x"}, "bad_arguments", "frame_id")
	u.bad("browser_wait_for", arguments{"request": "/(/"}, "bad_arguments", "request")
	u.bad("browser_wait_for", arguments{"url": "*", "state": "visible"}, "bad_arguments", "state")
	u.bad("browser_wait_for", arguments{"load_state": "load", "frame_id": "x"}, "bad_arguments", "frame_id")
	for names, a := range map[string]arguments{
		"selector": {}, "selector: give one": {"url": "*", "load_state": "load"}, "state": {"url": "*", "state": "hidden"}, "ms": {"ms": 5, "url": "*"},
	} {
		u.bad("browser_interact", arguments{"actions": []arguments{{"action": "extract_text"}, a.with(arguments{"action": "wait_for"})}}, "bad_arguments", "actions[1]."+names)
	}
	u.bad("browser_wait_for", arguments{"url": "/(/"}, "bad_arguments", "url")
	u.bad("browser_wait_for", arguments{"expression": "1 +"}, "js_exception", "SyntaxError")
	u.bad("browser_wait_for", arguments{"role": "button", "state": "attached"}, "bad_arguments", "visible")
}

// A wait for a load within a list is about the page that the list has left for.
func TestAListWaitsForALoad(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	for _, state := range []string{"domcontentloaded", "load", "networkidle"} {
		u.body(`<a href=/after>on</a>`, "0")
		r := u.good("browser_interact", arguments{"actions": []arguments{
			{"action": "click", "text": "on"}, {"action": "wait_for", "load_state": state}, {"action": "wait_for", "url": "*/after"},
		}})
		want(t, r, "url", `"`+u.Expand("{{localhost}}/after")+`"`)
		u.good("browser_wait_for", arguments{"load_state": state})
	}
}

func TestAWaitForTime(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body("", "0")
	u.good("browser_wait_for", arguments{"time_ms": 100})
	u.bad("browser_wait_for", arguments{"time_ms": 20000, "timeout_ms": 1000}, "bad_arguments", "time_ms", "timeout_ms")
}

// A dialog that opens during a wait is said at once, whatever is awaited.
func TestADialogDuringAWaitIsSaid(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	for _, a := range []arguments{{"url": "*/never"}, {"expression": "false"}, {"time_ms": 25000}, {"role": "button", "name": "never"}, {"selector": "#never", "state": "enabled"}} {
		t.Run(shared.Dump(a), func(t *testing.T) {
			t.Parallel()
			u := b.newUser(t, host.TaskOptions{})
			u.body("", `setTimeout(() => alert("wait"), 500); 0`)
			u.bad("browser_wait_for", a.with(arguments{"timeout_ms": 30000}), "blocked_by_dialog", "alert")
		})
	}
}
