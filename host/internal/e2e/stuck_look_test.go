package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// spinsLoudly is script that tells that it has begun, and never ends.
const spinsLoudly = `const r = new XMLHttpRequest(); r.open('POST', '/report/spins', false); r.send('1'); while (true) {}`

// stick makes the main thread of the first tab spin for good in a script of the page's own.
func (w *world) stick() {
	w.t.Helper()
	w.start(spinsLoudly)
	w.reported("spins")
}

// terminations are the scripts that the host has ended.
func (w *world) terminations() uint64 { return w.host.Counters().Evaluate.Terminations }

// lookLimit is that of a call that is told that its page is stuck, before it is over: time enough to find the page, and
// to ask.
const lookLimit = 5 * actLimit

func TestAPageThatWasStuckBeforeIsToldAndLeftAlone(t *testing.T) {
	w := newWorldAlone(t, map[string]string{"/page": `<button id=b>b</button><input id=i>`}, host.TaskOptions{})
	w.open("/page")
	w.stick()
	var looks sync.WaitGroup
	for name, look := range map[string]func() error{
		"a click": func() error {
			_, err := w.Tab("").Click(within(t, w.ctx, lookLimit), host.BySelector("#b"), nil)
			return err
		},
		"typing": func() error {
			_, err := w.Tab("").Type(within(t, w.ctx, lookLimit), host.BySelector("#i"), "a", nil)
			return err
		},
		"a key": func() error {
			_, err := w.Tab("").Press(within(t, w.ctx, lookLimit), "a", nil)
			return err
		},
		"scrolling": func() error {
			_, err := w.Tab("").Scroll(within(t, w.ctx, lookLimit), nil)
			return err
		},
		"waiting for an element": func() error {
			return w.Tab("").Wait(within(t, w.ctx, lookLimit), host.BySelector("#nothing"), host.WaitVisible)
		},
		"waiting for a text": func() error {
			return w.Tab("").Wait(within(t, w.ctx, lookLimit), host.ByText("nothing"), host.WaitVisible)
		},
		"its text": func() error {
			_, err := w.Tab("").Text(within(t, w.ctx, lookLimit), nil)
			return err
		},
		"a picture": func() error {
			_, err := w.Tab("").Screenshot(within(t, w.ctx, lookLimit), nil)
			return err
		},
		"its images": func() error {
			_, err := w.Tab("").Images(within(t, w.ctx, lookLimit))
			return err
		},
		"an expression": func() error {
			_, err := w.Tab("").Evaluate(within(t, w.ctx, lookLimit), "1", nil)
			return err
		},
		"a raw expression": func() error {
			_, err := w.CDP(within(t, w.ctx, lookLimit), host.CDPCall{Method: "Runtime.evaluate", Params: params("expression", "1")})
			return err
		},
	} {
		looks.Go(func() {
			err := look()
			if !errors.Is(err, host.ErrRendererBusy) || host.CodeOf(err) != host.ErrRendererBusy || !strings.Contains(err.Error(), "Runtime.terminateExecution") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	looks.Wait()
	if r, err := w.Tab("").Read(within(t, w.ctx, lookLimit), nil); err != nil || !r.Stale {
		t.Errorf("reading it: %s, %v", shared.Dump(r), err)
	}
	want(t, "scripts that were ended", w.terminations(), 0)
	w.raw(host.CDPCall{Method: "Runtime.terminateExecution"})
	want(t, "the tab once its script was ended", w.evaluate("1 + 1"), "2")
}

func TestAStuckPageCanBeLeft(t *testing.T) {
	for name, leave := range map[string]func(w *world) error{
		"for one of its site": func(w *world) error {
			_, err := w.Tab("").Navigate(w.ctx, w.url("localhost", "/empty"), nil)
			return err
		},
		"for one of another site": func(w *world) error {
			_, err := w.Tab("").Navigate(w.ctx, w.url("127.0.0.1", "/empty"), nil)
			return err
		},
		"for none": func(w *world) error {
			_, err := w.Tab("").Navigate(w.ctx, "about:blank", nil)
			return err
		},
		"by Navigate": func(w *world) error { return commit(w.ctx, w.Tab(""), w.url("localhost", "/empty")) },
		"by raw CDP": func(w *world) error {
			_, err := w.CDP(w.ctx, host.CDPCall{Method: "Page.navigate", Params: params("url", w.url("localhost", "/empty"))})
			return err
		},
		"back": func(w *world) error {
			_, err := w.Tab("").Back(w.ctx)
			return err
		},
		"by loading it again": func(w *world) error {
			_, err := w.Tab("").Reload(w.ctx)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorldAlone(t, map[string]string{"/page": `<p>page`}, host.TaskOptions{})
			w.open("/empty")
			w.open("/page")
			w.stick()
			if err := leave(w); err != nil {
				t.Fatal(err)
			}
			w.usable()
		})
	}
	t.Run("by closing its tab", func(t *testing.T) {
		w := newWorldAlone(t, nil, host.TaskOptions{})
		w.open("/empty")
		w.stick()
		other, err := w.OpenTab(w.ctx, w.url("localhost", "/empty"))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Tab("t1").Close(w.ctx); err != nil {
			t.Fatal(err)
		}
		want(t, "the other tab", w.evaluateIn(other.ID(), "1 + 1"), "2")
	})
}

func TestAPageThatSpinsFromItsBeginningIsToldAndCanBeLeft(t *testing.T) {
	w := newWorldAlone(t, stuckPages, host.TaskOptions{})
	w.open("/empty")
	_, err := w.Tab("").Navigate(within(t, w.ctx, actLimit), w.url("localhost", "/stuck-spins"), nil)
	// The script may begin to spin only when the page is there, and on a busy machine the page may not be there in time.
	if err != nil && !errors.Is(err, host.ErrTimeout) {
		wantError(t, err, host.ErrRendererBusy)
	}
	w.reported("spins")
	for err = nil; !errors.Is(err, host.ErrRendererBusy); { // one that begins to spin while it is left is stuck for good
		_, err = w.Tab("").Text(within(t, w.ctx, shared.Patience(short)), nil)
	}
	want(t, "scripts that were ended", w.terminations(), 0)
	loaded, err := w.Tab("").Navigate(w.ctx, w.url("localhost", "/stuck-other"), nil)
	if err != nil || loaded.HTTPStatus != 200 {
		t.Fatalf("another page: %+v, %v", loaded, err)
	}
}

func TestAPageThatIsHeldByADialogIsNotStuck(t *testing.T) {
	w := newWorldAlone(t, map[string]string{
		"/page": `<button onclick="confirm('sure?'); globalThis.kept = 1; while (true) {}">b</button>`,
	}, host.TaskOptions{})
	w.open("/page")
	_, err := w.Tab("").Click(within(t, w.ctx, actLimit), host.BySelector("button"), nil)
	var blocked *host.BlockedError
	if !errors.As(err, &blocked) || blocked.CallID == "" {
		t.Fatalf("the click: %v", err)
	}
	_, err = w.Tab("").Text(within(t, w.ctx, short), nil)
	wantError(t, err, host.ErrBlockedByDialog)
	want(t, "scripts that were ended", w.terminations(), 0)
	w.answer(host.DialogResponse{Accept: true})
	_, err = w.Resume(w.ctx, blocked.CallID)
	var stopped *host.StoppedError
	if !errors.As(err, &stopped) || !stopped.Terminated {
		t.Errorf("the click after the answer: %v", err)
	}
	want(t, "the page", w.evaluate("kept"), "1")
}

// What loses the focus may be in another process than what is clicked.
func TestAHandlerInAnotherProcessThanTheClickIsEnded(t *testing.T) {
	w := newWorldAlone(t, stuckPages, host.TaskOptions{})
	far := w.openStuck("/stuck-blurs", 1)["/stuck-far"]
	w.click("#here")
	_, err := w.Tab("").Type(within(t, w.ctx, actLimit), host.Locator{Selector: "#field", FrameID: far}, "", nil)
	var stopped *host.StoppedError
	if !errors.As(err, &stopped) || !wasEnded(stopped) {
		t.Errorf("the click: %v", err)
	}
	want(t, "the top frame", w.evaluate("kept"), "1")
}

func TestACancelledActionIsEndedToo(t *testing.T) {
	w := newWorldAlone(t, map[string]string{
		"/page": `<button onclick="const r = new XMLHttpRequest(); r.open('POST', '/report/spins', false); r.send('1'); while (true) {}">b</button>`,
	}, host.TaskOptions{})
	w.open("/page")
	ctx, cancel := context.WithCancel(w.ctx)
	done := make(chan error, 1)
	go func() {
		_, err := w.Tab("").Click(ctx, host.BySelector("button"), nil)
		done <- err
	}()
	w.reported("spins")
	cancel()
	err := <-done
	var stopped *host.StoppedError
	if !errors.As(err, &stopped) || !wasEnded(stopped) || host.CodeOf(err) != host.ErrAborted {
		t.Errorf("the click: %v", err)
	}
	want(t, "the page", w.evaluate("1 + 1"), "2")
}

// The tabs of one process: a sibling is told at once whose click it is that runs there, and a tab of another process
// does not notice.
func TestASiblingOfAStuckTabIsToldWhileATabOfAnotherProcessGoesOn(t *testing.T) {
	w := newWorldAlone(t, stuckPages, host.TaskOptions{})
	w.open("/stuck-opener")
	opener := w.Tabs()[0]
	w.start("globalThis.popup = open('/empty')")
	w.await("the popup", func(s *host.Snapshot) bool {
		return len(s.Targets) == 2 && s.Targets[1].URL == w.url("localhost", "/empty")
	})
	popup := w.Tabs()[1]
	want(t, "the popup", w.evaluateIn(popup.ID(), "1 + 1"), "2")
	far, err := w.OpenTab(w.ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := far.Navigate(w.ctx, w.url("127.0.0.1", "/empty"), nil); err != nil {
		t.Fatal(err)
	}
	click := make(chan error, 1)
	go func() {
		_, err := opener.Click(within(t, w.ctx, shared.Patience(8*time.Second)), host.BySelector("button"), nil)
		click <- err
	}()
	w.reported("spins")
	for _, call := range []func() error{
		func() error {
			_, err := popup.Evaluate(within(t, w.ctx, shared.Limit()), "1", nil)
			return err
		},
		func() error {
			_, err := popup.Press(within(t, w.ctx, shared.Limit()), "a", nil)
			return err
		},
	} {
		err := call()
		var busy *host.RendererBusyError
		if !errors.As(err, &busy) || busy.BusyTab != opener.Info().TargetID || !strings.Contains(err.Error(), "in the tab "+opener.ID()) {
			t.Errorf("the sibling: %v", err)
		}
	}
	want(t, "the tab of another process", w.evaluateIn(far.ID(), "1 + 1"), "2")
	select {
	case err := <-click:
		t.Errorf("the others waited for the end of the click: %v", err)
	default:
		wantError(t, <-click, host.ErrTimeout)
	}
	want(t, "the sibling afterwards", w.evaluateIn(popup.ID(), "1 + 1"), "2")
}

// Twenty calls, each with a tenth of the time for which a handler in a tab of another process runs on.
func TestATabOfAnotherProcessIsNotSlowedByAStuckOne(t *testing.T) {
	w := newWorldAlone(t, map[string]string{
		"/stuck":   `<button onclick="` + strings.ReplaceAll(spinsLoudly, `"`, "'") + `">b</button>`,
		"/healthy": `<button id=b onclick="n = (globalThis.n ?? 0) + 1">b</button><input id=i>`,
	}, host.TaskOptions{})
	r := w.tools()
	w.open("/stuck")
	stuck := w.Tabs()[0]
	far, err := w.OpenTab(w.ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := far.Navigate(w.ctx, w.url("127.0.0.1", "/healthy"), nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	click := make(chan error, 1)
	go func() {
		_, err := stuck.Click(within(t, ctx, shared.Limit()), host.BySelector("button"), nil)
		click <- err
	}()
	w.reported("spins")
	for range 4 {
		for name, arguments := range map[string]string{
			"browser_click": `"selector":"#b"`, "browser_type": `"selector":"#i","text":"a"`, "browser_evaluate": `"expression":"1 + 1"`,
			"browser_snapshot": `"full":true`, "browser_extract_text": `"selector":"#b"`,
		} {
			result, err := r.Call(w.ctx, agent.Call{
				Task: w.ID(), Name: name, Arguments: json.RawMessage(`{"tab":"` + far.ID() + `","timeout_ms":30000,` + arguments + `}`),
			})
			if err != nil || result.IsError {
				t.Errorf("%s: %s, %v", name, result.Text, err)
			}
		}
	}
	select {
	case err := <-click:
		t.Errorf("the stuck tab was not stuck for as long: %v", err)
	default:
		cancel()
		wantError(t, <-click, host.ErrAborted)
	}
	want(t, "the clicks in the other tab", w.evaluateIn(far.ID(), "n"), "4")
	want(t, "the tab that was stuck", w.evaluateIn(stuck.ID(), "1 + 1"), "2")
}
