package e2e

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// short is a time in which nothing that is meant to hang comes to an end, and everything else has begun.
const short = time.Second

// stoppedBy runs an expression that never ends for some time and gives its error. A loop takes the processor for as
// long.
func (w *world) stoppedBy(limit time.Duration, expression string, o host.EvaluateOptions) *host.StoppedError {
	w.t.Helper()
	for {
		_, err := w.Tab("").Evaluate(within(w.t, w.ctx, limit), expression, &o)
		var stopped *host.StoppedError
		switch is := errors.As(err, &stopped); {
		case errors.Is(err, host.ErrRendererBusy), is && !stopped.Sent: // nothing was run: the machine is busy
		case !is || !errors.Is(err, host.ErrTimeout) || host.CodeOf(err) != host.ErrTimeout:
			w.t.Fatalf("%s: %v", expression, err)
		default:
			return stopped
		}
	}
}

// wasEnded tells whether the script of a call was ended with its time: on a busy machine that goes on behind the call.
// Whether it came to that is seen in the next call.
func wasEnded(s *host.StoppedError) bool { return s.Terminated || s.Ending }

func TestAnEndlessLoopIsTerminatedAndTheTabKeepsItsState(t *testing.T) {
	w := newWorld(t, framePages, host.TaskOptions{})
	w.openFrames()
	for name, frame := range w.frameIDs() {
		o := host.EvaluateOptions{Locator: host.InFrame(frame)}
		if _, err := w.Tab("").Evaluate(w.ctx, "globalThis.kept = 'state'; 0", &o); err != nil {
			t.Fatal(err)
		}
		for _, expression := range []string{"kept += '!'; while (true) {}", "new Promise(() => { while (true) {} })", "({get loops() { while (true) {} }})"} {
			if s := w.stoppedBy(shared.Soon(), expression, o); !wasEnded(s) {
				t.Errorf("%s in %s was not terminated: %v", expression, name, s)
			}
			got, err := w.Tab("").Evaluate(w.ctx, "kept", &o)
			if err != nil || string(got.Value) != `"state!"` {
				t.Errorf("%s afterwards: %s, %v", name, got.Value, err)
			}
		}
		awaited := o
		awaited.AwaitPromise = true
		if s := w.stoppedBy(shared.Soon(), "(async () => { await 0; while (true) {} })()", awaited); !wasEnded(s) {
			t.Errorf("a loop in a microtask was not terminated: %v", s)
		}
	}
	want(t, "the top frame", w.evaluate("1 + 1"), "2")
}

func TestAPromiseThatNeverEndsIsGivenUpAndNothingElseIsTerminated(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	// The page's own script is running, on and off, when the time is over.
	w.evaluate("globalThis.begun = 0; globalThis.ended = 0; setInterval(() => { begun++; const end = performance.now() + 40; while (performance.now() < end); ended++ }, 60); 0")
	for range 3 { // each with the time to see that its own script is over, on a busy machine too
		if s := w.stoppedBy(4*time.Second, "new Promise(() => {})", host.EvaluateOptions{AwaitPromise: true}); s.Terminated {
			t.Error("something was terminated")
		}
	}
	want(t, "scripts of the page that did not come to their end", w.evaluate("begun - ended"), "0")
	want(t, "the page goes on", w.evaluate("(async () => { const now = ended; while (ended < now + 3) await new Promise(r => setTimeout(r, 10)); return true })()"), "true")
}

func TestADebuggerStatementDoesNotHoldAnExpression(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	want(t, "value", w.evaluate("debugger; 7"), "7")
}

func TestACancelledEvaluateIsTerminated(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	ctx, cancel := context.WithCancelCause(w.ctx)
	reason := errors.New("the caller has lost interest")
	result := make(chan error, 1)
	go func() {
		// A synchronous request says that the loop begins: nothing else gets out of it.
		_, err := w.Tab("").Evaluate(ctx, "const r = new XMLHttpRequest(); r.open('POST', '/report/loops', false); r.send('1'); while (true) {}", nil)
		result <- err
	}()
	w.reported("loops")
	cancel(reason)
	err := <-result
	if !errors.Is(err, host.ErrAborted) || !errors.Is(err, reason) || host.CodeOf(err) != host.ErrAborted {
		t.Errorf("the error is %v", err)
	}
	want(t, "the tab", w.evaluate("1 + 1"), "2")
}

