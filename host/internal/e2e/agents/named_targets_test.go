package agents

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// Wherever a tool takes an element, it can be named by what it shows, or by its role and name.
func TestAnElementIsNamedByItsTextOrItsRole(t *testing.T) {
	t.Parallel()
	file := writeFile(t)
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<button id=alpha>Alpha</button> <button id=beta aria-label=Beta>B</button><label>Full name <input id=name></label>
		<label for=size>Size</label> <select id=size><option>S<option>M</select> <label><input type=checkbox id=box>Agree</label>
		<div id=from draggable=true>Carry me</div><div id=to>Drop here</div><label for=file>Your file</label><input type=file id=file>`,
		`globalThis.log = []; for (const type of ["click", "dblclick", "mouseover", "dragstart", "drop", "keydown"]) addEventListener(type, e => log.push(type + " " + e.target.id));
		to.ondragover = e => e.preventDefault(); 0`)
	got := func(entry string) {
		t.Helper()
		if u.value("log.splice(0).includes('"+entry+"')") != "true" {
			t.Errorf("there was no %s", entry)
		}
	}
	u.good("browser_click", arguments{"text": "Alpha"})
	got("click alpha")
	u.good("browser_click", arguments{"role": "button", "name": "Beta"})
	got("click beta")
	u.good("browser_dblclick", arguments{"text": "Alpha"})
	got("dblclick alpha")
	u.good("browser_hover", arguments{"role": "button", "name": "Beta"})
	got("mouseover beta")
	u.good("browser_press", arguments{"key": "x", "text": "Alpha"})
	got("keydown alpha")
	u.good("browser_type", arguments{"role": "textbox", "name": "Full name", "text": "Ada"})
	u.good("browser_type", arguments{"field_text": "Full name", "text": " Alpha", "append": true})
	is(t, "the field", u.value("document.querySelector('#name').value"), `"Ada Alpha"`)
	u.good("browser_select", arguments{"text": "Size", "values": []string{"M"}})
	is(t, "the list", u.value("size.value"), `"M"`)
	u.good("browser_check", arguments{"text": "Agree"})
	is(t, "the box", u.value("box.checked"), "true")
	u.good("browser_drag", arguments{"text": "Carry me", "to_text": "Drop here"})
	got("drop to")
	u.good("browser_upload", arguments{"text": "Your file", "paths": []string{file}})
	is(t, "the files", u.value("file.files.length"), "1")
	u.good("browser_scroll", arguments{"text": "Alpha", "direction": "down"})
	want(t, u.good("browser_extract_text", arguments{"role": "button", "name": "Beta"}), "text", `"B"`)
	for _, tool := range []string{"browser_evaluate", "browser_console"} {
		want(t, u.good(tool, arguments{"expression": "e => e.value", "role": "textbox", "name": "Full name"}), "result", `"Ada Alpha"`)
	}
	want(t, u.good("browser_evaluate", arguments{"expression": "e => e.id", "text": "Alpha"}), "result", `"alpha"`)

	r := u.good("browser_interact", arguments{"actions": []arguments{
		{"action": "click", "text": "Alpha"},
		{"action": "fill", "field_text": "Full name", "text": "Grace"},
		{"action": "fill", "role": "textbox", "name": "Full name", "text": "!", "append": true},
		{"action": "drag", "text": "Carry me", "to_text": "Drop here"},
	}})
	want(t, r, "results.0.result.clicked", `"button \"Alpha\""`)
	is(t, "the field", u.value("document.querySelector('#name').value"), `"Grace!"`)

	u.bad("browser_click", arguments{"text": "Alpha", "selector": "#alpha"}, "bad_arguments", "in one way")
	u.bad("browser_click", arguments{"name": "Beta"}, "bad_arguments", "role")
	u.bad("browser_evaluate", arguments{"expression": "e => e.id", "text": "Alpha", "role": "button"}, "bad_arguments", "in one way")
	u.inVain("browser_evaluate", arguments{"expression": "e => e.id", "role": "button", "name": "Gamma"}, "no_element", "Gamma")
	u.bad("browser_console", arguments{"text": "Alpha"}, "bad_arguments", "expression")
	u.bad("browser_drag", arguments{"text": "Alpha", "to_text": "x", "to_ref": "e1"}, "bad_arguments", "to_text")
	u.bad("browser_interact", arguments{"actions": []arguments{{"action": "click", "text": "Alpha", "ref": "e1"}}}, "bad_arguments", "actions[0].text")
	u.bad("browser_interact", arguments{"actions": []arguments{{"action": "fill", "text": "Alpha", "field_text": "x", "ref": "e1"}}}, "bad_arguments", "actions[0].field_text")
}

func TestATextIsOnlyWhereItIsSeen(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<button id=menu>Open</button><div id=around style="position:relative"><p>Below</p>
		<div id=scaled style="transform:scale(0);position:absolute;background:white"><div id=item>Zurich</div></div>
		<div style="height:0;overflow:hidden">Clipped</div><div style="height:0"><i id=over>Overflowing</i></div>
		<section id=parent><div style="display:contents">Contents</div></section><nav id=flat><div style="height:0">Sticks out</div></nav>
		<main id=twice>Both<div style="transform:scale(0)">Both</div></main>
		<b id=bold>Orders<i style="display:none">Orders</i></b><i aria-hidden=true>Born</i><i style="opacity:0">Born</i><b id=born>Born</b>
		<select id=list><optgroup label=Fruit><option>Apple<option>Banana</optgroup></select></div>`,
		`globalThis.log = []; addEventListener("click", e => log.push(e.target.id));
		menu.onclick = () => setTimeout(() => scaled.style.transform = "none", 300); 0`)
	for _, text := range []string{"Zurich", "Clipped"} {
		u.inVain("browser_click", arguments{"text": text}, "no_element", text)
	}
	for text, id := range map[string]string{"Overflowing": "over", "Contents": "parent", "Sticks out": "around", "Both": "twice", "Born": "born", "Orders": "bold", "Banana": "list"} {
		want(t, u.good("browser_evaluate", arguments{"expression": "e => e.id", "text": text}), "result", `"`+id+`"`)
	}
	u.good("browser_click", arguments{"text": "Open"})
	u.good("browser_click", arguments{"text": "Zurich"})
	is(t, "what was clicked", u.value("log"), `["menu","item"]`)
}

