package e2e

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// hangs is longer than it takes to ask a server, and less than a call waits for its answer before it says so.
const hangs = 4 * time.Second

func TestAFrameOfAnotherProcessAnswersWhileItsTabIsLoading(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<iframe src="{{127.0.0.1}}/inner"></iframe><a id=next href="/next">next</a>`, "/inner": `<p>inner`, "/next": `<p>next`}, host.TaskOptions{})
	w.open("/page")
	frame := w.Snapshot().Page().RawFrameTree.Children[0].FrameID
	defer w.hold("/next")()
	acted, err := w.Tab("").Click(w.ctx, host.BySelector("#next"), nil)
	if err != nil || acted.Navigating != w.url("localhost", "/next") {
		t.Fatalf("the click: %s, %v", shared.Dump(acted), err)
	}
	_, err = w.Tab("").Evaluate(w.ctx, "1", nil)
	var loading *host.LoadingError
	if !errors.As(err, &loading) || loading.URL != acted.Navigating || host.CodeOf(err) != host.ErrLoading || !errors.Is(err, host.ErrRendererBusy) {
		t.Errorf("the page: %v", err)
	}
	value, err := w.Tab("").Evaluate(w.ctx, "document.body.innerText", &host.EvaluateOptions{Locator: host.InFrame(frame)})
	if err != nil || string(value.Value) != `"inner"` {
		t.Errorf("the frame: %s, %v", value.Value, err)
	}
	stored := w.raw(host.CDPCall{Method: "Page.getNavigationHistory"}) // what the browser itself answers goes on
	want(t, "the entry", stored["entries"] != nil, true)
}

// The page announces the release of a button in a message of its own, which can come after the reply to it. What the
// page is asked instead is held back once the click has begun a load.
func TestAClickThatLeavesThePageDoesNotWaitForItsRelease(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	p := newProxy(t, address)
	w := newWorldOn(t, p.address, host.Options{}, map[string]string{"/page": `<a id=next href="/next">next</a>`, "/next": `<p>next`}, host.TaskOptions{})
	w.open("/page")
	defer w.hold("/next")()
	p.delay(toHost, ` let go"`)
	acted, err := w.Tab("").Click(within(t, w.ctx, shared.Patience(time.Minute)), host.BySelector("#next"), nil)
	if err != nil || acted.Navigating != w.url("localhost", "/next") {
		t.Errorf("the click: %s, %v", shared.Dump(acted), err)
	}
	p.release(t) // it was held back
}

func TestAReloadAndAStepBackThatAreOutOfTimeAreStopped(t *testing.T) {
	for name, move := range map[string]func(context.Context, host.Tab) (host.ActionResult, error){
		"reload": func(ctx context.Context, tab host.Tab) (host.ActionResult, error) { return tab.Reload(ctx) },
		"back":   func(ctx context.Context, tab host.Tab) (host.ActionResult, error) { return tab.Back(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			// A page that has opened a window is not kept for a step back, and what must not be stored is asked for again.
			w := newWorld(t, nil, host.TaskOptions{})
			w.Handle("/page", func(answer http.ResponseWriter, _ *http.Request) {
				answer.Header().Set("Cache-Control", "no-store")
				answer.Header().Set("Content-Type", "text/html")
			})
			w.open("/page?first")
			w.evaluateIn("t1", "opened = open('/page'); 0")
			w.open("/page")
			release := w.hold("/page")
			defer release()
			_, err := move(within(t, w.ctx, hangs), w.Tab(""))
			address := w.url("localhost", "/page")
			if !errors.Is(err, host.ErrTimeout) || !strings.Contains(err.Error(), address) || !strings.Contains(err.Error(), "has not answered, so its load was stopped") {
				t.Errorf("%s does not say what was stopped: %v", name, err)
			}
			want(t, "the page that stays", w.evaluate("location.href"), shared.Dump(address))
		})
	}
}

// A navigation whose time ends stops its own load, not that of one that has begun since.
func TestANavigationThatIsOutOfTimeLeavesTheNextOneAlone(t *testing.T) {
	w := newWorld(t, map[string]string{"/half": `<img src="/image">`, "/image": "", "/next": `<p>next`}, host.TaskOptions{})
	defer w.hold("/image")()
	release := w.hold("/next")
	defer release()
	first, second := make(chan error, 1), make(chan error, 1)
	ctx := within(t, w.ctx, hangs)
	go func() {
		_, err := w.Tab("").Navigate(ctx, w.url("localhost", "/half"), nil)
		first <- err
	}()
	w.visited("/image", 1)
	go func() { second <- commit(w.ctx, w.Tab(""), w.url("localhost", "/next")) }()
	w.visited("/next", 1)
	if err := <-first; err == nil {
		t.Error("the first navigation has loaded an image that never came")
	}
	release()
	if err := <-second; err != nil {
		t.Errorf("the second navigation: %v", err)
	}
	want(t, "the page", w.evaluate("location.pathname"), `"/next"`)
}
