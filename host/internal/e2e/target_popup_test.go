package e2e

import (
	"errors"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// popupPages opens /popup in every way there is. The popup's first script is a dialog: a supervisor that is late never
// sees it, and the popup stays stuck.
var popupPages = onSites(map[string]string{
	"/page": `<a id=link href=$B/popup target=_blank>x</a><a id=opener href=$B/popup target=_blank rel=opener>x</a>
		<form id=form action=$A/popup target=_blank></form><iframe id=frame src=$B/opener></iframe>`,
	"/opener": `<script>onmessage = e => open(e.data, '', '')</script>`,
	"/popup":  `<script>alert('the first script'); report('popup', 'ran on')</script><iframe src=$C/inner></iframe>`,
	"/inner":  `<script>report('inner', 'ran')</script>`,
})

func TestAPopupIsInPlaceBeforeItsFirstScript(t *testing.T) {
	for _, tc := range []struct {
		name, script, url string
		opener            bool
		raw               func(*world)
	}{
		{name: "window.open", script: "open('$A/popup')", url: "$A/popup", opener: true},
		{name: "window.open, another site", script: "open('$B/popup')", url: "$B/popup", opener: true},
		{name: "window.open, noopener", script: "open('$A/popup', '', 'noopener')", url: "$A/popup", opener: true},
		{name: "window.open, as a window", script: "open('$B/popup', '', 'width=300,height=200')", url: "$B/popup", opener: true},
		{name: "window.open, navigated later", script: "const p = open(''); setTimeout(() => { p.location = '$B/popup' }, 50)", url: "$B/popup", opener: true},
		{name: "target=_blank", script: "document.querySelector('#link').click()", url: "$B/popup", opener: true},
		{name: "target=_blank with rel=opener", script: "document.querySelector('#opener').click()", url: "$B/popup", opener: true},
		{name: "a form", script: "form.submit()", url: "$A/popup?", opener: true},
		{name: "from an OOPIF", script: "frame.contentWindow.postMessage('$A/popup', '*')", url: "$A/popup", opener: true},
		{name: "a click with ctrl", url: "$B/popup", raw: (*world).ctrlClick},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t, popupPages, host.TaskOptions{})
			w.load("/page")
			page := w.Snapshot().Page().ID
			if tc.raw != nil {
				tc.raw(w)
			} else {
				w.start(w.long(tc.script))
			}
			d := w.dialog()
			want(t, "message", d.Message, "the first script")
			want(t, "opened by a page", d.Popup, tc.opener)
			if d.TargetID == page {
				t.Fatal("the dialog is the opener's")
			}
			popup := w.Snapshot().Target(d.TargetID)
			want(t, "address", w.short(popup.URL), tc.url)
			want(t, "opener", popup.OpenerID == page, tc.opener)
			if w.hasReported("popup") {
				t.Error("the popup went on before the answer")
			}
			w.answer(host.DialogResponse{DialogID: d.ID, Accept: true})
			want(t, "the popup", w.reported("popup"), `"ran on"`)
			want(t, "its frame", w.reported("inner"), `"ran"`)
			w.becomes(d.TargetID, "$C/inner (oopif)")
			want(t, "the opener", w.evaluateIn(page, "1 + 1"), "2")
		})
	}
}

// ctrl is the bit of that key in Input.dispatchMouseEvent.
const ctrl = 2

// ctrlClick opens the link of /page in a new tab as a person does.
func (w *world) ctrlClick() {
	w.t.Helper()
	box := w.evaluate("(r => [r.x + 2, r.y + 2])(document.querySelector('#link').getBoundingClientRect())")
	var at [2]float64
	decode(w.t, box, &at)
	raw := newRawClient(w.ctx, w.t, w.address)
	session := raw.attach(w.Snapshot().Page().ID)
	for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		raw.call(session, input.CommandDispatchMouseEvent, &input.DispatchMouseEventParams{
			Type: kind, X: at[0], Y: at[1], Button: input.MouseButtonLeft, ClickCount: 1, Modifiers: ctrl,
		}, nil)
	}
}