// A style sheet shows a text in capitals, and who has read the page's source or a manual writes it otherwise.
func TestTheCaseOfATextCountsOnlyIfThereIsAChoice(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<style>#shout { text-transform: uppercase }</style><button id=shout>Save as</button><button id=low>copy</button><button id=high>Copy</button>
		<a href="#" id=link aria-label="Read More">…</a>`, "0")
	for text, id := range map[string]string{"Save as": "shout", "SAVE AS": "shout", "copy": "low", "Copy": "high"} {
		want(t, u.good("browser_evaluate", arguments{"expression": "e => e.id", "text": text}), "result", `"`+id+`"`)
		want(t, u.good("browser_evaluate", arguments{"expression": "e => e.id", "role": "button", "name": text}), "result", `"`+id+`"`)
	}
	want(t, u.good("browser_evaluate", arguments{"expression": "e => e.id", "role": "link", "name": "read more"}), "result", `"link"`)
	if r := u.inVain("browser_click", arguments{"role": "button", "name": "Save"}, "no_element", `there is button "SAVE AS" @e`); strings.Contains(r.Text, "opy") {
		t.Error(r.Text)
	}
	u.inVain("browser_click", arguments{"role": "textbox", "name": "read more"}, "no_element", `there is link "Read More" @e`)
	u.bad("browser_click", arguments{"text": "COPY"}, "ambiguous_element")
	u.bad("browser_click", arguments{"role": "button", "name": "COPY"}, "ambiguous_element")
}

// A reading does not tell names from what is shown, so an agent takes a label or a placeholder for a text.
func TestATextMayBeANameThatNothingShows(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<form><input type=submit id=send value="Send it"><input type=image id=pay alt="Pay now" width=50 height=50></form>
		<input id=who placeholder="Your name"><button id=remove title="Remove row">x</button><div aria-label="Zoom in"><button id=zoom aria-label="zoom in"><i title="zoom in">+</i></button></div>
		<div id=near aria-label="Zoom out">-</div><h1 id=head>Search</h1><input placeholder=Search><button title=Twice>1</button><button title=twice>2</button>
		<button title=Gone style="display:none">3</button><div id=host></div><button id=late title=Later>…</button>`,
		`host.attachShadow({mode: "closed"}).innerHTML = "<button id=inner aria-label=Inside>…</button>"; 0`)
	for text, id := range map[string]string{
		"Send it": "send", "Pay now": "pay", "Your name": "who", "Remove row": "remove", "Zoom in": "zoom", "Zoom out": "near", "Search": "head", "Inside": "inner",
	} {
		want(t, u.good("browser_evaluate", arguments{"expression": "e => e.id", "text": text}), "result", `"`+id+`"`)
	}
	u.good("browser_type", arguments{"field_text": "Your name", "text": "Ada"})
	is(t, "the field", u.value("who.value"), `"Ada"`)
	u.bad("browser_click", arguments{"text": "Twice"}, "ambiguous_element")
	u.inVain("browser_click", arguments{"text": "Gone"}, "no_element", "Gone")
	// What is about to show the text is not forestalled by what is only called so.
	u.value(`setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<button id=soon>Later</button>"), 50)`)
	want(t, u.good("browser_evaluate", arguments{"expression": "e => e.id", "text": "Later"}), "result", `"soon"`)
}

