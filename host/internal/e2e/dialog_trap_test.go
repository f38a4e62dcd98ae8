package e2e

import (
	"context"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// A dialog that a page opens while it is left, on a navigation that stays in its process, cannot be answered in
// Chromium, and detaching from the tab, or losing the connection, would abort the whole browser.
var trapPages = map[string]string{
	"/pagehide":    `<script>addEventListener('pagehide', () => { reportLeaving('said', confirm('leaving')) })</script>`,
	"/visibility":  `<script>addEventListener('visibilitychange', () => { reportLeaving('said', confirm('leaving')) })</script>`,
	"/three-times": `<script>addEventListener('pagehide', () => { reportLeaving('said', [confirm('1'), confirm('2'), prompt('3', 'x')]) })</script>`,
	"/frame":       `<iframe src="/pagehide"></iframe>`,
	"/late":        `<script>function leave() { location = '/two'; setTimeout(() => report('said', confirm('leaving')), 50) }</script>`,
	"/two":         `<script>report('arrived', location.pathname)</script>`,
}

// trap brings the tab into the trap and gives the dialog.
func (w *world) trap(path string) host.Dialog {
	w.t.Helper()
	w.open(path)
	w.start("location = '/two'")
	return w.dialog()
}

// arrived checks that the tab went where it wanted to go and can be used there.
func (w *world) arrived(process *browser.Process) {
	w.t.Helper()
	want(w.t, "arrived at", w.reported("arrived"), `"/two"`)
	want(w.t, "address", w.evaluate("location.pathname"), `"/two"`)
	w.usable()
	w.alive(process)
}

// alive fails the test when the browser has ended.
func (w *world) alive(process *browser.Process) {
	w.t.Helper()
	newRawClient(w.ctx, w.t, w.address).targets()
	select {
	case <-process.Done():
		w.t.Errorf("the browser ended: %v", process.Err())
	default:
	}
}

// newTrap starts a task in a browser of its own.
func newTrap(t *testing.T, o host.TaskOptions) (*world, *browser.Process) {
	t.Helper()
	t.Parallel()
	address, process := shared.Own(t)
	return newWorldOn(t, address, host.Options{}, trapPages, o), process
}

func TestAnAnswerInTheTrapDismissesAndTheTabGoesOn(t *testing.T) {
	w, process := newTrap(t, host.TaskOptions{})
	for _, tc := range []struct {
		name   string
		path   string
		accept bool
	}{
		{"pagehide, dismissed", "/pagehide", false},
		{"pagehide, accepted", "/pagehide", true},
		{"visibilitychange, dismissed", "/visibility", false},
		{"visibilitychange, accepted", "/visibility", true},
		{"pagehide of a frame in the same process", "/frame", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := w.in(t)
			w.forget()
			d := w.trap(tc.path)
			want(t, "message", d.Message, "leaving")
			got, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: d.ID, Accept: tc.accept})
			want(t, "accepted", got.Accepted, false)
			if tc.accept {
				// The agent is told that its answer could not be given.
				wantError(t, err, host.ErrDialogGone)
				want(t, "closed by", got.ClosedBy, "remote")
			} else {
				wantError(t, err, nil)
				want(t, "closed by", got.ClosedBy, "agent")
			}
			if got.CloseReason == "" {
				t.Error("nothing says why the answer was not given")
			}
			want(t, "the page", w.reported("said"), "false")
			w.arrived(process)
		})
	}
}

func TestSeveralDialogsInTheTrapAreFreedOneByOne(t *testing.T) {
	w, process := newTrap(t, host.TaskOptions{})
	w.trap("/three-times")
	for _, message := range []string{"1", "2", "3"} {
		d := w.dialog()
		want(t, "message", d.Message, message)
		if _, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: d.ID, Accept: false}); err != nil {
			t.Fatal(err)
		}
	}
	want(t, "the page", w.reported("said"), "[false,false,null]")
	w.arrived(process)
}

func TestAHeldDialogBecomesATrapWhenItsPageIsReplaced(t *testing.T) {
	w, process := newTrap(t, host.TaskOptions{})
	w.open("/late")
	release := w.hold("/two")
	w.start("leave()")
	d := w.dialog()
	w.visited("/two", 1)
	release()
	got, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: d.ID, Accept: true})
	// Whether the answer or the new document comes first is the browser's own race.
	if err == nil {
		want(t, "accepted", got.Accepted, true)
		want(t, "the page", w.reported("said"), "true")
	} else {
		wantError(t, err, host.ErrDialogGone)
		want(t, "accepted", got.Accepted, false)
	}
	w.arrived(process)
}

func TestTheWaysOutOfTheTrapLeaveTheBrowserAlive(t *testing.T) {
	for _, tc := range []struct {
		name  string
		leave func(ctx context.Context, w *world) error
	}{
		{"task Close", func(ctx context.Context, w *world) error { return w.Close(ctx) }},
		{"host Close", func(ctx context.Context, w *world) error { return w.host.Close(ctx) }},
		{"a connection that drops after the answer", func(ctx context.Context, w *world) error {
			if _, err := w.RespondDialog(ctx, host.DialogResponse{}); err != nil {
				return err
			}
			return w.host.Close(ctx)
		}},
	} {
		for _, path := range []string{"/pagehide", "/three-times"} {
			t.Run(tc.name+path, func(t *testing.T) {
				t.Parallel()
				address, process := shared.Own(t)
				ctx := testContext(t)
				raw := newRawClient(ctx, t, address)
				tab := raw.newTab()
				w := newWorldOn(t, address, host.Options{}, trapPages, host.TaskOptions{TargetID: tab})
				w.trap(path)
				if err := tc.leave(ctx, w); err != nil {
					t.Fatal(err)
				}
				// The tab was there before the task, so it stays, and it has gone where it wanted to go.
				want(t, "arrived at", w.reported("arrived"), `"/two"`)
				session := raw.attach(tab)
				raw.call(session, "Runtime.enable", nil, nil)
				raw.navigate(session, w.url("localhost", "/empty"))
				w.alive(process)
				if w.host.Task(w.ID()) != nil {
					t.Error("the host still knows the task")
				}
			})
		}
	}
}
