package e2e

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestWhatIsSaidOfAnElement(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/said": `<style>body { margin: 0 }</style><input id=name value=first style="color: rgb(1, 2, 3)"><input id=secret type=password value=hush>
<form id=form><input type=password value=hush2><x-made></x-made><p>text</form><input type=checkbox id=box checked><select id=list><option value=a>A<option value=b selected>B</select>
<div id=edit contenteditable>written</div><button id=off disabled>off</button><p id=none hidden>hidden</p><div style="height: 3000px"></div><p id=below>below</p>
<iframe src="{{127.0.0.1}}/inner" style="position: absolute; left: 100px; top: 300px; width: 200px; height: 100px; border: 5px solid; transform: scale(2); transform-origin: 0 0"></iframe>
<script>made = 0; customElements.define("x-made", class extends HTMLElement { constructor() { super(); made++ } }); name1 = document.querySelector("#name"); name1.value = "typed"</script>`,
		"/inner": `<style>body { margin: 0 }</style><button id=inside style="position: absolute; left: 10px; top: 20px; width: 50px; height: 30px; padding: 0">in</button><script>report("inner")</script>`,
	}, host.TaskOptions{})
	w.open("/said")
	w.reported("inner")
	ask := func(selector string, what host.Inspected, name string) host.Inspection {
		t.Helper()
		got, err := w.Tab("").Inspect(w.ctx, host.BySelector(selector), what, &host.InspectOptions{Name: name})
		if err != nil {
			t.Fatalf("%s of %s: %v", what, selector, err)
		}
		return got
	}
	for _, c := range []struct {
		selector   string
		what       host.Inspected
		name, want string
	}{
		{"#name", host.InspectValue, "", "typed"}, {"#name", host.InspectAttribute, "value", "first"}, {"#secret", host.InspectValue, "", "••••"},
		{"#secret", host.InspectAttribute, "VALUE", "••••"}, {"#list", host.InspectValue, "", "b"}, {"#edit", host.InspectValue, "", "written"},
		{"#off", host.InspectHTML, "", `<button id="off" disabled="">off</button>`},
	} {
		if got := ask(c.selector, c.what, c.name); got.Text == nil || *got.Text != c.want {
			t.Errorf("the %s %s of %s is %v, want %s", c.what, c.name, c.selector, got.Text, c.want)
		}
	}
	form := ask("#form", host.InspectHTML, "")
	if strings.Contains(*form.Text, "hush") || !strings.Contains(*form.Text, "x-made") {
		t.Errorf("the form is %s", *form.Text)
	}
	want(t, "how many of its elements were made", w.evaluate("made"), "1")
	if got := ask("#below", host.InspectValue, ""); got.Text != nil {
		t.Errorf("a paragraph has the value %q", *got.Text)
	}
	want(t, "a colour", ask("#name", host.InspectStyle, "color").Style["color"], "rgb(1, 2, 3)")
	if got := ask("#name", host.InspectStyle, "").Style; got["display"] != "inline-block" || len(got) < 8 {
		t.Errorf("its style is %v", got)
	}
	for selector, is := range map[string]map[string]bool{
		"#off": {"visible": true, "enabled": false, "editable": false, "focused": false}, "#none": {"visible": false, "enabled": true, "editable": false, "focused": false},
		"#box": {"visible": true, "enabled": true, "editable": false, "focused": false, "checked": true}, "#name": {"visible": true, "enabled": true, "editable": true, "focused": false},
	} {
		got := ask(selector, host.InspectState, "").State
		for name, v := range is {
			if got[name] != v || len(got) != len(is) {
				t.Errorf("%s is %v, want %v", selector, got, is)
				break
			}
		}
	}
	if b := ask("#inside", host.InspectBox, "").Box; b == nil || *b != (host.Box{X: 100 + 2*(5+10), Y: 300 + 2*(5+20), Width: 100, Height: 60, InView: true}) {
		t.Errorf("the box in the frame is %+v", b)
	}
	if b := ask("#below", host.InspectBox, "").Box; b == nil || b.InView {
		t.Errorf("what is below the viewport is at %+v", b)
	}
	if b := ask("#none", host.InspectBox, "").Box; b != nil {
		t.Errorf("what is hidden has the box %+v", b)
	}
	cut, err := w.Tab("").Inspect(w.ctx, host.BySelector("#form"), host.InspectHTML, &host.InspectOptions{MaxChars: 10})
	if err != nil || len(*cut.Text) != 10 || !cut.Truncated || cut.Chars < 50 {
		t.Errorf("cut: %+v, %v", cut, err)
	}
	_, err = w.Tab("").Inspect(w.ctx, host.BySelector("#form"), "weight", nil)
	wantError(t, err, host.ErrBadArguments)
	_, err = w.Tab("").Inspect(w.ctx, host.BySelector("#form"), host.InspectAttribute, nil)
	wantError(t, err, host.ErrBadArguments)
}

// A page is saved with what its frames show; as a PDF, in as many parts as it needs.
func TestPagesAreSaved(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/saved": `<title>Saved</title><p>in the page</p><iframe src="{{127.0.0.1}}/inner"></iframe><img width=700><script>
for (let i = 0; i < 400; i++) { const p = document.createElement("p"); p.style.breakAfter = "page"; p.textContent = "page " + i; document.body.append(p) }
addEventListener("beforeprint", () => { window.printed = true })</script>`,
		"/inner": `<p>in the frame</p><script>report("inner")</script>`,
	}, host.TaskOptions{})
	w.open("/saved")
	w.reported("inner")
	var archive, paper, wide bytes.Buffer
	if n, err := w.Tab("").Save(w.ctx, host.SaveMHTML, &archive, nil); err != nil || int(n) != archive.Len() {
		t.Errorf("%d of %d bytes: %v", n, archive.Len(), err)
	}
	for _, text := range []string{"in the page", "in the frame"} {
		if !strings.Contains(archive.String(), text) {
			t.Errorf("%q is not in the archive", text)
		}
	}
	if n, err := w.Tab("").Save(w.ctx, host.SavePDF, &paper, nil); err != nil || int(n) != paper.Len() {
		t.Errorf("%d of %d bytes: %v", n, paper.Len(), err)
	}
	if pdf := paper.String(); !strings.HasPrefix(pdf, "%PDF-") || !strings.Contains(pdf[max(0, len(pdf)-20):], "%%EOF") || strings.Count(pdf, "/Type /Page\n") < 400 {
		t.Errorf("a file of %d bytes with %d pages begins with %.20q", len(pdf), strings.Count(pdf, "/Type /Page\n"), pdf)
	}
	if _, err := w.Tab("").Save(w.ctx, host.SavePDF, &wide, &host.SaveOptions{Width: 10, Height: 5}); err != nil || !strings.Contains(wide.String(), "/MediaBox [0 0 720 360]") {
		t.Errorf("paper of 10 by 5 inches: %v", err)
	}
	_, err := w.Tab("").Save(w.ctx, "docx", &paper, nil)
	wantError(t, err, host.ErrBadArguments)
	_, err = w.Tab("").Save(w.ctx, host.SavePDF, &paper, &host.SaveOptions{Width: -1})
	wantError(t, err, host.ErrBadArguments)
}
