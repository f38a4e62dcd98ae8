package e2e

import (
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// The removal of a frame in another process that has a dialog open poisons its tab in Chromium: the next thing that
// closes the dialog, an answer, a navigation or another dialog, ends the whole browser, unless the tab is healed first.
var lostPages = map[string]string{
	"/parent":  `<iframe src="{{127.0.0.1}}/says"></iframe>`,
	"/nested":  `<iframe src="{{127.0.0.1}}/middle"></iframe>`,
	"/middle":  `<iframe src="{{127.0.0.2}}/says"></iframe>`,
	"/wrapped": `<div><iframe src="/local"></iframe></div>`,
	"/local":   `<iframe src="{{127.0.0.1}}/says"></iframe>`,
	"/says":    `<script>report('said', confirm('in a frame'))</script>`,
	"/told":    `<iframe src="{{127.0.0.1}}/waits"></iframe>`,
	"/waits":   `<script>onmessage = () => confirm('told to')</script>`,
	"/hearing": hearing + `<iframe src="{{127.0.0.1}}/waits"></iframe>`,
}

func newLost(t *testing.T, o host.TaskOptions) (*world, *browser.Process) {
	t.Helper()
	address, process := shared.OwnAsking(t)
	return newWorldOn(t, address, host.Options{}, lostPages, o), process
}

const removal = "document.querySelector('iframe').remove(); report('removed', 1)"

func TestTheRemovalOfAFrameClosesItsDialogAndHealsTheTab(t *testing.T) {
	for _, tc := range []struct {
		name string
		page string
	}{
		{"an OOPIF", "/parent"},
		{"an OOPIF whose child in a third process has the dialog", "/nested"},
		{"a same-process frame whose OOPIF has the dialog", "/wrapped"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w, process := newLost(t, host.TaskOptions{})
			raw := newRawClient(w.ctx, t, w.address)
			session := raw.attach(w.Snapshot().Page().ID)
			w.open(tc.page)
			d := w.dialog()
			want(t, "frame kind", d.FrameKind, "oopif")
			raw.evaluate(session, removal)
			w.reported("removed")
			got := w.closed(1)[0]
			want(t, "closed dialog", got.ID, d.ID)
			want(t, "closed by", got.ClosedBy, "remote")
			want(t, "accepted", got.Accepted, false)
			_, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: d.ID, Accept: true})
			wantError(t, err, host.ErrNoDialog)
			want(t, "frames left", w.evaluate("document.querySelectorAll('iframe').length"), "0")
			w.start("report('again', confirm('after the removal'))")
			want(t, "message of a new dialog", w.dialog().Message, "after the removal")
			w.answer(host.DialogResponse{Accept: true})
			want(t, "the page", w.reported("again"), "true")
			s := w.await("the tree without the frame", func(s *host.Snapshot) bool {
				return len(s.Page().RawFrameTree.Children) == 0
			})
			want(t, "address", s.Page().URL, w.url("localhost", tc.page))
			w.usable()
			if err := w.Close(w.ctx); err != nil {
				t.Errorf("closing the task: %v", err)
			}
			w.alive(process)
		})
	}
}

func TestATaskClosesRightAfterTheRemovalOfAFrameWithADialog(t *testing.T) {
	for _, adopted := range []bool{false, true} {
		name := "a tab of the task's own"
		if adopted {
			name = "an adopted tab"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, process := shared.Own(t)
			ctx := testContext(t)
			raw := newRawClient(ctx, t, address, "Page.frameDetached")
			o := host.TaskOptions{}
			if adopted {
				o.TargetID = raw.newTab()
			}
			w := newWorldOn(t, address, host.Options{}, lostPages, o)
			tab := w.Snapshot().Page().ID
			session := raw.attach(tab)
			w.open("/parent")
			w.dialog()
			raw.evaluate(session, removal)
			if err := w.Close(w.ctx); err != nil {
				t.Fatal(err)
			}
			w.alive(process)
			if adopted {
				raw.navigate(session, w.url("localhost", "/empty"))
				w.alive(process)
			}
		})
	}
}

