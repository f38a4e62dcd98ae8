package e2e

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// click clicks the element of a selector, which has to work.
func (w *world) click(selector string) host.ActionResult {
	w.t.Helper()
	acted, err := w.Tab("").Click(w.ctx, host.BySelector(selector), nil)
	if err != nil {
		w.t.Fatalf("click %s: %v", selector, err)
	}
	return acted
}

func TestAClickSaysWhatCameOfIt(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<a id=link href="/next">link</a> <a id=blank href="/next" target=_blank>blank</a> <a id=hash href="#part">hash</a>
<button id=opens onclick="window.open('/next')">opens</button> <form action="/next"><button id=submit>submit</button></form>
<button id=later onclick="setTimeout(() => { location = '/next' })">later</button> <input type=file id=file>
<a id=file-link download="a.txt" href="data:text/plain,hello">file</a> <button id=nothing>nothing</button>
<button id=writes onclick="document.title = 'written'">writes</button>`,
		"/next": `<p>next`,
	}, host.TaskOptions{})
	next := w.url("localhost", "/next")
	for id, address := range map[string]string{"link": next, "submit": next + "?", "later": next, "hash": w.url("localhost", "/page#part")} {
		w.open("/page")
		want(t, id, w.click("#"+id).Navigated, address)
		want(t, "the address after "+id, w.evaluate("location.href"), `"`+address+`"`)
	}
	w.open("/page")
	for _, id := range []string{"blank", "opens"} {
		acted := w.click("#" + id)
		if len(acted.NewTabs) != 1 || acted.Navigated != "" || !strings.HasPrefix(acted.NewTabs[0].Handle, "t") {
			t.Fatalf("%s: %s", id, shared.Dump(acted))
		}
		if err := w.Tab(acted.NewTabs[0].Handle).Close(w.ctx); err != nil {
			t.Fatal(err)
		}
	}
	if acted := w.click("#file"); !acted.FileChooser {
		t.Errorf("a file chooser: %s", shared.Dump(acted))
	}
	if acted := w.click("#file-link"); len(acted.Downloads) != 1 || acted.Downloads[0].Name != "a.txt" || acted.Downloads[0].URL != "data:" || acted.Navigated != "" {
		t.Errorf("a download: %s", shared.Dump(acted))
	}
	for _, id := range []string{"nothing", "writes"} {
		if acted := w.click("#" + id); shared.Dump(acted) != `{"element":"button \"`+id+`\""}` {
			t.Errorf("%s: %s", id, shared.Dump(acted))
		}
	}
}

// A click whose handler opens a dialog is over for its caller at once, and what came of it is available once it was
// answered.
func TestAClickThatOpensADialogIsResumed(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<button onclick="if (confirm('go?')) location = '/next'">go</button>`,
		"/next": `<p>next`,
	}, host.TaskOptions{})
	w.open("/page")
	_, err := w.Tab("").Click(w.ctx, host.BySelector("button"), nil)
	var blocked *host.BlockedError
	if !errors.As(err, &blocked) || blocked.CallID == "" || blocked.Dialogs[0].Message != "go?" {
		t.Fatalf("the click: %v", err)
	}
	_, err = w.Tab("").Click(w.ctx, host.BySelector("button"), nil)
	if !errors.As(err, &blocked) || blocked.CallID != "" {
		t.Fatalf("a click while the dialog is open: %v", err)
	}
	errors.As(err, &blocked)
	w.answer(host.DialogResponse{Accept: true})
	r, err := w.Resume(w.ctx, "c-1")
	if err != nil {
		t.Fatal(err)
	}
	acted, ok := r.Value.(host.ActionResult)
	if !ok || acted.Navigated != w.url("localhost", "/next") || len(acted.Dialogs) != 1 || acted.Dialogs[0].ClosedBy != "agent" {
		t.Fatalf("the result: %s", shared.Dump(r))
	}
}

