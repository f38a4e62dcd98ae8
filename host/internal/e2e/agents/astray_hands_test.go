package agents

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// handsPage has what agents act on by mistake, and fields for text that is typed into the focus.
const handsPage = `<title>hands</title>
<button id=save onclick="said.textContent = 'saved'">Save</button> <label>Size <select id=size><option value=s>Small<option value=m>Medium</select></label>
<label>Name <input id=name value=Ada></label> <input type=checkbox id=box aria-label=Box> <h1 id=head>Head</h1>
<a href="#there" id=link>Link</a> <div id=tab role=tab tabindex=0>Tab</div> <summary id=sum>Sum</summary>
<div id=editor tabindex=0 onkeydown="said.textContent += event.key">Editor</div>
<p id=said></p><input id=keys onkeydown="said.textContent += '[' + event.key + ']'">
<dialog id=really aria-label="Really?"><button id=yes onclick="really.close()">Yes</button></dialog>
<div id=sheet role=dialog aria-modal=true aria-label="Cookies" hidden style="position:fixed;inset:0;background:#fff"><button id=ok onclick="sheet.hidden = true">OK</button></div>`

// handsUser is on that page, in a host that is soon out of patience.
func handsUser(t *testing.T) *user {
	t.Helper()
	u := newBench(t, common.Address(t), host.Options{ActionWait: time.Second}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/hands"})
	return u
}

func (u *user) says(selector, expression, wanted string) {
	u.t.Helper()
	r := u.good("browser_console", arguments{"expression": "document.querySelector('" + selector + "')." + expression})
	want(u.t, r, "result", wanted)
}

func TestTypingIntoWhatIsNoFieldSaysWhatItIsAndWhatToDo(t *testing.T) {
	t.Parallel()
	u := handsUser(t)
	for selector, words := range map[string][]string{
		"#save": {`button "Save"`, "use click"}, "#size": {`combobox "Size"`, "use select"}, "#box": {`checkbox "Box"`, "use check"},
		"#head": {`heading "Head"`, "not a text field"}, "#link": {`link "Link"`, "use click"}, "#tab": {`tab "Tab"`, "use click"},
	} {
		u.bad("browser_type", arguments{"selector": selector, "text": "x"}, "not_actionable", words...)
	}
	u.says("#said", "textContent", `""`)
	u.good("browser_type", arguments{"selector": "#editor", "text": "ab"}) // a page's own editor
	u.says("#said", "textContent", `"ab"`)
}

// What can have the focus and is no field gets the keys. Nobody can see there whether it took them, unless it opens a
// field.
func TestTypingIntoWhatOnlyTakesKeysSaysThatItMayHaveIgnoredThem(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div id=board tabindex=0>Board</div><div id=cell tabindex=0 role=gridcell>Cell</div><input id=field aria-label=Field hidden>
		<div id=rich tabindex=0 contenteditable>Rich</div><div id=box tabindex=0><input aria-label=Inner></div>`,
		`cell.onkeydown = () => { field.hidden = false; field.focus() }; 0`)
	const ignored = "it is not a text field: the page got the keys, but may have ignored them"
	for selector, wanted := range map[string]string{"#board": ignored, "#cell": "", "#rich": "", "#box": ""} {
		for _, focused := range []bool{false, true} {
			a := arguments{"text": "ab"}
			if focused {
				u.good("browser_evaluate", arguments{"expression": "document.querySelector('" + selector + "').focus()"})
			} else {
				a["selector"] = selector
			}
			r := u.good("browser_type", a)
			if got := strings.Contains(r.Text, ignored); got != (wanted != "") {
				t.Errorf("%s, focused %t: %s", selector, focused, r.Text)
			}
		}
	}
}

func TestAnElementBehindAModalIsNotStale(t *testing.T) {
	t.Parallel()
	u := handsUser(t)
	for name, modal := range map[string]struct{ open, named, answer string }{
		"a modal dialog":   {"really.showModal()", `dialog "Really?"`, "#yes"},
		"an aria-modal":    {"sheet.hidden = false", `dialog "Cookies"`, "#ok"},
		"an inert sibling": {"{ sheet.hidden = false; save.inert = size.inert = name.inert = true }", `dialog "Cookies"`, "#ok"},
	} {
		t.Logf("%s", name)
		u.good("browser_navigate", arguments{"url": "{{localhost}}/hands"})
		read := u.good("browser_snapshot", nil)
		save, field, list := refIn(t, read, "button", "Save"), refIn(t, read, "textbox", "Name"), refIn(t, read, "combobox", "Size")
		u.good("browser_console", arguments{"expression": modal.open})
		u.good("browser_snapshot", nil)
		words := []string{"behind", modal.named, "first"}
		u.inVain("browser_click", arguments{"ref": save}, "not_actionable", words...)
		u.inVain("browser_type", arguments{"ref": field, "text": "x"}, "not_actionable", words...)
		if modal.open == "really.showModal()" {
			u.inVain("browser_select", arguments{"ref": list, "values": []string{"m"}}, "not_actionable", words...)
		}
		u.good("browser_click", arguments{"selector": modal.answer})
		if name != "an inert sibling" {
			u.good("browser_snapshot", nil) // the ref is that of the same element
			u.good("browser_click", arguments{"ref": save})
			u.says("#said", "textContent", `"saved"`)
		}
	}
}

func TestAnOptionOfAClosedListIsNoDeadEnd(t *testing.T) {
	t.Parallel()
	u := handsUser(t)
	u.bad("browser_click", arguments{"selector": "option[value=m]"}, "not_actionable", "closed list", "use select", `"m"`, `option "Medium"`, "Size")
	r := u.good("browser_select", arguments{"selector": "option[value=m]", "values": []string{"Medium"}})
	want(t, r, "selected", `["m"]`)
	want(t, r, "element", `"combobox \"Size\""`)
}

func TestTextIsTypedIntoTheFocus(t *testing.T) {
	t.Parallel()
	u := handsUser(t)
	u.bad("browser_type", arguments{"text": "x"}, "not_actionable", "nothing on the page is in focus")
	u.good("browser_click", arguments{"selector": "#name"})
	want(t, u.good("browser_type", arguments{"text": "Grace"}), "element", `"textbox \"Name\""`)
	u.says("#name", "value", `"Grace"`)
	u.good("browser_type", arguments{"text": " Hopper é", "append": true})
	u.says("#name", "value", `"Grace Hopper é"`)
	u.good("browser_type", arguments{"selector": "#name", "text": "!", "append": true})
	u.says("#name", "value", `"Grace Hopper é!"`)
}

func TestAForeignCharacterIsPressed(t *testing.T) {
	t.Parallel()
	u := handsUser(t)
	u.good("browser_press", arguments{"selector": "#keys", "key": "é"})
	u.good("browser_press", arguments{"key": "漢"})
	u.good("browser_press", arguments{"key": "arrow left"})
	u.says("#said", "textContent", `"[é][漢][ArrowLeft]"`)
	u.says("#keys", "value", `"é漢"`)
	u.good("browser_press", arguments{"key": "ctrl+a"})
	u.good("browser_press", arguments{"key": "del"})
	u.says("#keys", "value", `""`)
}

// What libraries of components draw around a dialog is not what is in the way, but the dialog.
func TestWhatIsDrawnAroundAModalIsNotWhatIsInTheWay(t *testing.T) {
	t.Parallel()
	u := handsUser(t)
	read := u.good("browser_snapshot", nil)
	save, name := refIn(t, read, "button", "Save"), refIn(t, read, "textbox", "Name")
	u.good("browser_console", arguments{"expression": `document.body.insertAdjacentHTML("beforeend", "<div id=root role=presentation>" +
		"<div style='position:fixed;inset:0;background:#0008'></div><div style='position:fixed;inset:0;pointer-events:none'>" +
		"<div role=dialog aria-modal=true aria-label=Terms style='pointer-events:auto;margin:20% auto;width:200px;background:#fff'><button>Agree</button></div></div></div>");
		for (const e of [...document.body.children].slice(0, -1)) e.ariaHidden = "true"; 0`})
	u.inVain("browser_click", arguments{"ref": save}, "not_actionable", "behind", `dialog "Terms"`) // the backdrop
	u.good("browser_console", arguments{"expression": `root.lastChild.style.pointerEvents = "auto"`})
	u.inVain("browser_click", arguments{"ref": name}, "not_actionable", "behind", `dialog "Terms"`) // the container
	u.inVain("browser_click", arguments{"role": "button", "name": "Save"}, "no_element", `the modal dialog "Terms" is open`)
	u.good("browser_console", arguments{"expression": `root.insertAdjacentHTML("afterend", "<div id=ad style='position:fixed;inset:0'><b>Ad</b></div>")`})
	u.inVain("browser_click", arguments{"ref": save}, "not_actionable", "covered", "#ad")
}

func TestAListOfThePagesOwnIsNoDeadEndForSelect(t *testing.T) {
	t.Parallel()
	u := handsUser(t)
	u.good("browser_console", arguments{"expression": `document.body.insertAdjacentHTML("beforeend",
		"<div id=own role=combobox tabindex=0 aria-label=Age aria-expanded=false>Ten</div><div id=never role=combobox tabindex=0 aria-label=Never>-</div>");
		own.onclick = () => {
			own.ariaExpanded = "true";
			own.insertAdjacentHTML("afterend", "<div id=ages role=listbox><div role=option>Ten</div><div role=option>Twenty</div></div>");
			ages.onclick = e => { own.textContent = e.target.textContent; own.ariaExpanded = "false"; ages.remove() };
		}; 0`})
	r := u.good("browser_select", arguments{"selector": "#own", "values": []string{"Twenty"}, "timeout_ms": 20_000})
	want(t, r, "selected", `["Twenty"]`)
	is(t, "what it shows", u.value("own.textContent"), `"Twenty"`)
	u.bad("browser_select", arguments{"selector": "#own", "values": []string{"Thirty"}, "timeout_ms": 20_000}, "not_actionable", `no option "Thirty"; it has "Ten", "Twenty"`)
	u.bad("browser_select", arguments{"selector": "#never", "values": []string{"Ten"}, "timeout_ms": 20_000}, "not_actionable", `combobox "Never"`, "click it, and read the page again")
}

// A field that does not take a value keeps the one it has: the browser would clear it, or put in another.
func TestAFieldKeepsItsValueIfItDoesNotTakeANewOne(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	for kind, f := range map[string]struct {
		has   string
		takes []string
		not   []string
	}{
		"date":   {"2024-05-06", []string{"2024-12-31"}, []string{"06.05.2024", "2024-02-30", "tomorrow"}},
		"time":   {"13:45", []string{"07:08"}, []string{"7 pm"}},
		"color":  {"#ff0000", []string{"#00ff00", "#000000"}, []string{"reddish"}},
		"range":  {"35", []string{"40", "100"}, []string{"101", "much", "-1"}},
		"number": {"2.5", []string{"-3", "1e3", ".5"}, []string{"abc", "1,5", "1 000"}},
	} {
		u.body(`<input id=field type=`+kind+` step=any value="`+f.has+`">`, "0")
		for _, value := range f.not {
			u.bad("browser_type", arguments{"selector": "#field", "text": value}, "not_actionable", "takes")
		}
		is(t, kind, u.value("field.value"), `"`+f.has+`"`)
		for _, value := range f.takes {
			u.good("browser_type", arguments{"selector": "#field", "text": value})
			is(t, kind, u.value("field.value"), `"`+value+`"`)
		}
	}
	u.body(`<input id=field type=number value=12>`, "0")
	u.good("browser_type", arguments{"selector": "#field", "text": "34", "append": true})
	is(t, "what was added to", u.value("field.value"), `"1234"`)
	u.bad("browser_type", arguments{"selector": "#field", "text": "x", "append": true}, "not_actionable", "numbers")
}

// Pages show the new state of a control of their own in one of their next tasks, or put another control in its place.
func TestAStateThatAPageShowsLaterIsWaitedFor(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div id=late role=switch aria-checked=false tabindex=0>Late</div><div id=never role=switch aria-checked=false tabindex=0>Never</div><div id=other role=switch aria-checked=false tabindex=0>Other</div>`,
		`late.onclick = () => setTimeout(() => { late.ariaChecked = "true" }, 200);
		other.onclick = () => { const next = other.cloneNode(true); next.ariaChecked = "true"; other.replaceWith(next) }; 0`)
	u.good("browser_check", arguments{"selector": "#late"})
	is(t, "the state that is shown later", u.value("late.ariaChecked"), `"true"`)
	if r := u.good("browser_check", arguments{"selector": "#other"}); !strings.Contains(r.Text, "put another in its place") {
		t.Error(r.Text)
	}
	u.bad("browser_check", arguments{"selector": "#never"}, "not_actionable", "not in the state checked=true")
}