// A loop in one page keeps a popup of the same process from running anything, and nothing but that loop is ended.
func TestABusyRendererNamesTheCulprit(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	opener := w.Snapshot().Page().ID
	w.start("globalThis.popup = open('/empty')")
	s := w.await("the popup", func(s *host.Snapshot) bool {
		return len(s.Targets) == 2 && s.Targets[1].URL == w.url("localhost", "/empty")
	})
	popup := s.Targets[1].ID
	want(t, "the popup runs", w.evaluateIn(popup, "globalThis.ran = 'not'"), `"not"`)
	loop, soon := make(chan error, 1), shared.Soon()
	go func() {
		_, err := w.Tab(opener).Evaluate(within(t, w.ctx, 6*soon),
			"const r = new XMLHttpRequest(); r.open('POST', '/report/loops', false); r.send('1'); while (!globalThis.enough) {}", nil)
		loop <- err
	}()
	w.reported("loops")
	for _, id := range []string{popup, opener} {
		_, err := w.Tab(id).Evaluate(within(t, w.ctx, soon), "globalThis.ran = 'it did'", nil)
		var busy *host.RendererBusyError
		if !errors.As(err, &busy) || !errors.Is(err, host.ErrRendererBusy) || host.CodeOf(err) != host.ErrRendererBusy {
			t.Fatalf("in %s: %v", id, err)
		}
		want(t, "target", busy.TargetID, id)
		want(t, "culprit", busy.BusyTab, opener)
	}
	select {
	case err := <-loop:
		t.Fatalf("the loop ended before its time: %v", err)
	default:
	}
	if err := <-loop; !errors.Is(err, host.ErrTimeout) {
		t.Errorf("the loop: %v", err)
	}
	want(t, "what the popup ran", w.evaluateIn(popup, "globalThis.ran"), `"not"`)
	want(t, "what the opener ran", w.evaluateIn(opener, "typeof globalThis.ran"), `"undefined"`)
}

// A page whose own script loops is not touched by an expression that finds no time to run.
func TestABusyPageIsToldFromABusyCall(t *testing.T) {
	w := newWorld(t, framePages, host.TaskOptions{})
	w.openFrames()
	elsewhere := make(chan error, 1)
	go func() { // a call in the same tab, but in another process
		_, err := w.Tab("").Evaluate(within(t, w.ctx, shared.Patience(2*time.Second)),
			"const r = new XMLHttpRequest(); r.open('POST', '/report/loops', false); r.send('1'); while (true) {}",
			&host.EvaluateOptions{Locator: host.InFrame(w.frameIDs()["one"])})
		elsewhere <- err
	}()
	w.reported("loops")
	w.start("const r = new XMLHttpRequest(); r.open('POST', '/report/busy', false); r.send('1'); const end = performance.now() + 1500; while (performance.now() < end); globalThis.finished = true")
	w.reported("busy")
	_, err := w.Tab("").Evaluate(within(t, w.ctx, short), "globalThis.ran = true", nil)
	var busy *host.RendererBusyError
	if !errors.As(err, &busy) || busy.BusyTab != "" || busy.Elsewhere || len(busy.Siblings) != 0 {
		t.Fatalf("the error is %v", err)
	}
	wantError(t, <-elsewhere, host.ErrTimeout)
	want(t, "the page's script came to its end", w.evaluate("finished"), "true")
	want(t, "the expression was not run", w.evaluate("typeof ran"), `"undefined"`)
}

// Two expressions in one page: the second's end does not end the first.
func TestATimeoutEndsItsOwnScriptOnly(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	first := make(chan string, 1)
	go func() {
		got, err := w.Tab("").Evaluate(w.ctx, "const r = new XMLHttpRequest(); r.open('POST', '/report/first', false); r.send('1'); const end = performance.now() + 1500; while (performance.now() < end); 'whole'", nil)
		first <- string(got.Value) + " " + string(host.CodeOf(err))
	}()
	w.reported("first")
	_, err := w.Tab("").Evaluate(within(t, w.ctx, short), "globalThis.ran = true", nil)
	wantError(t, err, host.ErrRendererBusy)
	want(t, "the first", <-first, `"whole" `)
	want(t, "the second was not run", w.evaluate("typeof ran"), `"undefined"`)
}

// Raw commands that run script are ended like an Evaluate, and wait their turn like one.
func TestARawScriptIsTerminatedToo(t *testing.T) {
	w := newWorld(t, framePages, host.TaskOptions{})
	w.openFrames()
	w.evaluate("globalThis.kept = 1")
	for _, frame := range []string{"", w.frameIDs()["two"]} {
		_, err := w.CDP(within(t, w.ctx, actLimit), host.CDPCall{Method: "Runtime.evaluate", Params: params("expression", "while (true) {}"), FrameID: frame})
		var stopped *host.StoppedError
		if !errors.As(err, &stopped) || !wasEnded(stopped) || host.CodeOf(err) != host.ErrTimeout {
			t.Errorf("in %q: %v", frame, err)
		}
	}
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(w.ctx)
	go func() {
		_, err := w.CDP(ctx, host.CDPCall{Method: "Runtime.evaluate", Params: params("expression", "report('waits'); "+forever, "awaitPromise", true)})
		ended <- err
	}()
	w.reported("waits")
	want(t, "an expression beside a raw promise", w.evaluate("kept"), "1")
	cancel()
	wantError(t, <-ended, host.ErrAborted)
}

// An agent that debugs the page can hold it. What a call of ours runs is not held for longer than the call.
func TestAPauseOfTheAgentsDebuggerEndsWithTheCallThatMetIt(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	w.raw(host.CDPCall{Method: "Debugger.enable"})
	for _, awaits := range []bool{false, true} {
		if s := w.stoppedBy(shared.Soon(), "globalThis.before = 1; debugger; globalThis.after = 1", host.EvaluateOptions{AwaitPromise: awaits}); !wasEnded(s) {
			t.Errorf("the pause: %v", s)
		}
		want(t, "the next call", w.evaluate("[typeof before, typeof after]"), `["number","undefined"]`)
	}
	w.raw(host.CDPCall{Method: "Debugger.disable"})
	want(t, "without a debugger", w.evaluate("debugger; 7"), "7")
	w.usable()
}
