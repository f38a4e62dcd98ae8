package agents

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// body replaces the page by one with a body, and runs a script in it.
func (u *user) body(body, script string) {
	u.t.Helper()
	u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
	u.good("browser_evaluate", arguments{"expression": "document.body.innerHTML = " + shared.Dump(body) + ";\n" + script})
}

// value is that of an expression, as JSON.
func (u *user) value(expression string) string {
	u.t.Helper()
	return lookUp(u.t, u.good("browser_evaluate", arguments{"expression": expression}), "result")
}

func TestAClickHoldsKeysAndRepeats(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<p id=p>one two three. four</p><button id=b>B</button>`, `globalThis.log = [];
		for (const type of ["click", "auxclick", "contextmenu", "dblclick"]) b.addEventListener(type, e => {
			e.preventDefault();
			log.push(type + e.detail + (e.ctrlKey ? " ctrl" : "") + (e.shiftKey ? " shift" : "") + (e.altKey ? " alt" : "") + (e.metaKey ? " meta" : ""));
		});
		addEventListener("keydown", e => log.push("down " + e.key)); addEventListener("keyup", e => log.push("up " + e.key)); 0`)
	log := func() string { return u.value("log.splice(0).join()") }
	u.good("browser_click", arguments{"selector": "#b", "modifiers": []string{"ctrl", "Shift"}})
	is(t, "with keys", log(), `"down Control,down Shift,click1 ctrl shift,up Shift,up Control"`)
	u.good("browser_click", arguments{"selector": "#b", "modifiers": []string{"cmd", "option"}, "button": "right"})
	is(t, "with the right button", log(), `"down Meta,down Alt,contextmenu0 alt meta,auxclick1 alt meta,up Alt,up Meta"`)
	u.good("browser_click", arguments{"selector": "#b", "click_count": 3, "button": "middle"})
	is(t, "three times with the middle button", log(), `"auxclick1,auxclick2,auxclick3"`)
	u.good("browser_dblclick", arguments{"selector": "#b", "modifiers": []string{"Shift"}})
	is(t, "twice", log(), `"down Shift,click1 shift,click2 shift,dblclick2 shift,up Shift"`)
	u.good("browser_click", arguments{"selector": "#p", "click_count": 3})
	is(t, "what is selected", u.value("String(getSelection()).trim()"), `"one two three. four"`)
	u.bad("browser_click", arguments{"selector": "#b", "modifiers": []string{"hyper"}}, "bad_arguments", "hyper", "Shift")
	u.bad("browser_click", arguments{"selector": "#b", "click_count": 4}, "bad_arguments", "click_count")
	u.good("browser_interact", arguments{"actions": []arguments{{"action": "click", "selector": "#b", "modifiers": []string{"Alt"}, "click_count": 2}}})
	is(t, "in a list", log(), `"down Alt,click1 alt,click2 alt,dblclick2 alt,up Alt"`)
}

// A tab that the browser opens for such a click is named as a popup is.
func TestAClickThatOpensATabNamesIt(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<a id=a href=/after>After</a>`, "0")
	for _, way := range []arguments{{"modifiers": []string{"Control"}}, {"button": "middle"}, {"modifiers": []string{"Control", "Shift"}}, {"modifiers": []string{"Shift"}}} {
		r := u.good("browser_click", way.with(arguments{"selector": "#a"}))
		if got := lookUp(t, r, "new_tabs.0.url"); !strings.HasSuffix(got, `/after"`) || lookUp(t, r, "new_tabs.1") != "null" {
			t.Errorf("%v opened %s", way, show(r))
		}
		want(t, r, "navigated", "null")
		u.good("browser_extract_text", arguments{"tab": text(t, r, "new_tabs.0.handle")})
	}
}
