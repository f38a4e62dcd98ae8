package lifecycle

import (
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

func TestAChainEndsWithTheFirstDecisionOrFault(t *testing.T) {
	for name, c := range map[string]struct {
		chain    []string // fixtures
		outcomes string
		fault    string
	}{
		"the first that decides":          {[]string{"abstain", "answer", "trap_later"}, "abstained decided", ""},
		"nobody has an opinion":           {[]string{"abstain", "abstain"}, "abstained abstained", ""},
		"an error is not passed on":       {[]string{"error", "answer"}, "error", "could not decide: no rule"},
		"a fault is not passed on either": {[]string{"abstain", "trap_later", "answer"}, "abstained fault", "trap"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			for i, f := range c.chain {
				w.add(string(rune('a'+i)), fixture(t, f))
			}
			_, out := w.dialog("task")
			var outcomes []string
			for _, call := range out.Calls {
				outcomes = append(outcomes, string(call.Outcome))
			}
			if got := strings.Join(outcomes, " "); got != c.outcomes || out.Decided != strings.HasSuffix(got, "decided") {
				t.Errorf("the outcomes are %s, decided %v; want %s", got, out.Decided, c.outcomes)
			}
			if (out.Fault == "") != (c.fault == "") || !strings.Contains(out.Fault, c.fault) {
				t.Errorf("the fault is %q, want %q", out.Fault, c.fault)
			}
			recorded := w.ring.Recent("", 0)
			if len(recorded) != len(out.Calls) {
				t.Fatalf("%d calls are in the journal, want %d", len(recorded), len(out.Calls))
			}
			for i, e := range recorded {
				if e.Sequence != out.Sequence || e.Outcome != out.Calls[i].Outcome || e.Plugin != out.Calls[i].Module || e.SHA256 != out.Calls[i].SHA256 ||
					e.Generation != 1 || e.Subject != "d-1" || e.Task != "task" || e.Hook != abi.HookDialog || e.Time.IsZero() || e.Candidate {
					t.Errorf("the journal has %+v", e)
				}
				var event abi.DialogEvent
				if err := event.Unmarshal(e.Event); err != nil || event.Header.Sequence != e.Sequence || event.Header.TimeUnixNano != e.Time.UnixNano() {
					t.Errorf("the event is %+v, %v", event, err)
				}
			}
		})
	}
}

func TestAQuestionToAModuleThatIsHeld(t *testing.T) {
	w := newWorld(t)
	w.add("a", stamped(t, "answer", "stamp--A"))
	w.add("b", stamped(t, "answer", "stamp--B"))
	held, err := w.Hold("b", "task")
	if err != nil {
		t.Fatal(err)
	}
	w.shadowed("b", stamped(t, "answer", "stamp--X"))
	w.swap("b", stamped(t, "answer", "stamp--C"))
	e := abi.DialogEvent{}
	var v abi.DialogVerdict
	out := w.Ask(ctx0, Question{Hook: abi.HookDialog, Held: held, Header: &e.Header, Encode: e.Append, Decode: v.Unmarshal})
	if !out.Decided || v.Rule != "stamp--B" || len(out.Calls) != 1 || out.Calls[0].SHA256 != held.SHA256() {
		t.Errorf("got %+v, %+v", v, out)
	}
	if s := w.compared("b"); s.Compared != 1 || s.Differing != 1 {
		t.Errorf("the shadow is %+v", s)
	}
	held.Release()
	w.drained()
	if _, err := w.Hold("c", "task"); !errors.Is(err, fault.ErrUnknownPlugin) {
		t.Errorf("no such plugin: %v", err)
	}
}

func TestEachPluginSeesTheTasksConfigurationForIt(t *testing.T) {
	w := newWorld(t, func(o *Options) {
		o.TaskConfig = func(task, name string) abi.Struct {
			return abi.Struct{{Key: "for", Value: abi.StringValue(name + " of " + task)}}
		}
	})
	w.add("a", fixture(t, "abstain"))
	w.add("b", fixture(t, "answer"))
	w.says()
	for _, e := range w.ring.Recent("", 0) {
		var event abi.DialogEvent
		if err := event.Unmarshal(e.Event); err != nil || len(event.Header.TaskConfig) != 1 || event.Header.TaskConfig[0].Value.String != e.Plugin+" of task" {
			t.Errorf("the event of %s is %+v, %v", e.Plugin, event, err)
		}
	}
}