// Many libraries draw a control of their own in the label of one that is not rendered. Assistive technology finds none,
// and a reading had a text that nobody could take for a control.
func TestALabelStandsForAControlThatIsNotRendered(t *testing.T) {
	t.Parallel()
	file := writeFile(t)
	u := newBench(t, common.Address(t), host.Options{UploadRoots: []string{filepath.Dir(file)}}).newUser(t, host.TaskOptions{})
	u.body(`<label>Agree<input type=checkbox id=agree style="display:none"></label>
		<label><input type=radio name=size id=small checked hidden>Small</label><label><input type=radio name=size id=large hidden>Large</label>
		<label for=attached>Attach</label><input type=file id=attached hidden><label>Plain<input hidden></label>`, "")
	shows := func(lines ...string) agent.Result {
		t.Helper()
		r := u.good("browser_snapshot", nil)
		for _, line := range lines {
			if !strings.Contains(r.Text, line) {
				t.Errorf("no %s in %s", line, r.Text)
			}
		}
		return r
	}
	before := shows(`checkbox "Agree" [not checked] @`, `radio "Small" [checked] @`, `radio "Large" [not checked] @`, `button "Attach" @`, `text: "Plain"`)
	want(t, u.good("browser_check", arguments{"role": "checkbox", "name": "Agree"}), "element", `"checkbox \"Agree\""`)
	u.good("browser_click", arguments{"ref": refIn(t, before, "radio", "Large")})
	u.good("browser_upload", arguments{"ref": refIn(t, before, "button", "Attach"), "paths": []string{file}})
	is(t, "the controls", u.value(`[agree.checked, large.checked, attached.files[0].name].join()`), `"true,true,a.txt"`)
	shows(`checkbox "Agree" [checked] @`, `radio "Large" [checked] @`, `button "Attach" @`, `: "a.txt"`)
}

