package supervise_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func (s *script) verdict(v abi.DialogVerdict) *script {
	s.t.Helper()
	return s.on(supervise.DialogVerdict{Token: s.lastAsk().Token, Verdict: v})
}

func TestTheLifeOfADialog(t *testing.T) {
	confirm := opens("tab", abi.DialogTypeConfirm)
	for name, c := range map[string]struct {
		story func(s *script)
		want  string
	}{
		"an agent's answer closes it once the browser confirms": {func(s *script) {
			s.respond("d-1", true)
			s.wantDialogs("d-1 answering").on(closes("tab", true)).wantDialogs("d-1 answering").ok("page answer accept")
		}, "d-1 agent"},
		"a plugin accepts it": {func(s *script) {
			s.verdict(abi.DialogVerdict{Action: abi.DialogActionAccept}).ok("page answer accept")
		}, "d-1 auto_policy"},
		"a plugin holds it and nobody answers": {func(s *script) {
			s.verdict(abi.DialogVerdict{Action: abi.DialogActionHold}).pass(300 * time.Second).ok("page answer dismiss")
		}, "d-1 watchdog"},
		"a plugin holds it for a time of its own": {func(s *script) {
			s.verdict(abi.DialogVerdict{Action: abi.DialogActionHold, TimeoutMs: 1000}).pass(time.Second).ok("page answer dismiss")
		}, "d-1 watchdog"},
		"a plugin fails and nobody answers": {func(s *script) {
			s.on(supervise.DialogVerdict{Token: s.lastAsk().Token, Fault: "it trapped"}).pass(300 * time.Second).ok("page answer dismiss")
		}, "d-1 plugin_fault"},
		"a plugin says what the host does not know and nobody answers": {func(s *script) {
			s.verdict(abi.DialogVerdict{Action: 9}).pass(300 * time.Second).ok("page answer dismiss")
		}, "d-1 plugin_fault"},
		"a plugin never answers, and nobody else does": {func(s *script) {
			s.pass(300 * time.Second).ok("page answer dismiss")
		}, "d-1 plugin_fault"},
		"another client closes it": {func(s *script) { s.on(closes("tab", true)) }, "d-1 remote"},
		"another client is faster than our answer": {func(s *script) {
			s.respond("", true)
			s.on(closes("tab", false)).refuse("page answer accept", "No dialog is showing")
		}, "d-1 remote"},
		"the plugin is slower than the agent": {func(s *script) {
			ask := s.lastAsk()
			s.respond("", false)
			s.on(supervise.DialogVerdict{Token: ask.Token, Verdict: abi.DialogVerdict{Action: abi.DialogActionAccept}})
			s.ok("page answer dismiss")
		}, "d-1 agent"},
		"the browser refuses the answer, and takes the watchdog's": {func(s *script) {
			s.respond("", true)
			s.refuse("page answer accept", "some other error").wantDialogs("d-1 pending").pass(300 * time.Second).ok("page answer dismiss")
		}, "d-1 watchdog"},
		"the browser confirms nothing, and takes the watchdog's answer": {func(s *script) {
			s.verdict(abi.DialogVerdict{Action: abi.DialogActionAccept}).pass(5 * time.Second)
			s.wantDialogs("d-1 pending").pass(295 * time.Second).ok("page answer dismiss")
		}, "d-1 watchdog"},
		"its tab closes":          {func(s *script) { s.on(supervise.Detached{Session: "page"}) }, "d-1 remote"},
		"its renderer crashes":    {func(s *script) { s.on(supervise.SessionCrashed{Session: "page"}) }, "d-1 remote"},
		"the connection is lost":  {func(s *script) { s.on(supervise.ConnectionLost{}) }, "d-1 disconnected"},
		"its page is being left":  {trapped, "d-1 remote"},
		"it is closed only once":  {func(s *script) { s.on(closes("tab", true), closes("tab", false)) }, "d-1 remote"},
		"a closed frame is named": {func(s *script) { s.on(closes("other", true)).wantDialogs("d-1 pending").on(closes("", true)) }, "d-1 remote"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t).on(confirm).wantDialogs("d-1 pending")
			c.story(s)
			s.wantDialogs(c.want)
			if len(s.timers) != 0 {
				t.Errorf("timers are left: %v", s.timers)
			}
			if closed := len(effectsOf[supervise.TellClosed](s)); closed > 1 {
				t.Errorf("the plugins were told %d times", closed)
			}
		})
	}
}

// trapped is the reply to an answer to a dialog that opened while its page was being left.
func trapped(s *script) {
	s.respond("", true)
	s.refuse("page answer accept", "Not attached to an active page").quiet()
	s.on(closes("tab", false)).ok(release)
}