func TestAPanicOfTheDecoderLeavesNoUser(t *testing.T) {
	w := newWorld(t)
	w.add("policy", fixture(t, "answer"))
	func() {
		defer func() { _ = recover() }()
		e := abi.DialogEvent{}
		w.Ask(ctx0, Question{Hook: abi.HookDialog, Header: &e.Header, Encode: e.Append, Decode: func([]byte) error { panic("a bug") }})
	}()
	w.swap("policy", stamped(t, "answer", "stamp--B"))
	w.wantSays("stamp--B")
	w.drained()
	if w.Asking() != 0 {
		t.Errorf("%d calls are under way", w.Asking())
	}
}

func TestCallsThatDoNotReachTheModuleAreNoFaultOfIts(t *testing.T) {
	w := newWorld(t)
	w.add("policy", fixture(t, "answer"), func(s *Spec) { s.Limits.EventBytes = 256 })
	e := abi.DialogEvent{Message: strings.Repeat("long", 100)}
	for range 10 {
		out := w.Ask(ctx0, Question{Hook: abi.HookDialog, Header: &e.Header, Encode: e.Append})
		if !errors.Is(out.Err, plugin.ErrEventTooLarge) || out.Calls[0].Outcome != journal.OutcomeFault {
			t.Fatalf("got %+v", out)
		}
	}
	if p := w.plugin("policy"); p.State != StateServing || p.Tally.Returns != 0 {
		t.Errorf("the plugin is %+v", p)
	}
	if calls := w.ring.Recent("policy", 0); calls[0].Fault != "event_too_large" {
		t.Errorf("the journal has the fault %q", calls[0].Fault)
	}
}

func TestTheSubjectOfEveryEvent(t *testing.T) {
	header := abi.Header{TaskID: "task", RandomSeed: make([]byte, 200)}
	for hook, c := range map[abi.Hook]struct {
		event []byte
		want  string
	}{
		abi.HookDialog:        {(&abi.DialogEvent{Header: header, DialogID: "d-7", Message: "m"}).Append(nil), "d-7"},
		abi.HookDialogClosed:  {(&abi.DialogClosedEvent{Header: header, DialogID: "d-8"}).Append(nil), "d-8"},
		abi.HookFrames:        {(&abi.FramesEvent{Header: header, TargetID: "T1"}).Append(nil), "T1"},
		abi.HookNavigate:      {(&abi.NavigateEvent{Header: header, URL: "u", FrameKind: abi.FrameKindTop, TargetID: "T2"}).Append(nil), "T2"},
		abi.HookRequest:       {(&abi.RequestEvent{Header: header, URL: "u", Headers: []abi.HTTPHeader{{Name: "n"}}, TargetID: "T4"}).Append(nil), "T4"},
		abi.HookToolCall:      {(&abi.ToolCallEvent{Header: header, Tool: "tool", TargetID: "T3"}).Append(nil), "T3"},
		abi.HookBeforeTool:    {(&abi.ToolUseEvent{Header: header, Tool: "tool", TargetID: "T5"}).Append(nil), "T5"},
		abi.HookConsole:       {(&abi.ConsoleEvent{Header: header, Type: "log", TargetID: "T7"}).Append(nil), "T7"},
		abi.HookDownload:      {(&abi.FileEvent{Header: header, TargetID: "T8", Name: "n"}).Append(nil), "T8"},
		abi.HookUpload:        {(&abi.FileEvent{Header: header, TargetID: "T9", Name: "n"}).Append(nil), "T9"},
		abi.HookAfterTool:     {(&abi.ToolUseEvent{Header: header, Tool: "tool", TargetID: "T6"}).Append(nil), "T6"},
		abi.HookBridgeScript:  {(&abi.BridgeScriptEvent{Header: header, PauseToken: "secret"}).Append(nil), ""},
		abi.HookBridgeRequest: {(&abi.BridgeRequestEvent{Header: header, Payload: "p"}).Append(nil), ""},
		abi.HookBridgeReply:   {(&abi.BridgeReplyEvent{Header: header, Payload: "p"}).Append(nil), ""},
	} {
		if got := subject(hook, c.event); got != c.want {
			t.Errorf("%s: the subject is %q, want %q", hook, got, c.want)
		}
		for cut := range c.event {
			subject(hook, c.event[:cut]) // must not panic
		}
	}
}