// A tour has all of the page let the pointer through, but for its dialog and what that is about.
func TestADialogThatAloneTakesThePointerIsWhatIsInTheWay(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<button id=save>Save</button><button id=other>Other</button><p>Text</p><button id=off style="pointer-events: none">Off</button>`, "0")
	u.good("browser_console", arguments{"expression": `document.body.insertAdjacentHTML("beforeend", "<div id=tour role=dialog aria-label=Tour><button>Next</button></div>")`})
	u.inVain("browser_click", arguments{"selector": "#off"}, "not_actionable", "disabled", "pointer-events")
	u.good("browser_console", arguments{"expression": `document.body.insertAdjacentHTML("beforeend", "<style>body * { pointer-events: none } #tour, #tour *, #other { pointer-events: auto }</style>")`})
	u.inVain("browser_click", arguments{"selector": "#save"}, "not_actionable", "behind", `dialog "Tour"`)
	u.good("browser_click", arguments{"selector": "#other"})
	u.good("browser_click", arguments{"text": "Next"})
}

// With force the input goes to whatever is there, and the result says what that was.
func TestForceSaysWhichElementGotTheInput(t *testing.T) {
	t.Parallel()
	for name, device := range map[string]arguments{"mouse": nil, "finger": {"device": "Pixel 7"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
			if device != nil {
				u.good("browser_emulate", device)
			}
			u.body(`<style>main > * { position: absolute; left: 0; width: 200px; height: 40px }</style><main>
<p id=wheel aria-hidden=true style="top: 0" onclick="got = 'Fig'">Fig</p><button id=next style="top: 0; opacity: 0.5; pointer-events: none">Next</button>
<button id=pay style="top: 100px" onclick="got = 'pay'">Pay</button><div role=dialog aria-label=Cookies style="top: 100px; opacity: 0.5" onclick="got = 'cookies'"></div>
<button id=free style="top: 200px" onclick="got = 'free'"><b>Free</b></button></main>`, "got = ''")
			const astray = "with force, the input went to "
			u.inVain("browser_click", arguments{"selector": "#next"}, "not_actionable", "pointer-events: none", `a click there goes to element "Fig" (selector "p#wheel")`)
			for id, c := range map[string]struct{ got, said string }{
				"next": {"Fig", `element "Fig" (selector "p#wheel")`}, "pay": {"cookies", `dialog "Cookies" (selector "div")`}, "free": {"free", ""},
			} {
				r := u.good("browser_click", arguments{"selector": "#" + id, "force": true})
				is(t, id, u.value("got"), strconv.Quote(c.got))
				if said := strings.Contains(r.Text, astray); said != (c.said != "") || !strings.Contains(r.Text, c.said) {
					t.Errorf("%s: %s", id, r.Text)
				}
			}
			if r := u.good("browser_hover", arguments{"selector": "#pay", "force": true}); !strings.Contains(r.Text, astray+`dialog "Cookies"`) {
				t.Error(r.Text)
			}
		})
	}
}