func TestTheTextOfAPrompt(t *testing.T) {
	text := "the agent's"
	for name, c := range map[string]struct {
		answer func(s *script)
		sent   string
	}{
		"an agent's text": {func(s *script) {
			s.abstain().on(supervise.Respond{Request: 1, Task: "task", Accept: true, Text: &text})
		}, "page answer accept the agent's"},
		"the page's default where an agent gives none":  {func(s *script) { s.respond("", true) }, "page answer accept default"},
		"the page's default where a plugin gives none":  {func(s *script) { s.verdict(abi.DialogVerdict{Action: abi.DialogActionAccept}) }, "page answer accept default"},
		"an empty text where a plugin gives one":        {func(s *script) { s.verdict(abi.DialogVerdict{Action: abi.DialogActionAccept, HasText: true}) }, "page answer accept"},
		"no text where the prompt is dismissed":         {func(s *script) { s.respond("", false) }, "page answer dismiss"},
		"the watchdog dismisses and gives no text then": {func(s *script) { s.pass(300 * time.Second) }, "page answer dismiss"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t).on(opens("tab", abi.DialogTypePrompt))
			c.answer(s)
			s.wantSent(c.sent)
		})
	}
}

func TestAnAnswerThatIsNotTakenSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		story func(s *script) supervise.RequestID
		want  supervise.DialogErrorKind
	}{
		"nothing is open":             {func(s *script) supervise.RequestID { return s.respond("", true) }, supervise.DialogNone},
		"the id is of no open dialog": {func(s *script) supervise.RequestID { s.on(opens("tab", 1)); return s.respond("d-9", true) }, supervise.DialogUnknown},
		"an answer is under way": {func(s *script) supervise.RequestID {
			s.on(opens("tab", 1))
			s.respond("", true)
			return s.respond("d-1", true)
		}, supervise.DialogBusy},
		"an answer is under way and none is named": {func(s *script) supervise.RequestID {
			s.on(opens("tab", 1))
			s.respond("", true)
			return s.respond("", true)
		}, supervise.DialogBusy},
		"several are open and none is named": {func(s *script) supervise.RequestID {
			other := opens("popup", 1)
			other.Session = "popup"
			s.on(popup("popup", "popup", "tab"), opens("tab", 1), other)
			return s.respond("", true)
		}, supervise.DialogAmbiguous},
		"it ended first": {func(s *script) supervise.RequestID {
			s.on(opens("tab", 1))
			id := s.respond("", true)
			s.on(supervise.Detached{Session: "page"})
			return id
		}, supervise.DialogGone},
		"the browser refused": {func(s *script) supervise.RequestID {
			s.on(opens("tab", 1))
			id := s.respond("", true)
			s.refuse("page answer accept", "some other error")
			return id
		}, supervise.DialogRefused},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			r := s.replyTo(c.story(s))
			var err *supervise.DialogError
			if !errors.As(r.Err, &err) || err.Kind != c.want || err.Error() == "" {
				t.Fatalf("the reply is %+v, want kind %d", r.Err, c.want)
			}
		})
	}
}

func TestASecondDialogOfATabIsFreedAndTheFirstIsClosedByTheBrowser(t *testing.T) {
	s := withOOPIF(t).on(opens("tab", abi.DialogTypeConfirm)).quiet()
	s.on(opens("frame", abi.DialogTypeConfirm)).wantSent(release).wantDialogs("d-1 pending", "d-2 answering")
	s.on(closes("tab", false)).wantDialogs("d-1 remote", "d-2 answering")
	s.on(closes("frame", false)).ok(release).wantSent().wantDialogs("d-1 remote", "d-2 remote")
}

func TestOnlyTheLastTwentyDialogsAreRemembered(t *testing.T) {
	s := newStory(t)
	for range 25 {
		s.on(opens("tab", abi.DialogTypeAlert), closes("tab", true))
	}
	v, _ := s.state.View("task")
	if len(v.Recent) != 20 || v.Recent[0].ID != "d-6" {
		t.Fatalf("%d are remembered, the oldest is %s", len(v.Recent), v.Recent[0].ID)
	}
}

func TestOnlyTheLastFiftyConsoleEntriesAreRemembered(t *testing.T) {
	s := newStory(t)
	for i := range 60 {
		s.on(supervise.ConsoleMessage{Session: "page", Entry: supervise.ConsoleEntry{Type: "log", Text: strconv.Itoa(i)}})
	}
	v, _ := s.state.View("task")
	if len(v.Console) != 50 || v.Console[0].Text != "10" || v.ConsoleTotal != 60 {
		t.Fatalf("%d of %d are remembered, the oldest is %q", len(v.Console), v.ConsoleTotal, v.Console[0].Text)
	}
}

func TestATextOfAnyLengthReachesThePluginCutAndThePageWhole(t *testing.T) {
	long := strings.Repeat("long ", 100_000)
	s := newStory(t)
	opening := opens("tab", abi.DialogTypePrompt)
	opening.Message, opening.DefaultPrompt, opening.URL = long, long, "data:,"+long
	s.on(opening)
	ask := s.lastAsk()
	if size := len(ask.Event.Append(nil)); size > abi.DefaultEventBytes {
		t.Errorf("the event has %d bytes, more than the %d that a plugin takes", size, abi.DefaultEventBytes)
	}
	s.on(supervise.DialogVerdict{Token: ask.Token, Verdict: abi.DialogVerdict{Action: abi.DialogActionAccept}})
	for _, send := range s.sends {
		if p, ok := send.Params.(*cdppage.HandleJavaScriptDialogParams); ok && p.PromptText == long {
			return
		}
	}
	t.Error("the page does not get its whole default text")
}

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

// record is the record of the task's only dialog.
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
