package page

import (
	"slices"
	"strings"
	"testing"
)

// still reads a tab until a further reading is the same one, as that of a page at rest is.
func still(t *testing.T, c *chromium, refs *Refs) *Tree {
	t.Helper()
	var last *Tree
	for range 10 {
		tree, err := Read(c, refs, 0)
		if err != nil {
			t.Fatal(err)
		}
		if tree == last {
			return tree
		}
		last = tree
	}
	t.Fatal("the page is never at rest")
	return nil
}

// written are the lines of a tree, with the elements in view marked.
func written(t *testing.T, tree *Tree) []string {
	t.Helper()
	view := []string{tree.Root.Name}
	for _, n := range tree.nodes {
		if n.InView {
			view = append(view, n.Role+" "+n.Name)
		}
	}
	w, err := tree.Write(View{Full: true, Budget: 1_000_000, Next: 1, Give: func(*Node) int { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	return append(strings.Split(w.Text, "\n"), view...)
}

// What a page does, whatever way it does it, shows in the next reading, also where most of the page is not read again.
func TestAReadingIsNotKeptWhenThePageHasChanged(t *testing.T) {
	const roots = `<script>closed.attachShadow({mode: "closed"}).innerHTML = "<b>Closed</b><input aria-label=in>"; document.body.closedRoot = null</script>`
	const body = `<title>t</title><style>.more::after { content: " after" } #h { visibility: hidden } @media (max-width: 500px) { #wide { display: none } }</style>
		<p id=p>Text</p><p id=h>Hidden</p><p id=wide>Wide</p><a id=a href=next>Link</a><input id=i aria-label=i><input id=c type=checkbox aria-label=c>
		<input id=r type=range aria-label=r><textarea id=t aria-label=t></textarea><select id=s aria-label=s><option>A<option>B</select>
		<select id=m multiple aria-label=m><option>A<option>B</select><div id=host></div><div id=closed></div><div id=pop popover>Popover</div>
		<div id=box style="height:60px;overflow:auto"><p>One</p><div style="height:600px"></div><button>Two</button></div><div id=frame></div>
		<img id=g alt=G width=10 height=10><div style="height:3000px"></div><button id=end>End</button>
		<input id=l aria-labelledby="p"><label for=named>Of it</label><input id=named><i id=sheet>Import</i>
		<table id=cells><tr><td>A<td>B<tr><td>C<td>D</table>
		<label id=of>Unseen <input id=u type=checkbox style="display:none"></label><label for=w>Elsewhere</label><div><input id=w type=checkbox style="visibility:hidden"></div>`
	c := newChromium(t)
	for _, change := range []struct{ name, script string }{
		{"a text", `p.firstChild.data = "Other"`},
		{"an element", `p.append(document.createElement("button"))`},
		{"an attribute", `i.setAttribute("aria-label", "other")`},
		{"a class", `p.className = "more"`},
		{"a table's caption", `cells.createCaption().textContent = "Data"`},
		{"a table's borders", `cells.border = 1`},
		{"a table's borders by a rule", `document.styleSheets[0].insertRule("#cells td { border: 1px solid }")`},
		{"a heading of a table", `cells.rows[0].cells[0].scope = "row"`},
		{"a style", `h.style.visibility = "visible"`},
		{"a rule", `document.styleSheets[0].insertRule("#h { visibility: visible !important }", document.styleSheets[0].cssRules.length)`},
		{"a declaration", `document.styleSheets[0].cssRules[1].style.visibility = "visible"`},
		{"an adopted sheet", `{ const s = new CSSStyleSheet(); s.replaceSync("#h { visibility: visible !important }"); document.adoptedStyleSheets = [s] }`},
		{"a content", `document.styleSheets[0].insertRule("#p::before { content: 'before' }")`},
		{"a value", `i.value = "typed"`},
		{"a text area's value", `t.value = "typed"`},
		{"a range's value", `r.value = 7`},
		{"a check", `c.checked = true`},
		{"an unseen check", `u.checked = true`},
		{"an unseen check elsewhere", `w.checked = true`},
		{"what a label is of", `of.htmlFor = "i"`},
		{"an indeterminate check", `c.indeterminate = true`},
		{"a selection", `s.selectedIndex = 1`},
		{"one of several selections", `m.options[1].selected = true`},
		{"a validity", `i.setCustomValidity("wrong")`},
		{"the focus", `i.focus()`},
		{"the title", `document.title = "other"`},
		{"a scroll", `scrollTo(0, 1e6)`},
		{"a scroll within", `box.scrollTop = 1e6`},
		{"a shadow root", `host.attachShadow({mode: "open"}).innerHTML = "<button>Shadow</button>"`},
		{"a closed shadow root", `host.attachShadow({mode: "closed"}).innerHTML = "<button>Shadow</button>"`},
		{"a popover", `pop.showPopover()`},
		{"a canvas of text", `p.editContext = new EditContext({text: "written"})`},
		{"a label elsewhere", `document.body.append(Object.assign(document.createElement("label"), {htmlFor: "i", textContent: "More"})); i.removeAttribute("aria-label")`},
		{"a name elsewhere", `document.querySelector("label").firstChild.data = "Renamed"`},
		{"a content by :has", `document.styleSheets[0].insertRule("body:has(#c:checked) #sheet::after { content: 'has' }"); c.checked = true`},
		{"a rule of another kind", `document.styleSheets[0].insertRule("@layer x { @media all { #sheet::before { content: 'layered' } } }")`},
		{"a nested rule", `document.styleSheets[0].insertRule("body { & #sheet::before { content: 'nested' } }")`},
		{"a listener", `p.addEventListener("click", () => {})`},
		{"a base", `document.head.append(Object.assign(document.createElement("base"), {href: "https://a.example/"}))`},
		{"an animation", `p.animate([{opacity: 0}, {opacity: 1}], {duration: 1e6}); p.animate([{visibility: "hidden"}, {visibility: "hidden"}], {duration: 1e6})`},
		{"a frame", `frame.innerHTML = "<iframe title=f srcdoc='<button>Framed</button>'></iframe>"; new Promise(done => frame.firstChild.onload = done)`},
		{"the window's size", ""},
	} {
		for _, more := range []string{"", roots} {
			c.load(body + more)
			refs := NewRefs()
			before := still(t, c, refs)
			method, params := "Runtime.evaluate", map[string]any{"expression": change.script, "awaitPromise": true}
			if change.name == "the window's size" {
				method, params = "Emulation.setDeviceMetricsOverride", map[string]any{"width": 400, "height": 300, "deviceScaleFactor": 1, "mobile": false}
			}
			if err := c.call(method, params, nil); err != nil {
				t.Fatal(err)
			}
			after, err := Read(c, refs, 0)
			if err != nil {
				t.Fatal(err)
			}
			anew, err := Read(c, NewRefs(), 0)
			if err != nil {
				t.Fatal(err)
			}
			if d := difference(written(t, anew), written(t, after)); d != "" {
				t.Errorf("after %s, the reading is not what the page shows:\n%s", change.name, d)
			}
			if slices.Equal(written(t, before), written(t, after)) {
				t.Errorf("%s does not show at all", change.name)
			}
			if change.name == "the window's size" {
				if err := c.call("Emulation.clearDeviceMetricsOverride", nil, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
