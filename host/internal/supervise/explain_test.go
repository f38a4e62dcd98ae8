package supervise_test

import (
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func TestARecordSaysWhatAModuleSawAndSaidAndWhen(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm))
	opened := s.now
	before := s.record()
	s.pass(time.Millisecond)
	event, calls := &abi.DialogEvent{DialogID: "d-1"}, []supervise.HookCall{{Module: "policy", Outcome: "decided"}}
	s.on(supervise.DialogVerdict{
		Token: s.lastAsk().Token, Verdict: abi.DialogVerdict{Action: abi.DialogActionAccept, Rule: "a rule"}, Event: event, Calls: calls,
	})
	s.pass(time.Millisecond).ok("page answer accept")

	r := s.record()
	if r.Event != event || len(r.Calls) != 1 || r.Verdict == nil || r.Verdict.Rule != "a rule" {
		t.Errorf("the record is %+v", r)
	}
	if decided := opened.Add(time.Millisecond); !r.AskedAt.Equal(opened) || !r.DecidedAt.Equal(decided) || !r.AnsweredAt.Equal(decided) {
		t.Errorf("asked %v, decided %v, answered %v", r.AskedAt, r.DecidedAt, r.AnsweredAt)
	}
	if !before.DecidedAt.IsZero() || before.Verdict != nil {
		t.Errorf("a record that was shown changed: %+v", before)
	}
}

func TestARecordOfAFaultHasNoVerdict(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm))
	s.on(supervise.DialogVerdict{Token: s.lastAsk().Token, Fault: "it trapped", Calls: []supervise.HookCall{{Fault: "it trapped"}}})
	if r := s.record(); r.Verdict != nil || len(r.Calls) != 1 || r.DecidedAt.IsZero() || !r.AnsweredAt.IsZero() {
		t.Errorf("the record is %+v", r)
	}
}

// record is that of the task's only dialog.
func (s *script) record() *supervise.DialogRecord {
	s.t.Helper()
	v, _ := s.state.View("task")
	all := append(v.Pending, v.Recent...)
	if len(all) != 1 || all[0].Record == nil {
		s.t.Fatalf("dialogs %+v", all)
	}
	return all[0].Record
}

func TestAFilteredTreeHasItsRecord(t *testing.T) {
	s := newStory(t).settle()
	ask := effectsOf[supervise.AskFrames](s)[0]
	s.pass(time.Millisecond)
	s.on(supervise.FramesVerdict{Token: ask.Token, Verdict: abi.FramesVerdict{Kept: []uint32{0}, Rule: "all"}})
	v, _ := s.state.View("task")
	r := v.Targets[0].FilteredRecord
	if r == nil || r.Verdict == nil || r.Verdict.Rule != "all" || len(r.Frames) != 1 || r.DecidedAt.Sub(r.AskedAt) != time.Millisecond {
		t.Fatalf("the record is %+v", r)
	}
}
