package e2e

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestAnAnswerWithNothingPendingIsRefused(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	for _, id := range []string{"", "d-1"} {
		_, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: id, Accept: true})
		if !errors.Is(err, host.ErrNoDialog) {
			t.Errorf("id %q: got %v, want ErrNoDialog", id, err)
		}
	}
	w.usable()
}

func TestAnAnswerToAnUnknownIDListsTheKnownOnes(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	w.start("report('said', confirm('?'))")
	d := w.dialog()
	_, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: "d-999999", Accept: false})
	var detail *host.DialogError
	if !errors.Is(err, host.ErrUnknownDialog) || !errors.As(err, &detail) {
		t.Fatalf("got %v, want ErrUnknownDialog", err)
	}
	if len(detail.Open) != 1 || detail.Open[0].ID != d.ID || !strings.Contains(err.Error(), d.ID) || !strings.Contains(err.Error(), "d-999999") {
		t.Errorf("%v does not list %s", err, d.ID)
	}
	w.answer(host.DialogResponse{DialogID: d.ID, Accept: true})
	want(t, "the page", w.reported("said"), "true")
	if _, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: d.ID, Accept: true}); !errors.Is(err, host.ErrNoDialog) {
		t.Errorf("a second answer: got %v, want ErrNoDialog", err)
	}
}

func TestAnAnswerWithoutAnIDIsAmbiguousWhenTwoTabsHoldDialogs(t *testing.T) {
	w := newWorld(t, map[string]string{"/other": `<script>setTimeout(() => report('second', confirm('second')))</script>`}, host.TaskOptions{})
	w.open("/empty")
	w.start("open('" + w.url("127.0.0.1", "/other") + "'); setTimeout(() => report('first', confirm('first')))")
	list := w.pending(2)
	if list[0].TargetID == list[1].TargetID {
		t.Fatalf("both dialogs are in one tab: %s", shared.Dump(list))
	}
	_, err := w.RespondDialog(w.ctx, host.DialogResponse{Accept: true})
	var detail *host.DialogError
	if !errors.Is(err, host.ErrAmbiguousDialog) || !errors.As(err, &detail) {
		t.Fatalf("got %v, want ErrAmbiguousDialog", err)
	}
	if len(detail.Open) != 2 || !strings.Contains(err.Error(), list[0].ID) || !strings.Contains(err.Error(), list[1].ID) {
		t.Errorf("%v does not list %s and %s", err, list[0].ID, list[1].ID)
	}
	for _, d := range list {
		w.answer(host.DialogResponse{DialogID: d.ID, Accept: d.Message == "first"})
	}
	want(t, "the first tab", w.reported("first"), "true")
	want(t, "the second tab", w.reported("second"), "false")
}

func TestOfManyAnswersAtOnceExactlyOneSucceeds(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	w.start("report('said', confirm('?'))")
	d := w.dialog()
	const agents = 8
	errs := make([]error, agents)
	accepted := make([]bool, agents)
	begin := make(chan struct{})
	var wait sync.WaitGroup
	for i := range agents {
		wait.Go(func() {
			<-begin
			closed, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: d.ID, Accept: i%2 == 0})
			errs[i], accepted[i] = err, closed.Accepted
		})
	}
	close(begin)
	wait.Wait()
	winner := -1
	for i, err := range errs {
		switch {
		case err == nil && winner >= 0:
			t.Errorf("agents %d and %d both succeeded", winner, i)
		case err == nil:
			winner = i
		case !errors.Is(err, host.ErrDialogBusy) && !errors.Is(err, host.ErrNoDialog):
			t.Errorf("agent %d: got %v, want ErrDialogBusy or ErrNoDialog", i, err)
		}
	}
	if winner < 0 {
		t.Fatalf("nobody succeeded: %v", errs)
	}
	said := "false"
	if winner%2 == 0 {
		said = "true"
	}
	want(t, "the page", w.reported("said"), said)
	want(t, "the winner's dialog", accepted[winner], winner%2 == 0)
	want(t, "closed dialogs", len(w.quiet().RecentDialogs), 1)
}
