package agents

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

var anyRef = regexp.MustCompile(`@e[0-9]+`)

// observed calls a tool that acts, and checks what it says has changed, whatever the refs are.
func (u *user) observed(tool string, a arguments, lines ...string) agent.Result {
	u.t.Helper()
	r := u.good(tool, a.with(arguments{"observe": true}))
	said := text(u.t, r, "observed.changes")
	if got := anyRef.ReplaceAllString(said, "@e"); got != strings.Join(lines, "\n") || !strings.Contains(r.Text, said) {
		u.t.Errorf("%s %v changed:\n%s\nwant:\n%s\na model is told:\n%s", tool, a, got, strings.Join(lines, "\n"), r.Text)
	}
	return r
}

// An application sets its URL at once, or when it has what belongs to it: either way it is a change, and said once.
func TestAnActionSaysTheURLThatThePageSets(t *testing.T) {
	t.Parallel()
	for when, script := range map[string]string{
		"at once": `go.onclick = () => history.pushState(null, "", "/other"); 0`,
		"later":   `go.onclick = async () => { await fetch("/two"); setTimeout(() => history.pushState(null, "", "/other"), 50) }; 0`,
	} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
			u.body(`<button id=go>Go</button>`, script)
			u.good("browser_snapshot", nil)
			r := u.observed("browser_click", arguments{"selector": "#go"})
			want(t, r, "observed.url", `"`+u.URL("localhost", "/other")+`"`)
			if strings.Count(r.Text, u.URL("localhost", "/other")) != 1 || strings.Contains(r.Text, "nothing changed") {
				t.Error(r.Text)
			}
		})
	}
}

// The element without a name that was clicked is not every element of its role.
func TestAnActionOnWhatHasNoNameSaysWhereTheFocusWent(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<button id=icon style="width: 20px; height: 20px"></button><button id=send>Send</button>`, "0")
	for _, to := range []string{"send", "icon"} {
		u.good("browser_evaluate", arguments{"expression": "document.activeElement.blur(); icon.onclick = () => " + to + ".focus(); 0"})
		u.good("browser_snapshot", nil)
		r := u.good("browser_click", arguments{"selector": "#icon", "observe": true})
		if focus := lookUp(t, r, "observed.focus"); strings.Contains(focus, "Send") != (to == "send") {
			t.Errorf("the focus went to %s, and it says %s:\n%s", to, focus, r.Text)
		}
	}
}

// A table that was sorted says the same as before, in another order.
func TestAnActionSaysWhatItHasMoved(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<table><thead><tr><th>Name<th><button id=sort>Price</button></thead><tbody id=rows><tr><td>Tea<td>9<tr><td>Milk<td>3<tr><td>Salt<td>1</table>`,
		`rows.onclick = () => {};
		sort.onclick = () => rows.append(...[...rows.rows].sort((a, b) => a.cells[1].textContent - b.cells[1].textContent)); 0`)
	first := u.good("browser_snapshot", nil)
	lines := []string{`- table`, `  - rowgroup @e`, `    - row`, `      - cell "Salt" @e`, `      - cell "1" @e`,
		`    ~ row`, `      ~ cell "Milk" @e`, `      ~ cell "3" @e`, `    ~ row`, `      ~ cell "Tea" @e`, `      ~ cell "9" @e`}
	u.observed("browser_click", arguments{"selector": "#sort"}, lines...)
	since := u.good("browser_snapshot", arguments{"since": text(t, first, "token")})
	if !strings.Contains(since.Text, `~ cell`) || !strings.Contains(since.Text, "~ has moved") || strings.Contains(since.Text, "nothing changed") {
		t.Errorf("since the first reading:\n%s", since.Text)
	}
}

