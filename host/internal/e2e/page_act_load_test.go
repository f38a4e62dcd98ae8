package e2e

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// A page that adds an entry whenever it is gone back from is still shown, and the result must not say otherwise.
func TestBackSaysThatAPageHasPutItselfInFrontAgain(t *testing.T) {
	trap := func(how string) string {
		return `<script>history.pushState(0, "", "");
onpopstate = () => { const again = () => history.pushState(0, "", ""); ` + how + ` }</script>`
	}
	w := newWorld(t, map[string]string{
		"/first": "<title>First</title>", "/at-once": trap("again()"), "/later": trap("setTimeout(again)"), "/routes": trap(""),
	}, host.TaskOptions{})
	first := w.url("localhost", "/first")
	for _, path := range []string{"/at-once", "/later"} {
		w.open("/first")
		w.open(path)
		r, err := w.Tab("").Back(w.ctx)
		if err != nil || r.Navigated != "" || !strings.Contains(r.NotNavigated, "put itself in front again") || !strings.Contains(r.NotNavigated, "navigate to "+first) {
			t.Errorf("%s: %s, %v", path, shared.Dump(r), err)
		}
	}
	// A page that only changes its URL is gone back in, and then from.
	w.open("/first")
	w.open("/routes")
	for _, path := range []string{"/routes", "/first"} {
		r, err := w.Tab("").Back(w.ctx)
		if err != nil || r.NotNavigated != "" || r.Document == nil || r.Document.URL != w.url("localhost", path) {
			t.Errorf("back to %s: %s, %v", path, shared.Dump(r), err)
		}
	}
}

// A frame that is gone back in has its entries in the history of the page, which has none to go forward to itself.
func TestBackInAFrameIsNoReturnOfThePage(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<iframe name=f src="/one"></iframe>`, "/one": "<p>one", "/two": `<p>two<script>top.postMessage("two", "*")</script>`,
	}, host.TaskOptions{})
	w.open("/page")
	for range 3 {
		w.evaluate(`new Promise(done => { onmessage = done; f.location = "/two" }).then(() => 0)`)
		r, err := w.Tab("").Back(w.ctx)
		if err != nil || r.NotNavigated != "" {
			t.Fatalf("%s, %v", shared.Dump(r), err)
		}
		want(t, "the frame", w.evaluate("f.location.pathname"), `"/one"`)
	}
}

func TestLoadGivesStatusAndWaits(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<script>document.title = "The page"</script><img src="/slow.js">`, "/slow.js": "0", "/plain": `<p>plain`,
		"/chatty": `<script>fetch("/slow.js").then(() => report("fetched"))</script>`,
	}, host.TaskOptions{})
	load := func(path string, until host.WaitUntil) host.Document {
		t.Helper()
		loaded, err := w.Tab("").Navigate(w.ctx, w.url("localhost", path), &host.NavigateOptions{WaitUntil: until})
		if err != nil {
			t.Fatalf("load %s until %s: %v", path, until, err)
		}
		return loaded
	}
	release := w.hold("/slow.js")
	loaded := load("/page", host.WaitDOMContentLoaded)
	want(t, "the title", loaded.Title, "The page")
	want(t, "the address", loaded.URL, w.url("localhost", "/page"))
	want(t, "the status", loaded.HTTPStatus, 200)
	load("/page", host.WaitCommit)
	var err error
	// A busy machine may need more until the page is asked for.
	for limit := 2 * time.Second; limit < time.Minute; limit *= 3 {
		if _, err = w.Tab("").Navigate(within(t, w.ctx, limit), w.url("localhost", "/page"), nil); !errors.Is(err, host.ErrRendererBusy) {
			break
		}
	}
	wantError(t, err, host.ErrTimeout)
	release()
	want(t, "a page that is not there", load("/nowhere", "").HTTPStatus, 404)
	load("/chatty", host.WaitNetworkIdle)
	if !w.hasReported("fetched") {
		t.Error("the network was not idle")
	}
	load("/plain", host.WaitNetworkIdle)
	acted, err := w.Tab("t1").Back(w.ctx)
	if err != nil || acted.Navigated != w.url("localhost", "/chatty") {
		t.Errorf("back: %s, %v", shared.Dump(acted), err)
	}
	acted, err = w.Tab("").Forward(w.ctx)
	if err != nil || acted.Navigated != w.url("localhost", "/plain") {
		t.Errorf("forward: %s, %v", shared.Dump(acted), err)
	}
	acted, err = w.Tab("").Reload(w.ctx)
	if err != nil || acted.Navigated != w.url("localhost", "/plain") {
		t.Errorf("reload: %s, %v", shared.Dump(acted), err)
	}
	_, err = w.Tab("").Forward(w.ctx)
	wantError(t, err, host.ErrNavigate)
	_, err = w.Tab("").Navigate(w.ctx, w.url("localhost", "/plain"), &host.NavigateOptions{WaitUntil: "never"})
	wantError(t, err, host.ErrBadArguments)
	_, err = w.Tab("").Navigate(w.ctx, "http://localhost:1/", nil)
	wantError(t, err, host.ErrNavigate)
	_, err = w.Tab("").Navigate(w.ctx, "data:application/zip,xyz", nil)
	if !errors.Is(err, host.ErrNavigate) || !strings.Contains(err.Error(), "download") {
		t.Errorf("a download: %v", err)
	}
}