func TestAnAnswerThatRacesWithTheRemovalOfItsFrame(t *testing.T) {
	t.Parallel()
	w, process := newLost(t, host.TaskOptions{})
	raw := newRawClient(w.ctx, t, w.address)
	session := raw.attach(w.Snapshot().Page().ID)
	for range 5 {
		w.forget()
		w.open("/parent")
		d := w.dialog()
		raw.evaluate(session, removal)
		w.reported("removed")
		_, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: d.ID, Accept: true})
		if err == nil {
			t.Error("an answer to a dialog whose frame is gone succeeded")
		}
		w.quiet()
	}
	w.usable()
	w.alive(process)
}

// The browser ends if it gets an answer to the dialog of a frame of another process that it has removed.
func TestAnAnswerWaitsForTheNewsThatItsFrameWasRemoved(t *testing.T) {
	t.Parallel()
	address, process := shared.OwnAsking(t)
	p := newProxy(t, address)
	w := newWorldOn(t, p.address, host.Options{}, lostPages, host.TaskOptions{})
	w.address = address
	raw := newRawClient(w.ctx, t, address)
	session := raw.attach(w.Snapshot().Page().ID)
	w.open("/parent")
	d := w.dialog()
	p.lag(toHost, `"Page.frameDetached"`)
	raw.evaluate(session, removal)
	w.reported("removed")
	waitUntil(t, "the news", p.delays)
	before := p.passed()[toBrowser]
	answered := make(chan error, 1)
	go func() {
		_, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: d.ID, Accept: true})
		answered <- err
	}()
	waitUntil(t, "a command of the host", func() bool { return p.passed()[toBrowser] > before })
	raw.targets() // the browser has done what came before
	p.release(t)
	if err := <-answered; !errors.Is(err, host.ErrDialogGone) {
		t.Errorf("the answer: %v", err)
	}
	want(t, "how it closed", w.closed(1)[0].ClosedBy, host.ClosedByRemote)
	w.usable()
	w.alive(process)
}

func TestAFrameThatIsNavigatedUnderItsDialog(t *testing.T) {
	t.Parallel()
	w, process := newLost(t, host.TaskOptions{})
	raw := newRawClient(w.ctx, t, w.address)
	session := raw.attach(w.Snapshot().Page().ID)
	w.open("/parent")
	w.dialog()
	raw.evaluate(session, "document.querySelector('iframe').src = '"+w.url("127.0.0.1", "/empty")+"'; 0")
	// Chromium holds the navigation back until the dialog is answered.
	w.answer(host.DialogResponse{Accept: true})
	w.await("the frame's new document", func(s *host.Snapshot) bool {
		tree := s.Page().RawFrameTree
		return len(tree.Children) == 1 && tree.Children[0].URL == w.url("127.0.0.1", "/empty")
	})
	w.usable()
	w.alive(process)
}

func TestTheNavigationOfATabWithAFramesDialog(t *testing.T) {
	t.Parallel()
	w, process := newLost(t, host.TaskOptions{})
	raw := newRawClient(w.ctx, t, w.address)
	session := raw.attach(w.Snapshot().Page().ID)
	w.open("/nested")
	w.dialog()
	raw.navigate(session, w.url("localhost", "/empty"))
	want(t, "closed by", w.closed(1)[0].ClosedBy, "remote")
	w.usable()
	w.alive(process)
}