// A text is mostly in an element that has no name; the result says what was clicked as a reading calls it.
func TestAClickOnATextNamesTheControlThatItIsIn(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<button aria-label=Birthday><span><i>Pick a date</i></span></button><div>Only <span>a text</span></div>
		<div role=radiogroup aria-label=Fruit><label><input type=radio>Pear</label></div><div aria-hidden=true><button>Unread</button></div>
		<div style="position:relative"><p>In a card</p><a href="#x" aria-label=Card style="position:absolute;inset:0"></a></div>
		<div id=host><span>Slotted</span></div>`, "host.attachShadow({mode: 'open'}).innerHTML = '<button><slot></slot></button>'; 0")
	want(t, u.good("browser_click", arguments{"text": "Pick a date"}), "clicked", `"button \"Birthday\""`)
	want(t, u.good("browser_click", arguments{"text": "a text"}), "clicked", `"generic \"a text\""`)
	want(t, u.good("browser_click", arguments{"text": "Pear"}), "clicked", `"radio \"Pear\""`)
	want(t, u.good("browser_click", arguments{"text": "Unread"}), "clicked", `"element \"Unread\""`)
	want(t, u.good("browser_click", arguments{"text": "Slotted"}), "clicked", `"button \"Slotted\""`)
	want(t, u.good("browser_click", arguments{"text": "In a card"}), "clicked", `"link \"Card\""`)
}

// Pages without labels leave it to people to see which text belongs to which field.
func TestATextStandsForTheOnlyControlBesideIt(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div><span>City</span><div><input id=city><input type=checkbox></div></div><div><div id=said style="pointer-events:none"><span>Street</span></div></div>
		<div><input id=street aria-labelledby=said><input></div><div role=checkbox id=box tabindex=0 aria-checked=false>Approve</div><div><input type=radio id=high><i>High</i></div>
		<div><b>Country</b><select id=country><option>CH<option>DE</select></div><div><u>Two</u><input id=one><input id=two></div><div><button>Send</button><input id=sent></div>
		<div><button>Analytics</button><label><input id=section type=checkbox><span style="position: absolute; clip-path: inset(50%)">Analytics</span></label></div>
		<label>Tags <span id=tags contenteditable style="display: inline-block; width: 90px"></span><input id=hidden style="position: absolute; left: -9999px"></label>
		<label for=kept>Fabric</label><span><input id=beside><input id=kept hidden></span><p><label for=kept2 id=material>Material</label></p><input id=refers aria-labelledby=material><input hidden id=kept2>`,
		`box.onclick = () => box.ariaChecked = "true"; 0`)
	u.good("browser_type", arguments{"field_text": "City", "text": "Bern"})
	u.good("browser_type", arguments{"field_text": "Street", "text": "Gasse"})
	u.good("browser_type", arguments{"field_text": "Tags", "text": "red"})
	for _, name := range []string{"Fabric", "Material"} {
		u.good("browser_type", arguments{"field_text": name, "text": name})
	}
	is(t, "the fields in place of hidden ones", u.value("[beside.value, refers.value, kept.value + kept2.value]"), `["Fabric","Material",""]`)
	is(t, "the tags", u.value("tags.textContent + hidden.value"), `"red"`)
	u.good("browser_check", arguments{"text": "Approve"})
	u.good("browser_check", arguments{"text": "High"})
	u.good("browser_check", arguments{"text": "Analytics"})
	is(t, "the section", u.value("section.checked"), `true`)
	u.good("browser_select", arguments{"text": "Country", "values": []string{"DE"}})
	is(t, "the fields", u.value("[city.value, street.value, box.ariaChecked, high.checked, country.value]"), `["Bern","Gasse","true",true,"DE"]`)
	u.bad("browser_type", arguments{"field_text": "Two", "text": "x"}, "not_actionable")
	u.bad("browser_type", arguments{"field_text": "Send", "text": "x"}, "not_actionable")
	is(t, "the other fields", u.value("one.value + two.value + sent.value"), `""`)
}

// Fonts draw icons as characters that say nothing.
func TestIconsOfFontsAreNotPartOfNames(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body("<style>.icon::before { content: '\\f001' }</style><button class=icon>Products</button><button class=icon></button><p class=icon></p>", "0")
	if text := u.good("browser_snapshot", arguments{}).Text; strings.Contains(text, `\uf`) || !strings.Contains(text, `button "Products" @e`) || strings.Contains(text, `""`) {
		t.Error(text)
	}
	want(t, u.good("browser_click", arguments{"role": "button", "name": "Products"}), "clicked", `"button \"Products\""`)
}

