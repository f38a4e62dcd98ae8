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

func TestLoadGivesStatusAndWaits(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<script>document.title = "The page"</script><img src="/slow.js">`, "/slow.js": "0", "/plain": `<p>plain`,
		"/chatty": `<script>fetch("/slow.js").then(() => report("fetched"))</script>`,
	}, host.TaskOptions{})
	load := func(path string, until host.WaitUntil) host.Document {
		t.Helper()
		loaded, err := w.Load(w.ctx, w.url("localhost", path), host.NavigateOptions{WaitUntil: until})
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
		if _, err = w.Load(w.ctx, w.url("localhost", "/page"), host.NavigateOptions{Timeout: limit}); !errors.Is(err, host.ErrRendererBusy) {
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
	acted, err := w.Back(w.ctx, "t1", host.ActionOptions{})
	if err != nil || acted.Navigated != w.url("localhost", "/chatty") {
		t.Errorf("back: %s, %v", shared.Dump(acted), err)
	}
	acted, err = w.Forward(w.ctx, "", host.ActionOptions{})
	if err != nil || acted.Navigated != w.url("localhost", "/plain") {
		t.Errorf("forward: %s, %v", shared.Dump(acted), err)
	}
	acted, err = w.Reload(w.ctx, "", host.ActionOptions{})
	if err != nil || acted.Navigated != w.url("localhost", "/plain") {
		t.Errorf("reload: %s, %v", shared.Dump(acted), err)
	}
	_, err = w.Forward(w.ctx, "", host.ActionOptions{})
	wantError(t, err, host.ErrNavigate)
	_, err = w.Load(w.ctx, w.url("localhost", "/plain"), host.NavigateOptions{WaitUntil: "never"})
	wantError(t, err, host.ErrBadCall)
	_, err = w.Load(w.ctx, "http://localhost:1/", host.NavigateOptions{})
	wantError(t, err, host.ErrNavigate)
	_, err = w.Load(w.ctx, "data:application/zip,xyz", host.NavigateOptions{})
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
		if _, err := w.Load(w.ctx, w.url("localhost", "/plain"), idle); err != nil {
			t.Fatal(err)
		}
		release := w.hold("/slow.js")
		_, err := w.Load(w.ctx, w.url(site, "/late"), host.NavigateOptions{WaitUntil: host.WaitNetworkIdle, Timeout: 2 * time.Second})
		wantError(t, err, host.ErrTimeout)
		release()
		if _, err := w.Load(w.ctx, w.url(site, "/late"), idle); err != nil {
			t.Error(err)
		}
	}
}

func TestTabsHaveHandles(t *testing.T) {
	w := newWorld(t, map[string]string{"/a": `<script>document.title = "A"</script>`}, host.TaskOptions{})
	second, err := w.OpenTab(w.ctx, w.url("localhost", "/a"))
	if err != nil || second.Handle != "t2" {
		t.Fatalf("open: %s, %v", shared.Dump(second), err)
	}
	loaded, err := w.Load(w.ctx, w.url("127.0.0.1", "/a"), host.NavigateOptions{TargetID: "t2"})
	if err != nil || loaded.Title != "A" {
		t.Fatalf("load: %s, %v", shared.Dump(loaded), err)
	}
	if _, err := w.FocusTab(w.ctx, "t1"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.CloseTab(w.ctx, "t2"); err != nil {
		t.Fatal(err)
	}
	third, err := w.OpenTab(w.ctx, "")
	if err != nil || third.Handle != "t3" {
		t.Fatalf("open: %s, %v", shared.Dump(third), err)
	}
	handles := ""
	for _, tab := range w.Tabs() {
		handles += tab.Handle + " "
	}
	want(t, "the handles", handles, "t1 t3 ")
	for _, tab := range []string{"t2", "t9", "NOSUCHTAB"} {
		_, err := w.CloseTab(w.ctx, tab)
		wantError(t, err, host.ErrUnknownTarget)
	}
}

func TestDownloadKeepsTheFile(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<a id=file href="data:text/plain,hello" download="../we:ird\na.txt">file</a><a id=none href="#x">none</a>`,
	}, host.TaskOptions{})
	w.open("/page")
	dir := t.TempDir()
	for _, name := range []string{"", " (1)"} {
		file, err := w.Download(w.ctx, host.DownloadOptions{Locator: host.Locator{Selector: "#file"}, Dir: dir})
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
	_, err := w.Download(w.ctx, host.DownloadOptions{Locator: host.Locator{Selector: "#file"}, Dir: dir + "/none"})
	wantError(t, err, host.ErrBadCall)
	_, err = w.Download(w.ctx, host.DownloadOptions{Locator: host.Locator{Selector: "#none"}, Dir: dir, Timeout: 4 * time.Second})
	wantError(t, err, host.ErrTimeout)
	wantError(t, err, host.ErrDownload)
	var stopped *host.StoppedError
	if !errors.As(err, &stopped) || !stopped.Sent || stopped.Limit != 4*time.Second || !strings.Contains(err.Error(), "the click was delivered") {
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
		await  host.WaitOptions
	}{
		{"document.body.append(p)", host.WaitOptions{Selector: "#late", State: host.WaitAttached}},
		{"p.hidden = false", host.WaitOptions{Selector: "#late"}},
		{"p.hidden = true", host.WaitOptions{Selector: "#late", State: host.WaitHidden}},
		{"p.hidden = false", host.WaitOptions{Text: "late  text"}},
		{"p.textContent = ''", host.WaitOptions{Text: "late text", State: host.WaitHidden}},
		{"p.remove()", host.WaitOptions{Selector: "#late", State: host.WaitDetached, FrameID: frame}},
	} {
		if _, err := w.Evaluate(w.ctx, "soon(() => { "+step.change+" })", host.EvaluateOptions{FrameID: frame}); err != nil {
			t.Fatal(err)
		}
		if err := w.WaitFor(w.ctx, step.await); err != nil {
			t.Fatalf("%s: %v", step.change, err)
		}
	}
	err := w.WaitFor(w.ctx, host.WaitOptions{Selector: "#never", Timeout: 200 * time.Millisecond})
	if !errors.Is(err, host.ErrTimeout) || err.Error() != `the selector "#never" did not become visible in time` {
		t.Errorf("what never comes: %v", err)
	}
	for _, o := range []host.WaitOptions{{}, {Selector: "p", Text: "x"}, {Selector: "p", State: "there"}, {Text: "x", State: host.WaitAttached}, {Selector: ":::"}} {
		wantError(t, w.WaitFor(w.ctx, o), host.ErrBadCall)
	}
}

// The browser answers the navigation that turned out to be a download, and tells of the download on its own time.
func TestANavigationNamesTheDownloadThatIsToldOfLate(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	p := newProxy(t, w.address)
	desk := httptest.NewServer(http.HandlerFunc(serveDesk))
	t.Cleanup(desk.Close)
	task := w.attachVia(p, "late")
	p.delay(`"Page.downloadWillBegin"`, "the download begins")
	ended := make(chan error, 1)
	go func() {
		_, err := task.Load(w.ctx, desk.URL+"/file", host.NavigateOptions{})
		ended <- err
	}()
	waitUntil(t, "the download", p.delays)
	// The first ones give the navigation time to end.
	for _, expression := range []string{"1", "2", "3", "'the download' + ' begins'"} {
		if _, err := task.Evaluate(w.ctx, expression, host.EvaluateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-ended; !errors.Is(err, host.ErrNavigate) || !strings.Contains(err.Error(), `a download of "x.txt"`) {
		t.Errorf("got %v", err)
	}
}