func TestTheCrashOfAFrameWithADialog(t *testing.T) {
	t.Parallel()
	w, process := newLost(t, host.TaskOptions{})
	raw := newRawClient(w.ctx, t, w.address)
	w.open("/told")
	frame := w.await("the frame", func(s *host.Snapshot) bool {
		tree := s.Page().RawFrameTree
		return len(tree.Children) == 1 && tree.Children[0].IsOOPIF
	}).Page().RawFrameTree.Children[0]
	crash := raw.crasher(frame.FrameID) // the id of an OOPIF's target is that of its frame
	w.start("frames[0].postMessage(1, '*')")
	d := w.dialog()
	want(t, "frame", d.FrameID, frame.FrameID)
	crash()
	got := w.closed(1)[0]
	want(t, "closed dialog", got.ID, d.ID)
	want(t, "closed by", got.ClosedBy, "remote")
	want(t, "accepted", got.Accepted, false)
	want(t, "a script in the top frame", w.evaluate("1 + 1"), "2")
	w.usable()
	w.alive(process)
}

// The crash of a tab while the dialog of a frame in another process is open ends the whole browser, with any client
// that has the Page domain enabled; there is nothing to do about that, and so nothing to test.
func TestTheCrashOfATabWithADialog(t *testing.T) {
	t.Parallel()
	w, process := newLost(t, host.TaskOptions{})
	raw := newRawClient(w.ctx, t, w.address)
	w.open("/waits")
	crash := raw.crasher(w.Snapshot().Page().ID)
	w.start("confirm('?')")
	d := w.dialog()
	crash()
	got := w.closed(1)[0]
	want(t, "closed dialog", got.ID, d.ID)
	want(t, "closed by", got.ClosedBy, "remote")
	w.await("the crash", func(s *host.Snapshot) bool { return s.Page().Crashed })
	_, err := w.Tab("").Evaluate(w.ctx, "1", nil)
	wantError(t, err, host.ErrTargetCrashed)
	w.usable()
	w.alive(process)
}

func TestTheEndOfTheBrowserClosesItsDialogs(t *testing.T) {
	t.Parallel()
	address, process := shared.Own(t)
	w := newWorldOn(t, address, host.Options{ReconnectTimeout: -1}, lostPages, host.TaskOptions{})
	w.open("/says")
	d := w.dialog()
	events := w.Events(10)
	process.Kill()
	var kinds []host.EventKind
	for e := range events.C { // closed with the task
		kinds = append(kinds, e.Kind)
	}
	if len(kinds) < 2 || kinds[0] != host.EventDialogClosed || kinds[len(kinds)-1] != host.EventDisconnected {
		t.Errorf("events: %v", kinds)
	}
	s := w.Snapshot()
	if len(s.PendingDialogs) != 0 || len(s.RecentDialogs) != 1 || s.Disconnected == "" {
		t.Fatalf("the last snapshot: %s", shared.Dump(s))
	}
	want(t, "closed by", s.RecentDialogs[0].ClosedBy, "disconnected")
	_, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: d.ID, Accept: true})
	if err == nil {
		t.Error("an answer over a lost connection succeeded")
	}
	_, err = w.Tab("").Evaluate(w.ctx, "1", nil)
	wantError(t, err, host.ErrDisconnected)
}

// To heal a tab its Page domain is disabled for a moment, and with it goes what the host has asked of the domain.
func TestAHealedTabStillTellsOfItsLoadsAndIsStillRecorded(t *testing.T) {
	w := recordedWorld(t, lostPages, host.RecordingOptions{Dir: t.TempDir()}, host.TaskOptions{})
	raw := newRawClient(w.ctx, t, w.address)
	session := raw.attach(w.Snapshot().Page().ID)
	w.open("/parent")
	w.dialog()
	raw.evaluate(session, removal)
	w.reported("removed")
	w.closed(1)
	for _, until := range []host.WaitUntil{host.WaitDOMContentLoaded, host.WaitLoad, host.WaitNetworkIdle} {
		if _, err := w.Tab("").Navigate(w.ctx, w.url("localhost", "/told?"+string(until)), &host.NavigateOptions{WaitUntil: until}); err != nil {
			t.Fatalf("%s: %v", until, err)
		}
	}
	before := w.recordedFrames()
	waitUntil(t, "a frame", func() bool {
		w.evaluate("document.body.style.background = document.body.style.background === 'red' ? 'blue' : 'red'")
		return w.recordedFrames() > before+3
	})
}
