package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// The names and ids of elements are properties of their form, of the document and of the window, in every world, and
// the first two hide the properties that are there. Pages have such names by chance: a field "children" of a hotel, or
// one with the id "arrival".
func TestElementsMayHaveTheNamesOfProperties(t *testing.T) {
	const inForm = `id name title role type value action method children style text lang dir hidden checked labels options target length
		elements reset matches contains closest className tagName nodeName localName attributes childNodes parentElement parentNode isConnected
		nodeType ownerDocument shadowRoot assignedSlot firstChild nextSibling getAttribute hasAttribute getRootNode getBoundingClientRect
		getClientRects checkVisibility querySelector querySelectorAll addEventListener scrollIntoView isContentEditable inert focus textContent`
	const inDocument = `body documentElement activeElement host querySelector querySelectorAll getElementById elementFromPoint
		elementsFromPoint addEventListener createElement defaultView title forms children scrollingElement head hasFocus`
	const inWindow = `arrival drag filesToDrop pointerAt pointerSeen pointerSince timersFire scrollers own kept hermesWalker hermesCalm hermesInputArrived`
	const controls = `<label>Field <input id=f></label><button type=button onclick="hits.textContent += 'x'">Press</button>
		<select aria-label=Pick id=pick><option>a<option>b</select><label><input type=checkbox id=c>Agree</label>
		<div id=long style="overflow: auto; height: 40px"><p style="height: 400px">long</div>`
	const end = `<output id=hits></output><a href="#">End</a>`
	each := func(names, element string) (all string) {
		for _, n := range strings.Fields(names) {
			all += strings.ReplaceAll(element, "NAME", n)
		}
		return all
	}
	pages := map[string]string{
		"/form":     "<form><p>Where to?</p>" + controls + each(inForm, `<input type=hidden name=NAME>`) + "</form>" + end,
		"/fields":   "<form><p>Where to?</p>" + controls + each(inForm, `<input aria-label=other name=NAME>`) + "</form>" + end,
		"/document": "<form><p>Where to?</p></form>" + controls + end + each(inDocument, `<img name=NAME alt=""><form name=NAME></form>`),
		"/window":   "<form><p>Where to?</p></form>" + controls + end + each(inWindow, `<a id=NAME></a><iframe name=NAME hidden></iframe>`),
	}
	w := newWorld(t, pages, host.TaskOptions{})
	for path := range pages {
		w.open(path)
		tab := w.Tab("")
		step := func(what string, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s: %s: %v", path, what, err)
			}
		}
		read, err := tab.Read(w.ctx, nil)
		step("read", err)
		for _, want := range []string{`textbox "Field"`, `button "Press"`, `combobox "Pick"`, `checkbox "Agree"`, `link "End"`} {
			if !strings.Contains(read.Text, want) {
				t.Errorf("%s: the reading has no %s: %s", path, want, read.Text)
			}
		}
		_, err = tab.Click(w.ctx, host.ByRole("button", "Press"), nil)
		step("click", err)
		_, err = tab.Type(w.ctx, host.BySelector("#f"), "hello", nil)
		step("type", err)
		_, err = tab.Press(w.ctx, "Tab", nil)
		step("press", err)
		_, err = tab.Select(w.ctx, host.ByRole("combobox", "Pick"), []string{"b"}, nil)
		step("select", err)
		_, err = tab.Check(w.ctx, host.BySelector("#c"), true, nil)
		step("check", err)
		_, err = tab.Scroll(w.ctx, &host.ScrollOptions{Locator: host.BySelector("#long"), Amount: 100})
		step("scroll", err)
		_, err = tab.Hover(w.ctx, host.ByText("End"), nil)
		step("hover", err)
		_, err = tab.Click(w.ctx, host.ByText("Where to?"), nil)
		step("click a text of the form", err)
		form := host.BySelector("form")
		_, err = tab.Hover(w.ctx, form, nil)
		step("hover the form", err)
		for _, what := range []host.Inspected{host.InspectHTML, host.InspectAttribute, host.InspectStyle, host.InspectState, host.InspectBox} {
			_, err = tab.Inspect(w.ctx, form, what, &host.InspectOptions{Name: "display"})
			step("inspect "+string(what), err)
		}
		text, err := tab.Text(w.ctx, &host.TextOptions{Locator: form})
		step("text", err)
		if !strings.Contains(text.Text, "Where to?") {
			t.Errorf("%s: the text of the form is %q", path, text.Text)
		}
		v, err := tab.Evaluate(w.ctx, `[hits.textContent, f.value, pick.value, c.checked, long.scrollTop > 0].join()`, nil)
		step("evaluate", err)
		if got := string(v.Value); got != `"x,hello,b,true,true"` {
			t.Errorf("%s: the page has %s", path, got)
		}
	}
}

// What a document keeps for the host may be gone, as after a restore that the host was not told about.
func TestADocumentThatKeepsNothingIsGivenItAgain(t *testing.T) {
	w := newWorld(t, map[string]string{"/": `<button onclick="this.textContent += '!'">Save</button>`}, host.TaskOptions{})
	w.open("/")
	for i := range 3 {
		if _, err := w.Tab("").Click(w.ctx, host.BySelector("button"), nil); err != nil {
			t.Fatal(err)
		}
		v, err := w.Tab("").Evaluate(w.ctx, `document.body.textContent`, nil)
		if want := fmt.Sprintf("%q", "Save"+strings.Repeat("!", i+1)); err != nil || string(v.Value) != want {
			t.Fatalf("after click %d the page says %s, %v", i+1, v.Value, err)
		}
		kept := `(() => { const own = globalThis[Symbol.for("hermes-cdp")], all = Object.keys(own).filter(k => k.startsWith("kept")); all.forEach(k => delete own[k]); return all.length })()`
		if v, err := w.Tab("").Evaluate(w.ctx, kept, &host.EvaluateOptions{World: host.WorldIsolated}); err != nil || string(v.Value) == "0" {
			t.Fatalf("the document keeps %s functions, %v", v.Value, err)
		}
	}
}
