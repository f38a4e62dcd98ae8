package agents

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// writtenIn has a field that says which keys its document has received.
const writtenIn = `<!doctype html><input id=f aria-label=Inner><p id=keys></p><script>
	onkeydown = e => { keys.textContent += e.key; top.postMessage(e.key, "*") };
	onmessage = e => e.data === "told?" ? top.postMessage("told", "*") : f.focus();
</script>`

// newFocused is a user at a page that notes which keys its frame has received.
func newFocused(t *testing.T, body, script string) *user {
	t.Helper()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.Handle("/inner", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(writtenIn))
	})
	u.Handle("/outer", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(u.Expand("<!doctype html>" + body + `<script>globalThis.keys = ""; onmessage = e => { e.data === "told" ? told() : keys += e.data };` + script + "</script>")))
	})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/outer"})
	return u
}

// received checks which keys the frame has received, when it has told them all. One in a closed shadow root cannot be
// asked whether it has.
func (u *user) received(keys string) {
	u.t.Helper()
	r := u.good("browser_evaluate", arguments{"expression": fmt.Sprintf(`new Promise(done => {
		globalThis.told = () => keys.length >= %d ? done(keys) : setTimeout(told, 20);
		frames[0] ? frames[0].postMessage("told?", "*") : told();
	})`, len(keys))})
	want(u.t, r, "result", strconv.Quote(keys))
}

// origins are those of a frame in the page's process and in another.
var origins = map[string]string{"the same process": "{{localhost}}", "another process": "{{127.0.0.1}}"}

// The document does not say which element in a closed shadow root has the focus. A key was taken for lost that a frame
// there had received, and was sent again and again.
func TestKeysGoToTheFocusInClosedShadowRoots(t *testing.T) {
	t.Parallel()
	for name, origin := range origins {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newFocused(t, `<x-pay></x-pay><div id=host></div>`, `
				document.querySelector("x-pay").attachShadow({mode: "closed"}).innerHTML = "<iframe src='`+origin+`/inner'></iframe>";
				host.attachShadow({mode: "closed"}).innerHTML = "<input aria-label=Own>"`)
			u.good("browser_click", arguments{"role": "textbox", "name": "Inner"})
			u.good("browser_press", arguments{"key": "x"})
			u.received("x")
			u.good("browser_type", arguments{"text": "yz"})
			if r := u.good("browser_snapshot", nil); !strings.Contains(r.Text, `: "yz"`) {
				t.Error(r.Text)
			}
			u.good("browser_click", arguments{"role": "textbox", "name": "Own"})
			u.good("browser_type", arguments{"text": "own"})
			u.good("browser_press", arguments{"key": "!"})
			if r := u.good("browser_snapshot", nil); !strings.Contains(r.Text, `"own!"`) {
				t.Error(r.Text)
			}
			u.received("xyz")
		})
	}
}

// A page can give the focus of a field to a frame as soon as it has it. What was meant for the field is not typed
// there, or only once, if nobody could have known.
func TestKeysDoNotFollowAFocusThatThePageMoves(t *testing.T) {
	t.Parallel()
	for name, origin := range origins {
		for when, c := range map[string]struct{ moves, says, keys string }{
			"at once":      {`give()`, "nothing was typed", ""},
			"to its field": {`give(); frame.contentWindow.postMessage(1, "*")`, "nothing was typed", ""},
			"a bit later":  {`Promise.resolve().then(give)`, "nothing was typed", ""},
			"in secret":    {`Promise.resolve().then(give)`, "was delivered to another frame", "x"},
		} {
			t.Run(name+" "+when, func(t *testing.T) {
				t.Parallel()
				u := newFocused(t, `<input id=a aria-label=A><iframe id=frame src="`+origin+`/inner"></iframe>`, `
					const give = () => frame.contentWindow.focus();
					addEventListener("blur", e => { if (`+strconv.FormatBool(when == "in secret")+`) e.stopImmediatePropagation() }, true);
					a.onfocus = () => { `+c.moves+` }`)
				u.bad("browser_press", arguments{"selector": "#a", "key": "x"}, "input_not_delivered", `"A"`, c.says)
				u.received(c.keys)
				if when != "in secret" {
					u.bad("browser_type", arguments{"selector": "#a", "text": "secret"}, "input_not_delivered", "nothing was typed")
					u.received("")
				}
			})
		}
	}
}