// What a document asks the network for when it is complete comes after the browser could have taken it for idle, as the
// document before was.
func TestTheDocumentBeforeIsNoSignThatTheNetworkIsIdle(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/plain": `<p>plain`, "/late": `<body><script>addEventListener("load", () => fetch("/slow.js"))</script>`, "/slow.js": "0",
	}, host.TaskOptions{})
	idle := host.NavigateOptions{WaitUntil: host.WaitNetworkIdle}
	for _, site := range []string{"localhost", "127.0.0.1"} {
		if _, err := w.Tab("").Navigate(w.ctx, w.url("localhost", "/plain"), &idle); err != nil {
			t.Fatal(err)
		}
		release := w.hold("/slow.js")
		_, err := w.Tab("").Navigate(within(t, w.ctx, shared.Patience(2*time.Second)), w.url(site, "/late"), &host.NavigateOptions{WaitUntil: host.WaitNetworkIdle})
		wantError(t, err, host.ErrTimeout)
		release()
		if _, err := w.Tab("").Navigate(w.ctx, w.url(site, "/late"), &idle); err != nil {
			t.Error(err)
		}
	}
}

func TestTabsHaveHandles(t *testing.T) {
	w := newWorld(t, map[string]string{"/a": `<script>document.title = "A"</script>`}, host.TaskOptions{})
	second, err := w.OpenTab(w.ctx, w.url("localhost", "/a"))
	if err != nil || second.ID() != "t2" {
		t.Fatalf("open: %s, %v", second.ID(), err)
	}
	loaded, err := w.Tab("t2").Navigate(w.ctx, w.url("127.0.0.1", "/a"), nil)
	if err != nil || loaded.Title != "A" {
		t.Fatalf("load: %s, %v", shared.Dump(loaded), err)
	}
	if err := w.Tab("t1").Focus(w.ctx); err != nil {
		t.Fatal(err)
	}
	if err := w.Tab("t2").Close(w.ctx); err != nil {
		t.Fatal(err)
	}
	third, err := w.OpenTab(w.ctx, "")
	if err != nil || third.ID() != "t3" {
		t.Fatalf("open: %s, %v", third.ID(), err)
	}
	handles := ""
	for _, tab := range w.Tabs() {
		handles += tab.ID() + " "
	}
	want(t, "the handles", handles, "t1 t3 ")
	for _, tab := range []string{"t2", "t9", "NOSUCHTAB"} {
		wantError(t, w.Tab(tab).Close(w.ctx), host.ErrUnknownTarget)
	}
}

