package e2e

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// readPages has what a reading must reach: frames of this process and of others three deep, shadow roots, and states.
var readPages = map[string]string{
	"/read": `<h1>Orders</h1><nav aria-label=Main><a href="/empty?token=abc&page=2">Home</a></nav>
<label>Name <input value="Bob" required></label><input type=checkbox checked aria-label=Agree><button disabled>Save</button>
<select aria-label=Colour><option>Red<option selected>Blue</select><details><summary>More</summary>inside</details>
<div onclick="0">Press me</div><p>Plain <b>bold</b> text</p>
<div id=open></div><div id=closed></div>
<iframe title=Local src="/read-local"></iframe><iframe title=One src="{{127.0.0.1}}/read-one"></iframe>
<script>
document.getElementById('open').attachShadow({mode: 'open'}).innerHTML = '<button>In open</button>';
document.getElementById('closed').attachShadow({mode: 'closed'}).innerHTML = '<button>In closed</button>';
</script>`,
	"/read-local": `<button>Local button</button>`,
	"/read-one":   `<button>One button</button><iframe title=Two src="{{127.0.0.2}}/read-two"></iframe>`,
	"/read-two":   `<button>Two button</button><iframe title=Three src="{{x.localhost}}/read-three"></iframe>`,
	"/read-three": `<a href="/empty">Three link</a><script>report('three', 1)</script>`,
}

// read reads the first tab.
func (w *world) read(o host.ReadOptions) *host.Reading {
	w.t.Helper()
	return w.readTab("", o)
}

func (w *world) readTab(tab string, o host.ReadOptions) *host.Reading {
	w.t.Helper()
	r, err := w.Tab(tab).Read(w.ctx, &o)
	if err != nil {
		w.t.Fatalf("read: %v", err)
	}
	return r
}

// readUntil reads again until a text is there: accessibility and frames come a moment after the page.
func (w *world) readUntil(o host.ReadOptions, texts ...string) *host.Reading {
	w.t.Helper()
	return w.readTabUntil("", o, texts...)
}

func (w *world) readTabUntil(tab string, o host.ReadOptions, texts ...string) *host.Reading {
	w.t.Helper()
	var r *host.Reading
	waitUntil(w.t, strings.Join(texts, ", "), func() bool {
		r = w.readTab(tab, o)
		for _, text := range texts {
			if !strings.Contains(r.Text, text) {
				return false
			}
		}
		return true
	})
	return r
}

// wantLines checks that a reading has lines, whatever their refs are.
func wantLines(t *testing.T, r *host.Reading, lines ...string) {
	t.Helper()
	got := refs.ReplaceAllString(r.Text, " @e")
	for _, line := range lines {
		if !strings.Contains("\n"+got+"\n", "\n"+line+"\n") {
			t.Errorf("there is no line %q in:\n%s", line, r.Text)
		}
	}
}

var refs = regexp.MustCompile(` @e[0-9]+`)

// ref finds the ref of the first line that has a text.
func (w *world) ref(r *host.Reading, text string) string {
	w.t.Helper()
	for line := range strings.Lines(r.Text) {
		if ref := refs.FindString(line); ref != "" && strings.Contains(line, text) {
			return strings.TrimSpace(ref)
		}
	}
	w.t.Fatalf("no ref of %s in:\n%s", text, r.Text)
	return ""
}

func TestAPageIsReadInAllFramesAndShadowRoots(t *testing.T) {
	w := newWorld(t, readPages, host.TaskOptions{})
	w.open("/read")
	w.reported("three")
	r := w.readUntil(host.ReadOptions{}, "Three link")
	wantLines(t, r, `- heading "Orders" [level=1]`, `- navigation "Main"`, `  - link "Home" @e`, `- textbox "Name" [required] @e: "Bob"`,
		`- checkbox "Agree" [checked] @e`, `- button "Save" [disabled] @e`, `- combobox "Colour" [collapsed] @e: "Blue"`,
		`  - option "Blue" [selected]`, `- button "More" [collapsed] @e`, `- generic @e: "Press me"`, `- paragraph: "Plain bold text"`,
		`- button "In open" @e`, `- button "In closed" @e`, `- iframe "Local"`, `  - button "Local button" @e`,
		`- iframe "One" [origin="`+w.url("127.0.0.1", "")+`"]`, `  - button "One button" @e`, `    - button "Two button" @e`, `      - link "Three link" @e`)
	if strings.Contains(r.Text, "token") || len(r.Omitted) > 0 || len(r.Frames) > 0 || r.Stale || !r.Untrusted || r.Pages != 1 {
		t.Errorf("the reading is %s", shared.Dump(r))
	}
	want(t, "the origin", r.Origin, w.url("localhost", ""))
	full := w.read(host.ReadOptions{Full: true})
	wantLines(t, full, `  - link "Home" [url="`+w.url("localhost", "/empty?token=[redacted]&page=2")+`"] @e`)
	want(t, "refs of the second reading", refs.FindAllString(full.Text, -1)[5], refs.FindAllString(r.Text, -1)[5])
	part := w.read(host.ReadOptions{Scope: w.ref(w.read(host.ReadOptions{}), "Colour")})
	if !strings.HasPrefix(part.Text, `- combobox "Colour"`) || strings.Contains(part.Text, "button") {
		t.Errorf("the part is:\n%s", part.Text)
	}
}

