package e2e

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestAnArmedAnswerClosesTheNextDialog(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{DialogPolicy: "must_respond"})
	w.open("/empty")
	armed, err := w.ArmDialog(w.ctx, host.ArmedAnswer{Accept: true, PromptText: ptr("from before"), Type: "prompt", Expires: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if a := w.Snapshot().Armed; a == nil || a.Type != "prompt" || !a.ExpiresAt.Equal(armed.ExpiresAt.Time) {
		t.Fatalf("the snapshot shows %s", shared.Dump(a))
	}
	want(t, "what prompt gives", w.evaluate("prompt('name?', 'default')"), `"from before"`)
	d := w.closed(1)[0]
	want(t, "closed_by", d.ClosedBy, "agent")
	want(t, "the rule", d.DecidedBy.Rule, "armed")

	w.start("globalThis.second = prompt('again?', 'default')")
	w.answer(host.DialogResponse{DialogID: w.dialog().ID})
	_, err = w.ArmDialog(w.ctx, host.ArmedAnswer{Type: "dialogue"})
	wantError(t, err, host.ErrDialogType)
}

func TestADialogIsExplained(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{DialogPolicy: "auto_accept"})
	w.open("/empty")
	want(t, "what confirm gives", w.evaluate("confirm('explain this')"), "true")
	d := w.closed(1)[0]
	e, err := w.ExplainDialog(d.ID)
	if err != nil {
		t.Fatal(err)
	}
	var event struct {
		Header  struct{ Sequence uint64 }
		Message string
		Policy  string
	}
	var verdict struct{ Action, Rule string }
	if err := json.Unmarshal(e.Event, &event); err != nil {
		t.Fatalf("%v: %s", err, e.Event)
	}
	if err := json.Unmarshal(e.Verdict, &verdict); err != nil {
		t.Fatalf("%v: %s", err, e.Verdict)
	}
	if event.Message != "explain this" || event.Policy != "auto_accept" || event.Header.Sequence != d.DecidedBy.Sequence {
		t.Errorf("the event is %s", e.Event)
	}
	if verdict.Action != "accept" || verdict.Rule != d.DecidedBy.Rule {
		t.Errorf("the verdict is %s", e.Verdict)
	}
	if len(e.Calls) != 1 || e.Calls[0].Outcome != "decided" || len(e.Calls[0].SHA256) != 64 || e.Calls[0].Duration <= 0 {
		t.Errorf("the calls are %s", shared.Dump(e.Calls))
	}
	at := e.Timings
	if at.Asked == nil || at.Decided == nil || at.Answered == nil || at.Closed == nil ||
		*at.Asked > *at.Decided || *at.Decided > *at.Answered || *at.Answered > *at.Closed {
		t.Errorf("the timings are %s", shared.Dump(at))
	}
	_, err = w.ExplainDialog("d-99")
	wantError(t, err, host.ErrUnknownDialog)
}

func TestAFrameThatWasLeftOutIsExplained(t *testing.T) {
	w := newWorld(t, map[string]string{"/many": "<iframe srcdoc=a></iframe><iframe srcdoc=b></iframe>"}, host.TaskOptions{
		PluginConfig: map[string]map[string]any{"frame-filter": {"max_children": 1}},
	})
	w.open("/many")
	w.await("a filtered tree with one child", func(s *host.Snapshot) bool {
		p := s.Page()
		return p != nil && p.FrameTree != nil && p.FrameTree.Truncated
	})
	list, err := w.ExplainFrames()
	if err != nil || len(list) != 1 {
		t.Fatalf("%v: %s", err, shared.Dump(list))
	}
	e := list[0]
	if len(e.Frames) != 3 || !e.Frames[0].Kept || !e.Frames[1].Kept || e.Frames[2].Kept || e.Frames[2].Reason == "" || e.Frames[2].Reason != e.DecidedBy.Rule {
		t.Errorf("the frames are %s", shared.Dump(e))
	}
	if len(e.Event) == 0 || len(e.Verdict) == 0 || len(e.Calls) != 1 || e.Took <= 0 {
		t.Errorf("the explanation is %s", shared.Dump(e))
	}
}

func TestCountersOutliveTheirTasksAndConnections(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{DialogPolicy: "auto_accept"})
	w.open("/empty")
	w.evaluate("alert('one')")
	w.evaluate("confirm('two')")
	w.closed(2)
	check := func(when string) {
		t.Helper()
		c := w.host.Counters()
		want(t, when+": alerts", c.Dialogs.ByType["alert"], 1)
		want(t, when+": confirms", c.Dialogs.ByType["confirm"], 1)
		want(t, when+": by policy", c.Dialogs.ByPolicy["auto_accept"], 2)
		want(t, when+": by closed_by", c.Dialogs.ByClosedBy["auto_policy"], 2)
		if c.Verdicts.Applied < 2 || c.Events.Decoded == 0 || c.Plugins["dialog-policy"].Calls < 2 || c.Plugins["dialog-policy"].TotalTime <= 0 {
			t.Errorf("%s: the counters are %s", when, shared.Dump(c))
		}
	}
	check("while the task lives")
	if err := w.Close(w.ctx); err != nil {
		t.Fatal(err)
	}
	check("after its end")
	again := attachAs(t, w.host, "again", w.address, host.TaskOptions{Scope: host.ScopeContext, DialogPolicy: "auto_accept"})
	if _, err := again.Tab("").Evaluate(w.ctx, "alert('three')", nil); err != nil {
		t.Fatal(err)
	}
	want(t, "alerts of both connections", w.host.Counters().Dialogs.ByType["alert"], 2)
}

func TestTheConsoleIsCleared(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	w.evaluate("console.log('one')")
	w.await("the message", func(s *host.Snapshot) bool { return len(s.Console) == 1 })
	if err := w.ClearConsole(w.ctx); err != nil {
		t.Fatal(err)
	}
	if s := w.Snapshot(); len(s.Console) != 0 || s.ConsoleTotal != 1 {
		t.Errorf("after the clearing: %s", shared.Dump(s.Console))
	}
}