func TestADismissedBeforeunloadStaysOnThePageAndSaysSo(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<a href="/next">next</a><button>touch</button><script>onbeforeunload = e => e.preventDefault()</script>`,
		"/next": `<p>next`,
	}, host.TaskOptions{})
	for name, act := range map[string]func() error{
		"a click": func() error { _, err := w.Tab("").Click(w.ctx, host.BySelector("a"), nil); return err },
		"reload":  func() error { _, err := w.Tab("").Reload(w.ctx); return err },
		"load": func() error {
			_, err := w.Tab("").Navigate(w.ctx, w.url("localhost", "/next"), nil)
			return err
		},
	} {
		w.open("/page")
		w.click("button") // pages that nobody touched are not asked
		err := act()
		var blocked *host.BlockedError
		if !errors.As(err, &blocked) || blocked.CallID == "" || blocked.Dialogs[0].Type != "beforeunload" {
			t.Fatalf("%s: %v", name, err)
		}
		w.answer(host.DialogResponse{Accept: false})
		r, err := w.Resume(w.ctx, blocked.CallID)
		if name == "load" {
			if !errors.Is(err, host.ErrNavigate) || !strings.Contains(err.Error(), "so the page stays") {
				t.Errorf("%s: %s, %v", name, shared.Dump(r), err)
			}
		} else if acted, _ := r.Value.(host.ActionResult); err != nil || !strings.Contains(acted.NotNavigated, "so the page stays") || acted.Navigated != "" {
			t.Errorf("%s: %s, %v", name, shared.Dump(r), err)
		}
		want(t, "the page", w.evaluate("location.pathname"), `"/page"`)
		w.evaluate("onbeforeunload = null; 0")
	}
}

func TestAStuckFrameDoesNotDelayClicksInItsParent(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<button onclick="report('clicked', 1)">b</button><iframe src="{{127.0.0.1}}/stuck"></iframe>`,
		// It spins again when it was ended: a script of ours that was waiting in its queue takes it along.
		"/stuck": `<p class=in-stuck>stuck<script>report("stuck"); const spin = () => { setTimeout(spin); for (;;); }; setTimeout(spin, 50)</script>`,
	}, host.TaskOptions{})
	w.open("/page")
	w.reported("stuck")
	frame := w.Snapshot().Page().RawFrameTree.Children[0].FrameID
	waitUntil(t, "the frame that spins", func() bool {
		_, err := w.Tab("").Evaluate(within(t, w.ctx, 200*time.Millisecond), "1", &host.EvaluateOptions{Locator: host.InFrame(frame)})
		return errors.Is(err, host.ErrRendererBusy)
	})
	_, err := w.Tab("").Click(within(t, w.ctx, 300*time.Millisecond), host.Locator{Selector: "p", FrameID: frame}, nil)
	if host.CodeOf(err) != host.ErrRendererBusy && host.CodeOf(err) != host.ErrTimeout {
		t.Errorf("a click in the stuck frame: %v", err)
	}
	for range 3 {
		w.click("button")
	}
	w.reported("clicked")
	_, err = w.Tab("").Click(within(t, w.ctx, 4*time.Second), host.BySelector(".in-stuck"), nil)
	if !errors.Is(err, host.ErrRendererBusy) {
		t.Errorf("a search of all frames that ends in the stuck one: %v", err)
	}
	text, err := w.Tab("").Text(w.ctx, nil)
	if err != nil || text.Text != "b" || len(text.Unresponsive) != 1 || text.Unresponsive[0] != frame || !text.Untrusted {
		t.Errorf("the text: %s, %v", shared.Dump(text), err)
	}
}

// An operation goes on asking a document that does not answer while there is time: it may only have much to do.
func TestASelectorIsSoughtInADocumentThatIsBusyForAWhile(t *testing.T) {
	const busy = `<button class=KIND onclick="report('clicked KIND')">b</button><script>onmessage = () => {
		const r = new XMLHttpRequest(); r.open("POST", "/report/spins", false); r.send("1");
		for (const end = performance.now() + 2500; performance.now() < end;);
	}</script>`
	w := newWorldAlone(t, map[string]string{
		"/page":  strings.ReplaceAll(busy, "KIND", "top") + `<iframe src="{{127.0.0.1}}/frame"></iframe>`,
		"/frame": strings.ReplaceAll(busy, "KIND", "frame"),
	}, host.TaskOptions{})
	for kind, window := range map[string]string{"top": "window", "frame": "frames[0]"} {
		w.open("/page")
		if err := w.Tab("").Wait(w.ctx, host.Locator{Selector: ".frame"}, host.WaitVisible); err != nil {
			t.Fatal(err)
		}
		w.evaluate("setTimeout(() => " + window + ".postMessage(0, '*')), 0")
		w.reported("spins")
		w.click("." + kind)
		w.reported("clicked " + kind)
	}
}