// An amount is shown with its currency, and edited in another field that takes the place of the first.
func TestAFieldThatIsReplacedAsItGetsTheFocusIsTypedInto(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<p><input id=look value=Password><input id=secret type=password hidden></p><span><input id=shown aria-label=Amount value="$30.00"><input id=edited role=spinbutton aria-label=Amount aria-valuenow=30 value=30 hidden></span><button>Next</button>`,
		`shown.onfocus = () => { edited.hidden = false; edited.focus(); shown.hidden = true };
		look.onfocus = () => { secret.hidden = false; secret.focus(); look.hidden = true }; secret.oninput = () => { secret.value += "!" };
		edited.onblur = () => { shown.value = "$" + edited.value; shown.hidden = false; edited.hidden = true }; 0`)
	for _, text := range []string{"45.5", "1234"} {
		r := u.good("browser_type", arguments{"selector": "#shown", "text": text})
		is(t, "the field", u.value("edited.value"), `"`+text+`"`)
		want(t, r, "note", "null")
		if !strings.Contains(r.Text, `typed into spinbutton "Amount"`) { // and not the textbox
			t.Error(r.Text)
		}
		if read := u.good("browser_snapshot", arguments{}).Text; !strings.Contains(read, `: "`+text+`"`) {
			t.Errorf("%s was typed: %s", text, read)
		}
		u.good("browser_click", arguments{"text": "Next"})
	}
	// What the field has is a secret.
	want(t, u.good("browser_type", arguments{"selector": "#look", "text": "x"}), "note", "null")
	is(t, "the secret", u.value("secret.value"), `"x!"`)
}

// A field that does not keep a text as it was typed is no success without a word: it has a mask, a limit or a step, or
// the page clears it. Nothing is said of what is secret, or of what the page has kept.
func TestTypingSaysWhatTheFieldHasInstead(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<input id=plain><input id=mask oninput="value = value.replace(/\D/g, '').replace(/^(...)(?=.)/, '$1-')"><input id=short maxlength=3>
<input id=deaf onkeydown="return false"><input id=late oninput="setTimeout(() => value = value.toUpperCase())"><textarea id=lines></textarea>
<input id=steps type=range step=10 max=100><input id=colour type=color><input id=secret type=password maxlength=3>
<div id=editor contenteditable></div><div id=list contenteditable oninput="if (/^-\s$/.test(textContent)) innerHTML = '<li><br>'"></div>
<input id=gone oninput="this.outerHTML = '<input>'"><my-field></my-field>`,
		"document.querySelector('my-field').attachShadow({mode: 'open', delegatesFocus: true}).innerHTML = '<input maxlength=2>'")
	for _, c := range []struct{ selector, text, has string }{
		{"#plain", "kept", ""}, {"#plain", "two  blanks ", ""}, {"#mask", "5551", "555-1"}, {"#short", "longer", "lon"},
		{"#late", "loud", "LOUD"}, {"#lines", "one\ntwo", ""}, {"#steps", "33", "30"}, {"#steps", "40", ""},
		{"#colour", "#AABBCC", ""}, {"#secret", "long secret", ""}, {"#editor", "kept too", ""}, {"#list", "- item", "item"},
		{"#gone", "x", ""}, {"my-field", "long", "lo"},
	} {
		r := u.good("browser_type", arguments{"selector": c.selector, "text": c.text})
		line := "the field now has " + strconv.Quote(c.has)
		if is := strings.Contains(r.Text, line); is != (c.has != "") || !is && strings.Contains(r.Text, "the field") {
			t.Errorf("%s typed into %s: %s", c.text, c.selector, r.Text)
		}
	}
	if r := u.good("browser_type", arguments{"selector": "#deaf", "text": "x"}); !strings.Contains(r.Text, "the field is empty now") {
		t.Error(r.Text)
	}
	u.good("browser_type", arguments{"selector": "#plain", "text": "more", "append": true})
	u.good("browser_click", arguments{"selector": "#short"})
	if r := u.good("browser_type", arguments{"text": "focused"}); !strings.Contains(r.Text, `the field now has "foc"`) {
		t.Error(r.Text)
	}
}