func TestDownloadKeepsTheFile(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<a id=file href="data:text/plain,hello" download="../we:ird\na.txt">file</a><a id=none href="#x">none</a>`,
	}, host.TaskOptions{})
	w.open("/page")
	dir := t.TempDir()
	for _, name := range []string{"", " (1)"} {
		file, err := w.Tab("").Download(w.ctx, host.BySelector("#file"), dir)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file.Path)
		if err != nil || string(text) != "hello" || file.Bytes != 5 || file.State != host.DownloadComplete || !strings.HasSuffix(file.Path, name+".txt") {
			t.Errorf("the file: %s, %q, %v", shared.Dump(file), text, err)
		}
	}
	waitUntil(t, "a directory with no more than the files", func() bool {
		entries, err := os.ReadDir(dir)
		return err == nil && len(entries) == 2
	})
	_, err := w.Tab("").Download(w.ctx, host.BySelector("#file"), dir+"/none")
	wantError(t, err, host.ErrBadArguments)
	limit := min(shared.Patience(4*time.Second).Round(time.Second), 8*time.Second) // a download begins within ten
	_, err = w.Tab("").Download(within(t, w.ctx, limit), host.BySelector("#none"), dir)
	wantError(t, err, host.ErrTimeout)
	wantError(t, err, host.ErrDownload)
	var stopped *host.StoppedError
	if !errors.As(err, &stopped) || !stopped.Sent || stopped.Limit.Round(time.Second) != limit || !strings.Contains(err.Error(), "the click was delivered") {
		t.Errorf("the error does not say that there was a click: %v", err)
	}
}

func TestWaitForAnElementOrAText(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<iframe src="{{127.0.0.1}}/frame"></iframe><p id=here>here</p>`,
		"/frame": `<script>report("ready")
const p = Object.assign(document.createElement("p"), {id: "late", textContent: "late text", hidden: true})
function soon(change) { setTimeout(change, 100) }</script>`,
	}, host.TaskOptions{})
	w.open("/page")
	w.reported("ready")
	frame := w.Snapshot().Page().RawFrameTree.Children[0].FrameID
	for _, step := range []struct {
		change string
		what   host.Locator
		state  host.WaitState
	}{
		{"document.body.append(p)", host.BySelector("#late"), host.WaitAttached},
		{"p.hidden = false", host.BySelector("#late"), host.WaitVisible},
		{"p.hidden = true", host.BySelector("#late"), host.WaitHidden},
		{"p.hidden = false", host.ByText("late  text"), host.WaitVisible},
		{"p.textContent = ''", host.ByText("late text"), host.WaitHidden},
		{"p.remove()", host.BySelector("#late").In(frame), host.WaitDetached},
	} {
		if _, err := w.Tab("").Evaluate(w.ctx, "soon(() => { "+step.change+" })", &host.EvaluateOptions{Locator: host.InFrame(frame)}); err != nil {
			t.Fatal(err)
		}
		if err := w.Tab("").Wait(w.ctx, step.what, step.state); err != nil {
			t.Fatalf("%s: %v", step.change, err)
		}
	}
	err := w.Tab("").Wait(within(t, w.ctx, 200*time.Millisecond), host.BySelector("#never"), host.WaitVisible)
	if !errors.Is(err, host.ErrTimeout) || err.Error() != `the selector "#never" did not become visible in time` {
		t.Errorf("what never comes: %v", err)
	}
	for what, state := range map[host.Locator]host.WaitState{
		{}: host.WaitVisible, {Selector: "p", Text: "x"}: host.WaitVisible, host.BySelector("p"): "there",
		host.ByText("x"): host.WaitAttached, host.BySelector(":::"): host.WaitVisible,
	} {
		wantError(t, w.Tab("").Wait(w.ctx, what, state), host.ErrBadArguments)
	}
	wantError(t, w.Tab("").Wait(w.ctx, host.ByRef("e1"), host.WaitHidden), host.ErrUnknownRef)
}

// The browser answers the navigation that turned out to be a download, and tells of the download on its own time.
func TestANavigationNamesTheDownloadThatIsToldOfLate(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	p := newProxy(t, w.address)
	desk := httptest.NewServer(http.HandlerFunc(serveDesk))
	t.Cleanup(desk.Close)
	task := w.attachVia(p, "late")
	p.delay(toHost, `"Page.downloadWillBegin"`)
	ended := make(chan error, 1)
	go func() {
		_, err := task.Tab("").Navigate(w.ctx, desk.URL+"/file", nil)
		ended <- err
	}()
	waitUntil(t, "the download", p.delays)
	for range 4 { // gives the navigation time to end
		if _, err := task.Tab("").Evaluate(w.ctx, "1", nil); err != nil {
			t.Fatal(err)
		}
	}
	p.release(t)
	if err := <-ended; !errors.Is(err, host.ErrNavigate) || !strings.Contains(err.Error(), `a download of "x.txt"`) {
		t.Errorf("got %v", err)
	}
}
