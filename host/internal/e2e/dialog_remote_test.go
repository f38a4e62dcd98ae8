package e2e

import (
	"errors"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestAnotherClientThatAnswersFirstClosesTheDialog(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{DialogBridge: host.BridgeOff})
	w.open("/empty")
	raw := newRawClient(w.ctx, t, w.address, "Page.javascriptDialogOpening")
	session := raw.attach(w.Snapshot().Page().ID)
	raw.call(session, "Page.enable", nil, nil)
	w.start("report('said', prompt('?', 'default'))")
	raw.next()
	d := w.dialog()
	raw.call(session, "Page.handleJavaScriptDialog", map[string]any{"accept": true, "promptText": "from outside"}, nil)
	want(t, "the page", w.reported("said"), `"from outside"`)
	closed := w.closed(1)[0]
	want(t, "closed by", closed.ClosedBy, "remote")
	want(t, "accepted", closed.Accepted, true)
	want(t, "text", closed.Text, "from outside")
	_, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: d.ID, Accept: false})
	if !errors.Is(err, host.ErrNoDialog) && !errors.Is(err, host.ErrDialogGone) {
		t.Errorf("an answer that comes too late: got %v", err)
	}
	w.usable()
}

func TestTwoClientsThatAnswerAtOnceNeverBothWin(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{DialogBridge: host.BridgeOff})
	w.open("/empty")
	raw := newRawClient(w.ctx, t, w.address)
	session := raw.attach(w.Snapshot().Page().ID)
	raw.call(session, "Page.enable", nil, nil)
	ours, theirs := 0, 0
	for range 20 {
		w.start("globalThis.said = confirm('?')")
		d := w.dialog()
		result := make(chan error, 1)
		go func() {
			_, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: d.ID, Accept: true})
			result <- err
		}()
		rawErr := raw.conn.Call(w.ctx, session, "Page.handleJavaScriptDialog", map[string]any{"accept": false}, nil)
		err := <-result
		switch {
		case err == nil && rawErr != nil:
			ours++
		case rawErr == nil && (errors.Is(err, host.ErrDialogGone) || errors.Is(err, host.ErrNoDialog)):
			theirs++
		default:
			t.Fatalf("ours %v, theirs %v: exactly one should have won", err, rawErr)
		}
		recent := w.quiet().RecentDialogs
		last := recent[len(recent)-1]
		want(t, "the page", w.evaluate("said") == "true", err == nil)
		want(t, "accepted", last.Accepted, err == nil)
		want(t, "closed by the agent", last.ClosedBy == "agent", err == nil)
	}
	t.Logf("ours won %d times, theirs %d", ours, theirs)
}

func TestTheWatchdogDismissesWhatNobodyAnswers(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{DialogTimeout: 300 * time.Millisecond})
	w.open("/empty")
	w.start("report('said', confirm('anybody?'))")
	want(t, "the page", w.reported("said"), "false")
	d := w.closed(1)[0]
	want(t, "closed by", d.ClosedBy, "watchdog")
	want(t, "accepted", d.Accepted, false)
	want(t, "timeout", d.Deadline.Sub(d.OpenedAt.Time), 300*time.Millisecond)
	if d.ClosedAt.Before(d.Deadline.Time) {
		t.Errorf("closed at %v, before the deadline %v", d.ClosedAt, d.Deadline)
	}
}