func TestAnOOPIFIsInPlaceBeforeItsFirstScript(t *testing.T) {
	w := newWorld(t, onSites(map[string]string{
		"/page":  `<iframe src=$B/outer></iframe>`,
		"/outer": `<iframe src=$C/inner></iframe>`,
		"/inner": `<script>alert('the first script'); report('inner', 'ran on')</script>`,
	}), host.TaskOptions{})
	w.open("/page")
	d := w.dialog()
	want(t, "message", d.Message, "the first script")
	want(t, "frame kind", d.FrameKind, "oopif")
	if w.hasReported("inner") {
		t.Error("the frame went on before the answer")
	}
	w.answer(host.DialogResponse{Accept: true})
	want(t, "the frame", w.reported("inner"), `"ran on"`)
	w.becomes("", "$B/outer (oopif)", "$C/inner (oopif)")
}

func TestAPopupOfAPopupAndTheirEnds(t *testing.T) {
	w := newWorld(t, popupPages, host.TaskOptions{})
	events := w.Events(100)
	w.open("/empty")
	first := w.Snapshot().Page().ID
	second := w.opens(first, "globalThis.p = open('"+w.url("127.0.0.1", "/empty")+"')")
	third := w.opens(second, "open('"+w.url("127.0.0.2", "/empty")+"', '', 'noopener')")
	want(t, "the popup's opener", w.Snapshot().Target(second).OpenerID, first)
	want(t, "its popup's opener", w.Snapshot().Target(third).OpenerID, second)

	// By the page that opened it; a call under way there ends at once.
	ended := make(chan error, 1)
	go func() {
		_, err := w.Tab(second).Evaluate(w.ctx, forever+"//"+second, &host.EvaluateOptions{AwaitPromise: true})
		ended <- err
	}()
	w.evaluateIn(first, "p.close()")
	w.gone(second)
	if err := <-ended; !errors.Is(err, host.ErrSessionLost) && !errors.Is(err, host.ErrUnknownTarget) {
		t.Errorf("the call under way ended with: %v", err)
	}
	// By itself.
	fourth := w.opens(first, "open('/empty')")
	if _, err := w.Tab(fourth).Evaluate(w.ctx, "setTimeout(close); 0", nil); err != nil {
		t.Error(err)
	}
	w.gone(fourth)
	// By the user.
	raw := newRawClient(w.ctx, t, w.address)
	raw.call("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: target.ID(third)}, nil)
	w.gone(third)
	raw.call("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: target.ID(first)}, nil)
	w.gone(first)
	if _, err := w.Tab("").Evaluate(w.ctx, "1", nil); !errors.Is(err, host.ErrTargetGone) {
		t.Errorf("evaluate without a tab: %v", err)
	}
	if _, err := w.Tab(first).Evaluate(w.ctx, "1", nil); !errors.Is(err, host.ErrUnknownTarget) {
		t.Errorf("evaluate in a tab that is gone: %v", err)
	}
	if err := w.Close(w.ctx); err != nil {
		t.Error(err)
	}
	counts := map[host.EventKind]int{}
	for e := range events.C {
		counts[e.Kind]++
	}
	want(t, "attached events", counts[host.EventTargetAttached], 3)
	want(t, "gone events", counts[host.EventTargetGone], 4)
}

// opens runs a script in a tab and gives the id of the tab that it opens.
func (w *world) opens(id, script string) string {
	w.t.Helper()
	known := map[string]bool{}
	for _, target := range w.Snapshot().Targets {
		known[target.ID] = true
	}
	w.evaluateIn(id, "{"+script+"}; 0")
	var opened string
	w.await("the popup", func(s *host.Snapshot) bool {
		for _, target := range s.Targets {
			if !known[target.ID] && target.Ready && target.URL != "" && target.URL != "about:blank" {
				opened = target.ID
			}
		}
		return opened != ""
	})
	return opened
}

// gone waits until a tab is no longer there.
func (w *world) gone(id string) {
	w.t.Helper()
	w.await("the end of "+id, func(s *host.Snapshot) bool { return s.Target(id) == nil })
}
