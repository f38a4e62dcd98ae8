package e2e

import (
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// blocks checks that an error names the only pending dialog.
func (w *world) blocks(what string, err error) host.Dialog {
	w.t.Helper()
	var blocked *host.BlockedError
	if !errors.Is(err, host.ErrBlockedByDialog) || !errors.As(err, &blocked) {
		w.t.Fatalf("%s: got %v, want a BlockedError", what, err)
	}
	if len(blocked.Dialogs) != 1 || blocked.Dialogs[0].ID != w.dialog().ID {
		w.t.Fatalf("%s is blocked by %s, want %s", what, shared.Dump(blocked.Dialogs), w.dialog().ID)
	}
	return blocked.Dialogs[0]
}

func TestAnEvaluateThatOpensADialogReturnsAtOnce(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	_, err := w.Tab("").Evaluate(w.ctx, "report('said', confirm('from evaluate'))", nil)
	want(t, "message", w.blocks("the evaluate", err).Message, "from evaluate")
	_, err = w.Tab("").Evaluate(w.ctx, "report('second', 1)", nil)
	w.blocks("a new evaluate", err)
	w.blocks("a new navigation", commit(w.ctx, w.Tab(""), w.url("localhost", "/empty")))
	w.answer(host.DialogResponse{Accept: true})
	want(t, "the page", w.reported("said"), "true")
	want(t, "a script afterwards", w.evaluate("1 + 1"), "2")
	if w.hasReported("second") {
		t.Error("an evaluate that was refused ran all the same")
	}
}

func TestAnEvaluateThatWaitsIsEndedByAnotherScriptsDialog(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	result := make(chan error, 1)
	go func() {
		_, err := w.Tab("").Evaluate(w.ctx, "report('waiting', 1).then(() => new Promise(() => setTimeout(() => confirm('later'))))", &host.EvaluateOptions{AwaitPromise: true})
		result <- err
	}()
	w.blocks("the evaluate", <-result)
	w.answer(host.DialogResponse{Accept: true})
}

func TestANavigationToAPageThatOpensADialogWhileItLoads(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<script>report('said', confirm('first thing'))</script>`}, host.TaskOptions{})
	if err := commit(w.ctx, w.Tab(""), w.url("localhost", "/page")); err != nil {
		w.blocks("the navigation", err)
	}
	w.answer(host.DialogResponse{DialogID: w.dialog().ID, Accept: true})
	want(t, "the page", w.reported("said"), "true")
}

func TestADialogBlocksItsOwnTabOnly(t *testing.T) {
	w := newWorld(t, map[string]string{"/other": `<script>report('said', confirm('other tab'))</script>`}, host.TaskOptions{})
	w.open("/empty")
	w.start("open('" + w.url("127.0.0.1", "/other") + "')")
	d := w.dialog()
	want(t, "a script in the first tab", w.evaluate("1 + 1"), "2")
	_, err := w.Tab(d.TargetID).Evaluate(w.ctx, "1", nil)
	w.blocks("an evaluate in the dialog's tab", err)
	w.answer(host.DialogResponse{Accept: false})
	want(t, "the page", w.reported("said"), "false")
}

func TestAnEvaluateEndsWhenItsTabCrashes(t *testing.T) {
	w := newWorldAlone(t, nil, host.TaskOptions{})
	w.open("/empty")
	result := make(chan error, 1)
	go func() {
		_, err := w.Tab("").Evaluate(w.ctx, "report('waiting', 1).then(() => new Promise(() => 0))", &host.EvaluateOptions{AwaitPromise: true})
		result <- err
	}()
	w.reported("waiting")
	newRawClient(w.ctx, t, w.address).crasher(w.Snapshot().Page().ID)()
	if err := <-result; !errors.Is(err, host.ErrTargetCrashed) {
		t.Errorf("got %v, want ErrTargetCrashed", err)
	}
	w.usable()
}

func TestADialogInAPopupBlocksTheOpenerThatSharesItsProcess(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	_, err := w.Tab("").Evaluate(w.ctx, "report('said', open('about:blank').confirm('through the popup'))", nil)
	if d := w.blocks("the evaluate in the opener", err); !d.Popup || d.TargetID == w.Snapshot().Page().ID {
		t.Errorf("the dialog is not the popup's: %s", shared.Dump(d))
	}
	_, err = w.Tab("").Evaluate(w.ctx, "1", nil)
	w.blocks("a new evaluate in the opener", err)
	w.answer(host.DialogResponse{Accept: true})
	want(t, "the page", w.reported("said"), "true")
	want(t, "a script in the opener", w.evaluate("1 + 1"), "2")
}