// What names several elements is answered with the ref of each, and what tells it from the others, so that the next
// call can be the click.
func TestSeveralElementsAreToldApart(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<header><a href="/two">Sign in</a></header><main><h2>Files</h2><ul><li>Report.pdf <button>Delete</button> <button>Open</button></li>
<li>Photo.png <button>Delete</button> <button onclick="document.title = 'photo'">Open</button></li></ul>One <button>Buy</button> Two <button>Buy</button>
<p><button>Sign in</button></p><table><caption>May</caption><tr><td>30<td>31<td>1<tr><td>29<td id=day onclick="document.title = 'day'">30</table>
<p>x<p>x<p>x<p>x<p>x<p>x</main><i>y</i><i>y</i>`, "0")
	for _, c := range []struct {
		by     arguments
		says   string
		titled string // by a click on the ref in the text
	}{
		{arguments{"text": "Delete"}, `2 show the text "Delete": @e\d+ in listitem "Report.pdf Delete Open", @e\d+ in listitem "Photo.png Delete Open"; use a ref`, ""},
		{arguments{"role": "button", "name": "Open"}, `2 are a button "Open": @e\d+ in listitem "Report.pdf Delete Open", @(e\d+) in listitem "Photo.png Delete Open"; use a ref`, "photo"},
		{arguments{"text": "sign in"}, `2 show the text "sign in": @e\d+, @e\d+ in main "Files Report.pdf Delete .*"…; use a ref`, ""},
		{arguments{"text": "Buy"}, `@e\d+ after "One", @e\d+ after "Two"; use a ref`, ""},
		{arguments{"text": "30"}, `@e\d+ in row "30 31 1", @(e\d+) in row "29 30"; use a ref`, "day"},
		{arguments{"text": "y"}, `2 show the text "y"; use a ref, a role with a name, or a selector`, ""},
		{arguments{"text": "x"}, `6 show the text "x": @e\d+.*, @e\d+.*, @e\d+.*, @e\d+.*, @e\d+.*, and 1 more; use a ref`, ""},
	} {
		text := u.bad("browser_click", c.by, "ambiguous_element").Text
		found := regexp.MustCompile(c.says).FindStringSubmatch(text)
		if found == nil {
			t.Errorf("%v: %s", c.by, text)
		} else if c.titled != "" {
			u.good("browser_click", arguments{"ref": found[1]})
			want(t, u.good("browser_evaluate", arguments{"expression": "document.title"}), "result", strconv.Quote(c.titled))
		}
	}
}

// Libraries hide a select and show a list of their own in its place, which does not follow it: no advice to use force.
func TestAHiddenSelectIsNotChosenFrom(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<select id=hidden style="display: none"><option>a<option>b</select><div>a</div>`, "0")
	said := u.bad("browser_select", arguments{"selector": "#hidden", "values": []string{"b"}, "timeout_ms": 3000}, "not_actionable", "click what it shows instead").Text
	if strings.Contains(said, "force") {
		t.Error(said)
	}
}

// A field that grows with its text has a copy of it below, as its placeholder.
func TestACopyBelowAFieldStandsForIt(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div style="position: relative; width: 200px; height: 30px"><input id=field placeholder="Pick one" style="position: absolute; inset: 0"><span>Pick one</span></div>
<div style="position: relative; width: 200px; height: 30px"><input id=other placeholder="Something else" style="position: absolute; inset: 0"><span>Not this</span></div>`, "0")
	u.good("browser_click", arguments{"text": "Pick one"})
	is(t, "the focus", u.value("document.activeElement.id"), `"field"`)
	u.inVain("browser_click", arguments{"text": "Not this", "timeout_ms": 3000}, "not_actionable", "covered")
}

// What matches a search is set off in a box of its own, so that the text is in pieces; a sizer that nobody sees has it
// too.
func TestATextInPiecesIsFound(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div style="visibility: hidden">Lark</div><ul><li id=lark style="display: flex" onclick="document.title = 'lark'"><span>La</span><span>rk</span></li><li>Mono</li></ul>`, "0")
	u.good("browser_click", arguments{"text": "lark"})
	want(t, u.good("browser_evaluate", arguments{"expression": "document.title"}), "result", `"lark"`)
}