func TestAClickInAPopupAndOneThatClosesIt(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page":  `<button onclick="window.open('/popup', '', 'width=300,height=300')">open</button>`,
		"/popup": `<button id=says onclick="report('popup', event.isTrusted)">says</button><button id=closes onclick="window.close()">closes</button>`,
	}, host.TaskOptions{})
	w.open("/page")
	tab := w.click("button").NewTabs[0]
	if !tab.Popup || tab.Handle != "t2" {
		t.Fatalf("the popup: %s", shared.Dump(tab))
	}
	if err := w.Tab(tab.Handle).Wait(w.ctx, host.Locator{Selector: "#closes"}, host.WaitVisible); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Tab(tab.Handle).Click(w.ctx, host.BySelector("#says"), nil); err != nil {
		t.Fatal(err)
	}
	want(t, "the event", w.reported("popup"), "true")
	acted, err := w.Tab(tab.TargetID).Click(w.ctx, host.BySelector("#closes"), nil)
	if err != nil || !acted.TabClosed {
		t.Fatalf("closing: %s, %v", shared.Dump(acted), err)
	}
	_, err = w.Tab(tab.Handle).Click(w.ctx, host.BySelector("#says"), nil)
	wantError(t, err, host.ErrUnknownTarget)
	w.click("button") // in the opener, which was in the background
	want(t, "the next handle", w.Tabs()[1].ID(), "t3")
}

// A form with such a field is not sent, and only a hint that the browser draws says so.
func TestAFieldThatTheBrowserDoesNotAcceptIsTold(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<form onsubmit="event.preventDefault(); sent = true"><label for=mail>E-mail</label><input id=mail type=email required>
		<label>Age <input id=age type=number min=18></label><button>Send</button></form>
		<form novalidate onsubmit="event.preventDefault()"><input required><button id=any>Any</button></form>
		<iframe srcdoc="<form><input required aria-label='In a frame'><button>Send</button></form>"></iframe>`}, host.TaskOptions{})
	w.open("/page")
	tab := w.Tab("")
	click := func(selector string) func() (host.ActionResult, error) {
		return func() (host.ActionResult, error) { return tab.Click(w.unhurried(), host.BySelector(selector), nil) }
	}
	typed := func(selector, text string, submit bool) func() (host.ActionResult, error) {
		return func() (host.ActionResult, error) {
			return tab.Type(w.unhurried(), host.BySelector(selector), text, &host.TypeOptions{Submit: submit})
		}
	}
	frame := w.Snapshot().Page().RawFrameTree.Children[0].FrameID
	for _, step := range []struct {
		name string
		does func() (host.ActionResult, error)
		note string
	}{
		{"an empty field", click("form button"), `the browser did not accept the field "E-mail": "Please fill out`},
		{"a wrong one, by Enter", typed("#mail", "nobody", true), `the browser did not accept the field "E-mail": "Please include an '@'`},
		{"typing alone", typed("#mail", "a@b.example", false), ""},
		{"another one", typed("#age", "5", true), `the browser did not accept the field "Age": "Value must be`},
		{"what is not checked", click("#any"), ""},
		{"in a frame", func() (host.ActionResult, error) {
			return tab.Click(w.unhurried(), host.BySelector("button").In(frame), nil)
		}, `the browser did not accept the field "In a frame"`},
		{"a right one", typed("#age", "20", true), ""},
	} {
		acted, err := step.does()
		if err != nil || !strings.HasPrefix(acted.Note, step.note) || step.note == "" && acted.Note != "" {
			t.Errorf("%s: the note is %s, %v", step.name, acted.Note, err)
		}
	}
	want(t, "sent", w.evaluate("sent"), "true")
}