// A ref leads to its element, in whichever frame that is.
func TestARefLeadsToItsElement(t *testing.T) {
	w := newWorld(t, readPages, host.TaskOptions{})
	w.open("/read")
	w.reported("three")
	r := w.readUntil(host.ReadOptions{}, "Three link")
	for _, name := range []string{"Agree", "In open", "In closed", "Local button", "One button", "Two button", "Three link"} {
		e, err := w.ResolveRef(w.ref(r, name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := w.Tab("").Evaluate(w.ctx, "e => e.ariaLabel || e.textContent", &host.EvaluateOptions{Locator: host.Locator{FrameID: e.Frame, BackendNodeID: e.BackendNodeID}})
		if err != nil || string(got.Value) != `"`+name+`"` || e.Name != name {
			t.Errorf("%s: %s, %v, %+v", name, got.Value, err, e)
		}
	}
	for _, ref := range []string{"", "e0", "e99999", "5", "button", "@e1x"} {
		_, err := w.ResolveRef(ref)
		wantError(t, err, host.ErrUnknownRef)
	}
}

func TestAStaleRefNeverLeadsToAnotherElement(t *testing.T) {
	w := newWorld(t, map[string]string{"/stale": `<div id=list></div><script>
function draw() { list.innerHTML = '<button>Save draft</button><button>Delete</button>' }
draw()</script>`}, host.TaskOptions{})
	w.open("/stale")
	r := w.readUntil(host.ReadOptions{}, "Save draft")
	save, gone := w.ref(r, "Save draft"), w.ref(r, "Delete")
	w.evaluate("document.querySelectorAll('button')[1].remove(); 0")
	_, err := w.Tab("").Screenshot(w.ctx, &host.ScreenshotOptions{Locator: host.ByRef(gone)}) // asks the page itself
	wantError(t, err, host.ErrStaleRef)
	_, err = w.ResolveRef(gone)
	wantError(t, err, host.ErrStaleRef)
	want(t, "the other button", w.ref(w.read(host.ReadOptions{}), "Save draft"), save)

	w.evaluate("draw(); 0")
	again := w.read(host.ReadOptions{})
	_, err = w.ResolveRef(save)
	var stale *host.StaleRefError
	if !errors.As(err, &stale) || len(stale.Candidates) == 0 || "@"+stale.Candidates[0].Ref != w.ref(again, "Save draft") {
		t.Errorf("after the page was drawn again: %v", err)
	}
	if w.ref(again, "Save draft") == save {
		t.Error("the ref was given to another element")
	}

	save = w.ref(again, "Save draft")
	w.open("/stale")
	_, err = w.ResolveRef(save)
	wantError(t, err, host.ErrStaleRef)
	_, err = w.Tab("").Read(w.ctx, &host.ReadOptions{Scope: save})
	wantError(t, err, host.ErrStaleRef)
	if w.ref(w.read(host.ReadOptions{}), "Save draft") == save {
		t.Error("the ref lived on in a new document")
	}
}

func TestOnlyWhatChangedIsRead(t *testing.T) {
	w := newWorld(t, map[string]string{"/change": `<h1>Head</h1><ul id=list aria-label=Todo><li><button>One</button></li></ul><input type=checkbox aria-label=Done>`}, host.TaskOptions{})
	w.open("/change")
	r := w.readUntil(host.ReadOptions{}, "Done")
	same := w.read(host.ReadOptions{Since: r.Token})
	if same.Changed || strings.Contains(same.Text, "button") {
		t.Errorf("nothing changed, and the reading is:\n%s", same.Text)
	}
	w.evaluate("list.innerHTML += '<li><button>Two</button></li>'; document.querySelector('input').checked = true; 0")
	changed := w.readUntil(host.ReadOptions{Since: r.Token}, "Two")
	wantLines(t, changed, `- list "Todo"`, `    + button "Two" @e`, `* checkbox "Done" [checked] @e`)
	if !changed.Changed || strings.Contains(changed.Text, "Head") || !strings.Contains(changed.Text, `gone: button "One" @e`) {
		t.Errorf("the reading is:\n%s", changed.Text)
	}
	if unknown := w.read(host.ReadOptions{Since: "r999"}); !strings.Contains(unknown.Text, "Head") || len(unknown.Omitted) == 0 && !strings.Contains(unknown.Text, "remembered") {
		t.Errorf("with an unknown token the reading is:\n%s", unknown.Text)
	}
	// A token that the reading itself will get was not given out before.
	var last int
	if _, err := fmt.Sscanf(w.read(host.ReadOptions{}).Token, "r%d", &last); err != nil {
		t.Fatal(err)
	}
	if early := w.read(host.ReadOptions{Since: fmt.Sprintf("r%d", last+1)}); !early.Changed || !strings.Contains(early.Text, "remembered") {
		t.Errorf("with a token of its own the reading is:\n%s", early.Text)
	}
}

func TestAPageIsReadWhileADialogHoldsIt(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	w.evaluate("document.body.innerHTML = '<button>Known</button>'; 0")
	w.readUntil(host.ReadOptions{}, "Known")
	w.start("confirm('well?')")
	d := w.dialog()
	r := w.read(host.ReadOptions{})
	wantLines(t, r, `- button "Known" @e`)
	if !r.Stale || len(r.PendingDialogs) != 1 || r.PendingDialogs[0].ID != d.ID || !strings.Contains(r.Text, "a dialog holds the page") {
		t.Errorf("the reading is %s", shared.Dump(r))
	}
	w.answer(host.DialogResponse{Accept: true})
	if r := w.read(host.ReadOptions{}); r.Stale || len(r.RecentDialogs) != 1 {
		t.Errorf("after the dialog the reading is %s", shared.Dump(r))
	}
	w.start("open('/empty')")
	w.await("the popup", func(s *host.Snapshot) bool { return len(s.Targets) == 2 && s.Targets[1].Ready })
	w.start("confirm('before it was read')")
	w.dialog()
	r, err := w.Tab(w.Snapshot().Targets[1].ID).Read(w.ctx, nil)
	if err != nil || !r.Stale && r.Text == "" {
		t.Errorf("the popup: %s, %v", shared.Dump(r), err)
	}
	w.answer(host.DialogResponse{Accept: true})
}

func TestAFrameThatSpinsDoesNotDelayTheRest(t *testing.T) {
	w := newWorldAlone(t, map[string]string{
		"/beside": `<button>Beside</button><iframe title=Stuck src="{{127.0.0.1}}/spins"></iframe><iframe title=Fine src="{{127.0.0.2}}/fine"></iframe>`,
		"/spins":  `<button>Stuck button</button><script>report('spins', 1).then(() => setTimeout(() => { for (;;); }, 1))</script>`,
		"/fine":   `<button>Fine button</button><script>report('fine', 1)</script>`,
	}, host.TaskOptions{})
	w.open("/beside")
	w.reported("spins")
	w.reported("fine")
	r := w.readUntil(host.ReadOptions{}, "Fine button", "(unresponsive)")
	wantLines(t, r, `- button "Beside" @e`, `  - button "Fine button" @e`, `- iframe "Stuck" [origin="`+w.url("127.0.0.1", "")+`"] (unresponsive)`)
	if len(r.Frames) != 1 || r.Frames[0].State != "unresponsive" || r.Stale {
		t.Errorf("the reading is %s", shared.Dump(r))
	}
}

func TestAPageThatSpinsIsShownAsItWas(t *testing.T) {
	w := newWorldAlone(t, map[string]string{"/spin": `<button>Known</button>`}, host.TaskOptions{})
	w.open("/spin")
	w.readUntil(host.ReadOptions{}, "Known")
	w.evaluate("report('spins', 1).then(() => setTimeout(() => { for (;;); })); 0")
	w.reported("spins")
	// Without a limit a reading waits for a minute, in which the page takes a processor.
	var r *host.Reading
	waitUntil(t, "a page that does not answer", func() bool {
		var err error
		if r, err = w.Tab("").Read(within(t, w.ctx, shared.Patience(8*time.Second)), nil); err != nil {
			t.Fatalf("read: %v", err)
		}
		return strings.Contains(r.Text, "does not answer")
	})
	wantLines(t, r, `- button "Known" @e`)
	if !r.Stale || len(r.Omitted) == 0 {
		t.Errorf("the reading is %s", shared.Dump(r))
	}
}

func TestAPopupAndForeignTextAreRead(t *testing.T) {
	w := newWorld(t, map[string]string{"/text": `<button>שלום 👩&#x200d;💻 e&#x301;</button><button>safe&#x202e;gnp</button><button>a" @e1 - button "b</button>
<p>line<br>break &lt;script&gt;</p>`}, host.TaskOptions{})
	w.open("/empty")
	w.start("open('/text')")
	s := w.await("the popup", func(s *host.Snapshot) bool {
		return len(s.Targets) == 2 && strings.HasSuffix(s.Targets[1].URL, "/text")
	})
	r := w.readTabUntil(s.Targets[1].ID, host.ReadOptions{}, "script")
	wantLines(t, r, "- button \"שלום 👩\u200d💻 e\u0301\" @e", `- button "safe\u202egnp" @e`, `- button "a\" @e - button \"b" @e`, `- paragraph: "line break <script>"`)
}

func TestTwoHundredFramesAreRead(t *testing.T) {
	w := newWorld(t, map[string]string{"/many": `<script>for (let i = 0; i < 200; i++) {
	const f = document.createElement('iframe'); f.srcdoc = '<button>In ' + i + '</button>'; document.body?.append(f) || document.documentElement.append(f);
}</script>`}, host.TaskOptions{})
	w.open("/many")
	w.await("the frames", func(s *host.Snapshot) bool { return len(s.Page().RawFrameTree.Children) == 200 })
	r := w.readUntil(host.ReadOptions{Budget: 100_000}, `"In 0"`, `"In 199"`)
	want(t, "buttons", strings.Count(r.Text, "button"), 200)
	const budget = 4000
	small := w.read(host.ReadOptions{Budget: budget})
	if n := utf8.RuneCountInString(small.Text); n > budget || small.Pages < 2 {
		t.Errorf("%d characters on the first of %d pages", n, small.Pages)
	}
}

func TestAThousandElementsAreReachable(t *testing.T) {
	w := newWorld(t, map[string]string{"/thousand": `<ul id=list></ul><script>
let text = '';
for (let i = 0; i < 1000; i++) text += '<li><button>Order number ' + i + '</button> costs ' + i + ' euros</li>';
list.innerHTML = text;
</script>`}, host.TaskOptions{})
	w.open("/thousand")
	found := map[string]bool{}
	pages := 1
	for n := 0; n < pages; n++ {
		r := w.read(host.ReadOptions{Page: n})
		pages = r.Pages
		if size := utf8.RuneCountInString(r.Text); size > host.DefaultReadBudget {
			t.Errorf("page %d has %d characters", n, size)
		}
		for i := range 1000 {
			if strings.Contains(r.Text, fmt.Sprintf("button \"Order number %d\" @e", i)) {
				found[fmt.Sprint(i)] = true
			}
		}
		if n == 0 && !strings.Contains(r.Text, "more listitem (scope @e") {
			t.Errorf("the first page does not say how much is left out:\n%s", r.Text)
		}
	}
	want(t, "buttons on all pages", len(found), 1000)
	_, err := w.Tab("").Read(w.ctx, &host.ReadOptions{Page: pages})
	wantError(t, err, host.ErrBadArguments)
	_, err = w.Tab("").Read(w.ctx, &host.ReadOptions{Budget: 10})
	wantError(t, err, host.ErrBadArguments)
}

const dot = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func TestImagesOfAllFrames(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/images": `<img src="` + dot + `" alt=Dot width=30 height=20><img alt=none><div id=host></div>
<script>host.attachShadow({mode: 'closed'}).innerHTML = '<img src="/there?token=x" alt="In shadow" style="display: inline-block" width=5 height=6>'</script>
<iframe src="{{127.0.0.1}}/images-in"></iframe>`,
		"/images-in": `<img src="` + dot + `" alt="In frame" width=7 height=8><script>onload = () => report('in', 1)</script>`,
	}, host.TaskOptions{})
	w.open("/images")
	w.reported("in")
	var images []host.Image
	waitUntil(t, "the images", func() bool {
		var err error
		images, err = w.Tab("").Images(w.ctx)
		return err == nil && len(images) == 3
	})
	want(t, "the first", images[0], host.Image{Src: "data:image/png;base64,…", Alt: "Dot", Width: 30, Height: 20})
	want(t, "that of the shadow root", images[1], host.Image{Src: w.url("localhost", "/there?token=[redacted]"), Alt: "In shadow", Width: 5, Height: 6})
	want(t, "that of the frame", images[2], host.Image{Src: "data:image/png;base64,…", Alt: "In frame", Width: 7, Height: 8})
}

func TestTheTitleIsTheOneThatThePageHasNow(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<title>before</title><button>b</button>`}, host.TaskOptions{})
	w.open("/page")
	w.start("document.title = 'after'")
	waitUntil(t, "the title", func() bool { return w.read(host.ReadOptions{}).Title == "after" })
}