// A list of the page's own has the field for its text over it.
func TestAListWithItsFieldOverItIsUsed(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<style>.picker { position: relative; width: 200px; height: 40px } .over { position: absolute; inset: 0 } .over input { width: 10px }</style>
<div class=picker><div id=list role=combobox tabindex=0 style="height: 100%"><span>Fruits</span></div><div class=over><input id=entry></div></div>
<div class=picker><div role=combobox tabindex=0 style="height: 100%"><span>Colours</span></div><div class=over><input><input></div></div>`, "0")
	u.good("browser_click", arguments{"text": "Fruits"})
	u.good("browser_type", arguments{"field_text": "Fruits", "text": "pear"})
	is(t, "the field", u.value("entry.value"), `"pear"`)
	u.inVain("browser_click", arguments{"text": "Colours", "timeout_ms": 3000}, "not_actionable", "covered")
}

// What is around a button is not named by it, and a shape that nobody sees takes the clicks for a text in a drawing.
func TestWhatIsAroundATextAndOverIt(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div id=tools onmousedown="0"><button>Create task</button><button>Create gate</button></div><div id=open title="Open blocks" onclick="document.title = 'open'" style="width: 20px; height: 20px"></div>
<svg width=300 height=60><g><text y=20>Trace B</text><rect width=90 height=30 style="fill-opacity: 0" onclick="document.title = 'trace'"></rect></g>
<g><text x=150 y=20>Trace C</text><rect x=150 width=90 height=30 fill=red></rect></g></svg>
<div id=block draggable=true style="cursor: grab; width: 90px" onmousedown="document.title = 'block'"><div style="pointer-events: none">Section</div></div>`, "0")
	title := func(wanted string) {
		t.Helper()
		want(t, u.good("browser_evaluate", arguments{"expression": "document.title"}), "result", strconv.Quote(wanted))
	}
	u.bad("browser_click", arguments{"role": "generic", "name": "Create task", "timeout_ms": 2000}, "no_element", `there is button "Create task"`)
	u.good("browser_click", arguments{"role": "generic", "name": "Open blocks"})
	title("open")
	u.good("browser_click", arguments{"text": "Trace B"})
	title("trace")
	u.inVain("browser_click", arguments{"text": "Trace C", "timeout_ms": 2000}, "not_actionable", "covered")
	u.good("browser_click", arguments{"text": "Section"})
	title("block")
}

// A text that is only supposed is answered with what the page shows instead.
func TestATextThatIsNotShownIsAnsweredWithWhatIsLikeIt(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<h1>Order summary</h1><button>Login</button><button>Place order</button><label>E-mail addresses <input></label><button>Save</button><p>Nothing here</p>`, "0")
	for text, like := range map[string]string{
		"Log in": `(there is button "Login" @`, "Submit order": `(there is button "Place order" @`, "Email address": `(there is textbox "E-mail addresses" @`,
		"Save all": `(there is button "Save" @`, "Checkout": "",
	} {
		said := u.bad("browser_click", arguments{"text": text, "timeout_ms": 5000}, "no_element").Text
		if strings.Contains(said, "there is") != (like != "") || !strings.Contains(said, like) {
			t.Errorf("%s: %s", text, said)
		}
	}
}

// The text of an option of a closed list names the list; a click on that chooses nothing, and says so.
func TestAClickOnTheTextOfAnOptionSaysThatItChoseNothing(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<label>Fruit <select><option>Apple<option>Pear</select></label>`, "0")
	for text, notes := range map[string]bool{"Pear": true, "Apple": false} {
		if r := u.good("browser_click", arguments{"text": text}); strings.Contains(r.Text, "use select") != notes {
			t.Errorf("%s: %s", text, r.Text)
		}
		u.good("browser_press", arguments{"key": "Escape"})
	}
}

// What a reading marks is found as it is shown and as the page has it.
func TestAMarkedTextIsFoundWithItsMarksAndWithout(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<p>Shoes <s>€20</s> €15</p><table><tr><th>Plan<th>Price<tr><td>Pro<td onclick="this.title='yes'">$19<sup>99</sup></table>`, "")
	r := u.good("browser_snapshot", nil)
	for _, shown := range []string{`paragraph: "Shoes ~~€20~~ €15"`, `: "$19^99"`} {
		if !strings.Contains(r.Text, shown) {
			t.Errorf("no %s in\n%s", shown, r.Text)
		}
	}
	for _, text := range []string{"Shoes ~~€20~~ €15", "Shoes €20 €15", "$19^99", "$1999"} {
		want(t, u.good("browser_find", arguments{"text": text}), "found", "1")
		want(t, u.good("browser_click", arguments{"text": text}), "success", "true")
	}
	for _, name := range []string{"$19^99", "$1999"} {
		want(t, u.good("browser_click", arguments{"role": "cell", "name": name}), "success", "true")
	}
}