// Whoever takes the focus while a text is typed does not get the rest of it.
func TestATextIsNotTypedOnInAnotherFrame(t *testing.T) {
	t.Parallel()
	for name, origin := range origins {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newFocused(t, `<input id=a type=password aria-label=A><iframe id=frame src="`+origin+`/inner"></iframe>`, `
				a.onkeydown = e => { if (e.key === "c") frame.contentWindow.focus() }`)
			const text = "abc-the rest of a secret that nobody else is to have, and which is long enough for a slow machine"
			u.bad("browser_type", arguments{"selector": "#a", "text": text}, "input_not_delivered", `only the beginning of the text was typed into textbox "A"`, "another frame")
			got := lookUp(t, u.good("browser_evaluate", arguments{"expression": "keys.length"}), "result")
			if n, err := strconv.Atoi(got); err != nil || n > len(text)/4 {
				t.Errorf("the frame has got %s of %d keys", got, len(text))
			}
		})
	}
}

// A key for what cannot take the focus would go to what has it: Enter would press the button that was used last.
func TestNoKeyIsPressedForWhatCannotTakeTheFocus(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<button id=remove onclick="removed++">Remove</button><div id=volume role=slider aria-label=Volume aria-valuenow=1>Volume</div>
<div id=box role=group aria-label=Box><input id=field aria-label=Field></div><div id=secret></div><p id=editor contenteditable>Text <b id=bold>bold</b></p>
<input id=proxy aria-label=Proxy onfocus="real.focus()"><input id=real aria-label=Real>`, `
		removed = 0; keys = "";
		const root = secret.attachShadow({mode: "closed"});
		root.innerHTML = "<span>Plain</span><button>Inner</button>";
		root.lastChild.onkeydown = e => { keys += "inner " + e.key };
		addEventListener("keydown", e => { keys += e.target.id + " " + e.key + ";" });
		innerFocus = () => root.lastChild.focus()`)
	for _, c := range []struct{ focus, on, has string }{
		{"remove.focus()", "#volume", `button "Remove" (selector "button#remove") has it`},
		{"document.activeElement.blur()", "#volume", "nothing on the page has it"},
		{"innerFocus()", "#volume", `button "Inner"`},
		{"remove.focus()", "#bold", `button "Remove"`},
	} {
		u.good("browser_console", arguments{"expression": c.focus})
		u.bad("browser_press", arguments{"selector": c.on, "key": "Enter"}, "not_actionable", "unable to take the focus, so that no key was pressed", c.has)
	}
	u.bad("browser_press", arguments{"selector": "#proxy", "key": "Enter"}, "input_not_delivered", "nothing was typed", `textbox "Proxy"`, `textbox "Real"`)
	is(t, "removed and keys", u.value("removed + keys"), `"0"`)
	u.good("browser_console", arguments{"expression": "field.focus()"})
	u.good("browser_press", arguments{"selector": "#box", "key": "a"})
	is(t, "keys of the field in the box", u.value("keys"), `"field a;"`)
	u.good("browser_console", arguments{"expression": "editor.focus()"})
	u.good("browser_press", arguments{"selector": "#bold", "key": "b"})
	is(t, "keys with the editor", u.value("keys"), `"field a;editor b;"`)
}

// Enter after a text is for what sends that text, and not for what else the page has given the focus meanwhile.
func TestEnterAfterATextSendsThatText(t *testing.T) {
	t.Parallel()
	bench := newBench(t, common.Address(t), host.Options{})
	const remove = `<button id=remove type=button onclick="out += 'removed '">Remove</button>`
	for name, c := range map[string]struct {
		html, script string
		want         string // what the page has noted
		astray       string // what has the focus instead, in the error; empty: there is none
	}{
		"the field itself":        {`<form><input id=a></form>`, ``, "sent ", ""},
		"a field without a form":  {`<input id=a>`, `a.onkeydown = e => { if (e.key === "Enter") out += "enter " }`, "enter ", ""},
		"another button":          {`<form><input id=a>` + remove + `</form>`, `a.oninput = () => a.value === "12" && remove.focus()`, "", `button "Remove"`},
		"a button elsewhere":      {`<form><input id=a></form><button id=b onclick="out += 'pressed '">Other</button>`, `a.oninput = () => a.value === "12" && b.focus()`, "", `button "Other"`},
		"nothing":                 {`<form><input id=a></form>`, `a.oninput = () => a.value === "12" && a.blur()`, "", "nothing on the page"},
		"a frame":                 {`<form><input id=a></form><iframe id=f srcdoc="<input>"></iframe>`, `a.oninput = () => a.value === "12" && f.contentWindow.focus()`, "", "has the focus now"},
		"the next of a code":      {`<form><input id=a><input id=b><button>Go</button></form>`, `a.oninput = () => a.value === "12" && b.focus()`, "sent ", ""},
		"a field of another form": {`<form><input id=a></form><form><input id=b aria-label=B></form>`, `a.oninput = () => a.value === "12" && b.focus()`, "", `textbox "B"`},
		"the button that sends":   {`<form><input id=a><button id=b>Send</button></form>`, `a.oninput = () => a.value === "12" && b.focus()`, "sent ", ""},
		"a field in its place": {`<form id=f><input id=a></form>`,
			`a.oninput = () => { if (a.value !== "12") return; const now = a.cloneNode(); now.value = a.value; a.replaceWith(now); now.focus() }`, "sent ", ""},
		"an editor":     {`<div id=a contenteditable></div>`, `a.onkeydown = e => { if (e.key === "Enter") { e.preventDefault(); out += "enter " } }`, "enter ", ""},
		"a closed root": {`<div id=host></div>`, `const root = host.attachShadow({mode: "closed"}); root.innerHTML = "<form><input aria-label=A></form>"; root.firstChild.onsubmit = e => { e.preventDefault(); out += "sent " }`, "sent ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := bench.newUser(t, host.TaskOptions{})
			u.body(c.html, `out = ""; addEventListener("submit", e => { e.preventDefault(); out += "sent " }, true); `+c.script)
			field := arguments{"selector": "#a", "text": "12", "submit": true}
			if name == "a closed root" {
				field = arguments{"role": "textbox", "name": "A", "text": "12", "submit": true}
			}
			if c.astray != "" {
				u.bad("browser_type", field, "input_not_delivered", "the text was typed into textbox", "but Enter was not pressed", c.astray)
			} else {
				u.good("browser_type", field)
			}
			is(t, "noted", u.value("out"), strconv.Quote(c.want))
		})
	}
}

// A window that closes itself as soon as it has the Enter, as those for logins do, has received it.
func TestEnterThatClosesItsWindowWasPressed(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<button id=login>Log in</button>`, `login.onclick = () => {
		const w = open("", "", "popup");
		w.document.write("<form><input aria-label=Code></form>");
		w.document.forms[0].onsubmit = e => { e.preventDefault(); document.title = "sent"; w.close() };
	}`)
	popup := text(t, u.good("browser_click", arguments{"selector": "#login"}), "new_tabs.0.handle")
	r := u.good("browser_type", arguments{"tab": popup, "role": "textbox", "name": "Code", "text": "12", "submit": true})
	if !strings.Contains(r.Text, "closed the tab") || strings.Contains(r.Text, "not pressed") {
		t.Error(r.Text)
	}
	is(t, "title", u.value("document.title"), `"sent"`)
}