// What an action changed on the page is said with its result, with refs to go on with.
func TestAnActionSaysWhatChangedOnThePage(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<h1>Shop</h1><form id=f><label>Email <input id=email type=email required></label><label>Secret <input id=secret type=password></label><button id=send>Send</button></form>
		<button id=more aria-expanded=false>More</button><button id=load>Load</button><button id=drop>Drop</button><label><input type=checkbox id=tick> Agree</label>
		<select id=size aria-label=Size><option>S<option>M</select><div id=out role=status></div><ul id=list></ul><button id=over>Over me</button><p id=hint hidden>A hint</p>`,
		`more.onclick = () => { more.ariaExpanded = "true"; list.innerHTML = "<li><button>Red</button><li><button>Blue</button>" };
		load.onclick = async () => { await fetch("/two"); out.textContent = "Loaded" };
		drop.onclick = () => drop.remove();
		over.onmouseover = () => { hint.hidden = false };
		addEventListener("keydown", e => { if (e.key === "F2") { document.title = "Pressed"; send.focus() } });
		f.onsubmit = e => { e.preventDefault(); out.textContent = "Sent" }; 0`)
	u.good("browser_snapshot", nil)
	r := u.observed("browser_click", arguments{"selector": "#more"}, `* button "More" [expanded, focused] @e`,
		`+ list`, `  + listitem`, `    + button "Red" @e`, `  + listitem`, `    + button "Blue" @e`)
	red := strings.TrimPrefix(anyRef.FindString(text(t, r, "observed.changes")[strings.Index(text(t, r, "observed.changes"), "Red"):]), "@")
	r = u.observed("browser_click", arguments{"ref": red})
	if want(t, r, "observed.focus", "null"); !strings.Contains(r.Text, "\nnothing changed on the page since r") {
		t.Error(r.Text)
	}
	u.observed("browser_click", arguments{"selector": "#load"}, `+ status: "Loaded"`)
	r = u.observed("browser_press", arguments{"key": "F2"}, `the title is "Pressed"`)
	if focus := text(t, r, "observed.focus"); !strings.HasPrefix(focus, `button "Send" @e`) || !strings.Contains(r.Text, "\nthe focus is on "+focus) {
		t.Errorf("the focus: %s", r.Text)
	}
	u.observed("browser_click", arguments{"selector": "#drop"}, `gone: button "Drop" @e`)
	const wrong = `textbox "Email" @e is not accepted: "Please include an '@' in the email address. 'nobody' is missing an '@'."`
	u.observed("browser_type", arguments{"selector": "#email", "text": "nobody"}, `- form`, `  * textbox "Email" [focused, required, invalid] @e: "nobody"`, wrong)
	// Back in the field.
	want(t, u.observed("browser_click", arguments{"selector": "#send"}, wrong), "observed.focus", "null")
	u.observed("browser_type", arguments{"selector": "#secret", "text": "hunter2"}, `- form`, `  * textbox "Secret" [focused] @e: "•••••••"`, wrong)
	u.observed("browser_type", arguments{"selector": "#email", "text": "a@b.c", "submit": true}, `- form`, `  * textbox "Email" [focused, required] @e: "a@b.c"`, `* status: "Sent"`)
	u.observed("browser_select", arguments{"selector": "#size", "values": []string{"M"}}, `* combobox "Size" [collapsed, focused] @e: "M"`, `  * option "S"`, `  * option "M" [selected]`)
	u.observed("browser_check", arguments{"selector": "#tick"}, `* checkbox "Agree" [checked, focused] @e`)
	u.observed("browser_hover", arguments{"selector": "#over"}, `+ paragraph: "A hint"`)
	since := text(t, u.observed("browser_mouse", arguments{"action": "hover", "x": 1, "y": 1}), "observed.since")
	u.observed("browser_scroll", arguments{"direction": "down"})
	u.observed("browser_drag", arguments{"selector": "h1", "to_selector": "#over"})
	r = u.observed("browser_interact", arguments{"actions": []arguments{{"action": "fill", "selector": "#email", "text": "c@d.e"}, {"action": "check", "selector": "#tick", "checked": false}}},
		`- form`, `  * textbox "Email" [required] @e: "c@d.e"`, `* checkbox "Agree" [not checked, focused] @e`)
	want(t, r, "results.0.result.observed", "null")
	r = u.good("browser_snapshot", arguments{"since": since})
	if !strings.Contains(r.Text, `"c@d.e"`) || strings.Contains(r.Text, "whole page") {
		t.Errorf("a snapshot since an observation: %s", r.Text)
	}
	r = u.observed("browser_reload", nil, `- paragraph: "two"`)
	want(t, r, "observed.since", "null")
	if want(t, u.good("browser_click", arguments{"selector": "p"}), "observed", "null"); !strings.Contains(r.Text, `another page, `) {
		t.Error(r.Text)
	}
}

// A page that waits for its server has not changed yet; that is no reason to act again.
func TestAnObservationSaysWhatThePageWaitsFor(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	answer := u.Hold("/answer")
	u.body(`<button id=load>Load</button><p id=out></p>`, `load.onclick = async () => { await fetch("/answer?token=very-secret", {method: "POST"}); out.textContent = "Loaded" }; 0`)
	u.good("browser_snapshot", nil)
	r := u.good("browser_click", arguments{"selector": "#load", "observe": true})
	request := "POST " + u.URL("localhost", "/answer?token=[redacted]") + " (fetch)"
	want(t, r, "observed.awaiting", `["`+request+`"]`)
	if !strings.Contains(r.Text, "\nnothing changed on the page since ") || !strings.Contains(r.Text, "\nthe page still waits for "+request) ||
		!strings.HasSuffix(r.Text, "browser_wait_for waits for it, by a text that it brings or by its request") {
		t.Error(r.Text)
	}
	answer()
	u.good("browser_wait_for", arguments{"text": "Loaded"})
	want(t, u.good("browser_click", arguments{"selector": "p", "observe": true}), "observed.awaiting", "null")
}

// What does not fit is counted, and what the page announces is said first.
func TestAnObservationHasABudget(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	b.use(t, agent.BrowserOptions{Timeout: time.Minute, Observe: true})
	u := b.newUser(t, host.TaskOptions{})
	u.body(`<button id=b>Go</button><div id=out></div><div id=said role=alert></div>`,
		`b.onclick = () => { out.innerHTML = Array(300).fill().map((_, i) => "<button>Number " + i + "</button>").join(""); said.textContent = "Too many" }; 0`)
	u.good("browser_snapshot", nil)
	r := u.good("browser_click", arguments{"selector": "#b"})
	said := text(t, r, "observed.changes")
	if n := len([]rune(said)); n > 1500 || n < 1000 || !strings.HasSuffix(said, `alert: "Too many"`) {
		t.Errorf("%d characters: %s", n, said)
	}
	shown, more := strings.Count(said, "+ button"), lookUp(t, r, "observed.more")
	if !strings.HasSuffix(r.Text, more+` more: browser_snapshot with since "`+text(t, r, "observed.since")+`" has them`) || shown == 0 || shown == 300 {
		t.Errorf("%d of 300 are shown, %s more: %s", shown, more, r.Text)
	}
	want(t, u.good("browser_click", arguments{"selector": "#b", "observe": false}), "observed", "null")
}

// The answer to a dialog says what the page did with it.
func TestAnAnswerToADialogIsObserved(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<button id=b>Go</button><p id=out></p>`, `b.onclick = () => { out.textContent = confirm("Really?") ? "Done" : "Kept" }; 0`)
	u.good("browser_snapshot", nil)
	blocked := u.bad("browser_click", arguments{"selector": "#b", "observe": true}, "blocked_by_dialog")
	r := u.observed("browser_dialog", arguments{"action": "accept"}, `+ paragraph: "Done"`)
	if focus := text(t, r, "observed.focus"); !strings.HasPrefix(focus, `button "Go"`) {
		t.Error(focus)
	}
	want(t, u.good("browser_resume", arguments{"call_id": text(t, blocked, "call_id")}), "observed.changes", `""`)
}

// While a menu is open, libraries hide the rest of the page from readings. When it is back, only what has changed in it
// is news.
func TestWhatIsBackAsItWasIsOnlyCounted(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div id=page><ul id=list></ul><button id=open>Size</button></div><div id=menu role=menu hidden><div role=menuitem tabindex=-1 id=large>Large</div></div>`,
		`for (let i = 0; i < 40; i++) list.innerHTML += "<li><button>Item " + i + "</button>";
		document.querySelector("#open").onclick = () => { page.ariaHidden = "true"; menu.hidden = false };
		large.onclick = () => { page.ariaHidden = null; menu.hidden = true; document.querySelector("#open").textContent = "Large"; list.insertAdjacentHTML("beforeend", "<li>New") }; 0`)
	u.good("browser_snapshot", nil)
	r := u.good("browser_click", arguments{"selector": "#open", "observe": true})
	if !strings.Contains(r.Text, `+ menuitem "Large"`) || !strings.Contains(r.Text, "gone: ") {
		t.Fatal(r.Text)
	}
	u.observed("browser_click", arguments{"selector": "#large"}, `- list`, `  + listitem: "New"`, `* button "Large" @e`,
		`gone: menuitem "Large" @e`, "back as they were: 81 elements and texts")
}
