package e2e

import (
	"errors"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// newBroken is a task whose connection goes through a proxy that can break it.
func newBroken(t *testing.T, pages map[string]string) (*world, *proxy) {
	t.Helper()
	t.Parallel()
	address, _ := shared.OwnAsking(t)
	p := newProxy(t, address)
	w := newWorldOn(t, p.address, host.Options{}, pages, host.TaskOptions{})
	w.address = address // other clients go past the proxy
	return w, p
}

// back waits until the connection has been lost and is there again.
func (w *world) back(events *host.Subscription) {
	w.t.Helper()
	for e := range events.C {
		if e.Kind == host.EventReconnected {
			return
		}
	}
	w.t.Fatalf("the task ended: %s", shared.Dump(w.Snapshot()))
}

func TestATaskGoesOnAfterItsConnectionWasCut(t *testing.T) {
	w, p := newBroken(t, map[string]string{
		"/frames": `<iframe src="/local"></iframe><iframe src="{{127.0.0.1}}/other"></iframe>`,
		"/local":  "here", "/other": `there <iframe src="/deep"></iframe>`, "/deep": "deep",
	})
	w.open("/frames")
	task := w.Task
	before := w.await("all frames", func(s *host.Snapshot) bool { return len(s.Page().RawFrameTree.Children) == 3 })
	events := w.Events(100)
	p.cut()
	w.back(events)
	after := w.await("the sessions of all frames", func(s *host.Snapshot) bool {
		for _, f := range s.Page().RawFrameTree.Children {
			if f.SessionID == "" {
				return false
			}
		}
		return true
	})
	want(t, "the task", w.host.Task(task.ID()), task)
	want(t, "the tab", after.Page().ID, before.Page().ID)
	for i, f := range before.Page().RawFrameTree.Children {
		now := after.Page().RawFrameTree.Children[i]
		want(t, "frame", now.FrameID, f.FrameID)
		want(t, "address", now.URL, f.URL)
	}
	w.sameTree("")
	w.usable()
	want(t, "connections", p.connections(), 2)
}

func TestADialogThatWasOpenWhenTheConnectionWasCutStaysPendingAndCanBeDismissed(t *testing.T) {
	for _, accept := range []bool{false, true} {
		t.Run(map[bool]string{false: "dismissed", true: "accepted"}[accept], func(t *testing.T) {
			w, p := newBroken(t, nil)
			w.open("/empty")
			w.start("globalThis.said = confirm('still there?')")
			before := w.dialog()
			events := w.Events(100)
			p.cut()
			w.back(events)
			want(t, "the dialog", w.dialog().ID, before.ID)
			d, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: before.ID, Accept: accept})
			if accept {
				wantError(t, err, host.ErrDialogGone)
				d = w.closed(1)[0]
				want(t, "closed by", d.ClosedBy, "disconnected")
			} else {
				wantError(t, err, nil)
				want(t, "closed by", d.ClosedBy, "agent")
			}
			want(t, "accepted", d.Accepted, false)
			want(t, "the page got", w.evaluate("said"), "false")
			w.usable()
		})
	}
}

func TestWhatBeginsWhileThereIsNoConnectionWaitsForIt(t *testing.T) {
	w, p := newBroken(t, nil)
	w.open("/empty")
	release := p.refuse()
	p.cut()
	w.await("the loss", func(s *host.Snapshot) bool { return s.Reconnecting && s.ReconnectAttempt > 1 })
	type outcome struct {
		value host.Evaluation
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := w.Tab("").Evaluate(w.ctx, "1 + 1", nil)
		done <- outcome{value, err}
	}()
	release()
	got := <-done
	if got.err != nil || string(got.value.Value) != "2" {
		t.Errorf("got %s, %v", got.value.Value, got.err)
	}
	if s := w.Snapshot(); s.Disconnected != "" || s.Reconnecting {
		t.Errorf("the snapshot: %s", shared.Dump(s))
	}
}

func TestACallUnderWayEndsAtOnceWhenTheConnectionIsCut(t *testing.T) {
	w, p := newBroken(t, nil)
	w.open("/empty")
	done := make(chan error, 1)
	go func() {
		_, err := w.Tab("").Evaluate(w.ctx, "report('begun', 1); new Promise(() => {})", &host.EvaluateOptions{AwaitPromise: true})
		done <- err
	}()
	w.reported("begun")
	p.cut()
	err := <-done
	wantError(t, err, host.ErrDisconnected)
	if errors.Is(err, host.ErrBrowserGone) {
		t.Errorf("%v", err)
	}
	w.usable()
}

// Nobody tells the host of the end of a request that was under way, so none stays pending.
func TestARequestUnderWayIsOverWhenTheConnectionIsCut(t *testing.T) {
	w, p := newBroken(t, map[string]string{"/held": "held"})
	defer w.Hold("/held")()
	w.WatchNetwork()
	w.open("/empty")
	w.evaluate(`void fetch("/held")`)
	if err := w.Visited(w.ctx, "/held", 1); err != nil {
		t.Fatal(err)
	}
	events := w.Events(100)
	p.cut()
	w.back(events)
	for _, r := range w.Requests().List {
		if strings.HasSuffix(r.URL, "/held") {
			want(t, "why it is over", r.Failure, "the connection to the browser was lost before its end")
			return
		}
	}
	t.Errorf("it is not recorded: %+v", w.Requests())
}

func TestATaskEndsWhenItsBrowserDoesNotComeBackInTime(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	p := newProxy(t, address)
	w := newWorldOn(t, p.address, host.Options{ReconnectTimeout: 1}, nil, host.TaskOptions{})
	defer p.refuse()()
	p.cut()
	w.ended()
	_, err := w.Tab("").Evaluate(w.ctx, "1", nil)
	wantError(t, err, host.ErrBrowserGone)
	if s := w.Snapshot(); s.Disconnected == "" || s.Reconnecting {
		t.Errorf("the snapshot: %s", shared.Dump(s))
	}
}

func TestATaskWhoseTabsWereClosedMeanwhileEnds(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	p := newProxy(t, address)
	w := newWorldOn(t, p.address, host.Options{}, nil, host.TaskOptions{})
	raw := newRawClient(w.ctx, t, address, "Target.targetDestroyed")
	raw.call("", target.CommandSetDiscoverTargets, params("discover", true), nil)
	release := p.refuse()
	p.cut()
	w.await("the loss", func(s *host.Snapshot) bool { return s.Reconnecting })
	tab := w.Snapshot().Page().ID
	raw.call("", target.CommandCloseTarget, params("targetId", tab), nil)
	// The reply comes first, and a tab that closes after the host is back ends no task.
	for strings.Contains(raw.targets(), tab) {
		raw.next()
	}
	release()
	w.ended()
	_, err := w.Tab("").Evaluate(w.ctx, "1", nil)
	wantError(t, err, host.ErrBrowserGone)
}
