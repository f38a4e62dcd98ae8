package e2e

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// interrupted checks that an error is a dialog's and that the call can be resumed.
func (w *world) interrupted(what string, err error) (callID string) {
	w.t.Helper()
	w.blocks(what, err)
	var blocked *host.BlockedError
	errors.As(err, &blocked)
	if blocked.CallID == "" || host.CodeOf(err) != host.ErrBlockedByDialog {
		w.t.Fatalf("%s: it has no call id: %v", what, err)
	}
	return blocked.CallID
}

func TestACallThatADialogBlocksIsResumed(t *testing.T) {
	w := newWorld(t, framePages, host.TaskOptions{})
	w.openFrames()
	frames := w.frameIDs()
	frames["top"] = ""
	for name, frame := range frames {
		for _, tc := range []struct{ expression, value, element string }{
			{"globalThis.runs = (globalThis.runs ?? 0) + 1; [runs, confirm('1'), confirm('2'), prompt('3')]", `[%d,true,false,"text"]`, ""},
			{"(async () => { runs++; await 0; return [runs, confirm('1'), confirm('2'), prompt('3')] })()", `[%d,true,false,"text"]`, ""},
			{"runs++; ({get a() { return [runs, confirm('1'), confirm('2'), prompt('3')] }})", `{"a":[%d,true,false,"text"]}`, ""},
			{"e => [++runs, confirm('1'), confirm('2'), prompt('3')]", `[%d,true,false,"text"]`, "*"},
		} {
			runs, err := w.Tab("").Evaluate(w.ctx, "(globalThis.runs ?? 0) + 1", &host.EvaluateOptions{Locator: host.InFrame(frame)})
			if err != nil {
				t.Fatal(err)
			}
			var n int
			fmt.Sscan(string(runs.Value), &n)
			_, err = w.Tab("").Evaluate(w.ctx, tc.expression, &host.EvaluateOptions{Locator: host.Locator{FrameID: frame, Selector: tc.element}, AwaitPromise: true})
			id := w.interrupted(name, err)
			w.answer(host.DialogResponse{Accept: true})
			_, err = w.Resume(w.ctx, id)
			want(t, "the call id at the second dialog", w.interrupted(name, err), id)
			w.answer(host.DialogResponse{Accept: false})
			_, err = w.Resume(w.ctx, id)
			want(t, "the call id at the third dialog", w.interrupted(name, err), id)
			w.answer(host.DialogResponse{Accept: true, PromptText: ptr("text")})
			r, err := w.Resume(w.ctx, id)
			if err != nil || r.Evaluation == nil || r.CDP != nil || string(r.Evaluation.Value) != fmt.Sprintf(tc.value, n) {
				t.Fatalf("%s in %s: %s, %v", tc.expression, name, shared.Dump(r), err)
			}
			_, err = w.Resume(w.ctx, id)
			wantError(t, err, host.ErrUnknownCall)
		}
	}
	for _, id := range []string{"c-999", "c-0", "c", ""} {
		_, err := w.Resume(w.ctx, id)
		wantError(t, err, host.ErrUnknownCall)
		if !strings.Contains(err.Error(), "no call has this id") {
			t.Errorf("the error of %q, which nobody has: %v", id, err)
		}
	}
}

func TestARawCallThatADialogBlocksIsResumed(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	_, err := w.CDP(w.ctx, host.CDPCall{Method: "Runtime.evaluate", Params: []byte(`{"expression":"[confirm('1')]","returnByValue":true}`)})
	id := w.interrupted("the raw call", err)
	_, err = w.CDP(w.ctx, host.CDPCall{Method: "Runtime.evaluate", Params: []byte(`{"expression":"report('ran')"}`)})
	var blocked *host.BlockedError
	if !errors.As(err, &blocked) || blocked.CallID != "" {
		t.Errorf("a call that was not begun: %v", err)
	}
	// The agent answers by raw CDP, too.
	if _, err := w.CDP(w.ctx, host.CDPCall{Method: "Page.handleJavaScriptDialog", Params: []byte(`{"accept":true}`)}); err != nil {
		t.Fatal(err)
	}
	want(t, "who closed it", w.closed(1)[0].ClosedBy, "agent")
	r, err := w.Resume(w.ctx, id)
	if err != nil || r.CDP == nil || r.CDP.Method != "Runtime.evaluate" || string(r.CDP.Result) != `{"result":{"type":"object","value":[true]}}` {
		t.Errorf("resumed: %s, %v", shared.Dump(r), err)
	}
	want(t, "what was refused ran", w.hasReported("ran"), false)
}

// The budget is not spent while a dialog is open, and goes on afterwards.
func TestTheClockOfACallStandsWhileADialogIsOpen(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	budget := shared.Patience(time.Second)
	_, err := w.Tab("").Evaluate(within(t, w.ctx, budget), "alert('wait'); const end = performance.now() + 200; while (performance.now() < end); 'done'", nil)
	id := w.interrupted("the call", err)
	ctx, cancel := context.WithTimeout(w.ctx, budget+200*time.Millisecond)
	defer cancel()
	_, err = w.Resume(ctx, id)
	w.interrupted("resumed too early", err)
	<-ctx.Done() // longer than the whole budget
	w.answer(host.DialogResponse{Accept: true})
	r, err := w.Resume(w.ctx, id)
	if err != nil || string(r.Evaluation.Value) != `"done"` {
		t.Errorf("resumed: %s, %v", shared.Dump(r), err)
	}
	_, err = w.Tab("").Evaluate(within(t, w.ctx, budget), "alert('then loop'); while (true) {}", nil)
	id = w.interrupted("the loop", err)
	w.answer(host.DialogResponse{Accept: true})
	_, err = w.Resume(w.ctx, id)
	var stopped *host.StoppedError
	if !errors.As(err, &stopped) || !stopped.Terminated || !errors.Is(err, host.ErrTimeout) {
		t.Errorf("the loop after the dialog: %v", err)
	}
	want(t, "the tab", w.evaluate("1 + 1"), "2")
}

func TestAnImpatientResumeLeavesTheCallAlone(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	_, err := w.Tab("").Evaluate(w.ctx, "confirm('1'); new Promise(r => { globalThis.go = r })", &host.EvaluateOptions{AwaitPromise: true})
	id := w.interrupted("the call", err)
	w.answer(host.DialogResponse{Accept: true})
	ctx, cancel := context.WithTimeout(w.ctx, short)
	defer cancel()
	_, err = w.Resume(ctx, id)
	wantError(t, err, host.ErrTimeout)
	w.evaluate("go('gone')")
	r, err := w.Resume(w.ctx, id)
	if err != nil || string(r.Evaluation.Value) != `"gone"` {
		t.Errorf("resumed: %s, %v", shared.Dump(r), err)
	}
}

// The oldest of too many calls that wait to be resumed is dropped.
func TestParkedCallsAreBounded(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	var ids []string
	for range 65 {
		_, err := w.Tab("").Evaluate(w.ctx, "confirm('again')", nil)
		ids = append(ids, w.interrupted("the call", err))
		w.answer(host.DialogResponse{Accept: true})
	}
	_, err := w.Resume(w.ctx, ids[0])
	wantError(t, err, host.ErrUnknownCall)
	for _, id := range []string{ids[64], ids[1]} {
		if r, err := w.Resume(w.ctx, id); err != nil || string(r.Evaluation.Value) != "true" {
			t.Errorf("%s: %s, %v", id, shared.Dump(r), err)
		}
	}
}
