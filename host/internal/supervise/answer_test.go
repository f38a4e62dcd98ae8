package supervise_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func (s *script) arm(a supervise.Armed, expires time.Duration) *script {
	s.t.Helper()
	s.requests++
	s.on(supervise.ArmDialog{Request: s.requests, Task: "task", Answer: a, Expires: expires})
	if r := s.replyTo(s.requests); r.Err != nil || r.Armed == nil || r.Armed.Accept != a.Accept {
		s.t.Fatalf("the reply to arming is %+v", r)
	}
	return s
}

func (s *script) armed() *supervise.Armed {
	v, _ := s.state.View("task")
	return v.Armed
}

func TestAnArmedAnswer(t *testing.T) {
	accept := supervise.Armed{Accept: true}
	text := "armed text"
	for name, c := range map[string]struct {
		story func(s *script)
		want  []string
	}{
		"answers the next dialog": {func(s *script) {
			s.arm(accept, 0).on(opens("tab", abi.DialogTypeConfirm)).abstain().ok("page answer accept")
		}, []string{"d-1 agent"}},
		"answers one dialog only": {func(s *script) {
			s.arm(accept, 0).on(opens("tab", abi.DialogTypeConfirm)).abstain().ok("page answer accept").on(opens("tab", abi.DialogTypeConfirm))
		}, []string{"d-1 agent", "d-2 pending"}},
		"answers all of its type until it expires": {func(s *script) {
			s.arm(supervise.Armed{Type: abi.DialogTypeAlert, Repeat: true}, time.Second)
			for range 2 {
				s.on(opens("tab", abi.DialogTypeAlert)).abstain().ok("page answer dismiss")
			}
			s.on(opens("tab", abi.DialogTypeConfirm), closes("tab", true))
			s.on(opens("tab", abi.DialogTypeAlert)).abstain().ok("page answer dismiss")
			s.pass(time.Second).on(opens("tab", abi.DialogTypeAlert))
		}, []string{"d-1 agent", "d-2 agent", "d-3 remote", "d-4 agent", "d-5 pending"}},
		"gives its text to a prompt": {func(s *script) {
			s.arm(supervise.Armed{Accept: true, Text: &text}, 0).on(opens("tab", abi.DialogTypePrompt)).abstain().ok("page answer accept armed text")
		}, []string{"d-1 agent"}},
		"gives the page's default without a text": {func(s *script) {
			s.arm(accept, 0).on(opens("tab", abi.DialogTypePrompt)).abstain().ok("page answer accept default")
		}, []string{"d-1 agent"}},
		"waits for its type": {func(s *script) {
			s.arm(supervise.Armed{Type: abi.DialogTypeConfirm}, 0).on(opens("tab", abi.DialogTypeAlert), closes("tab", true))
			s.on(opens("tab", abi.DialogTypeConfirm)).abstain().ok("page answer dismiss")
		}, []string{"d-1 remote", "d-2 agent"}},
		"expires": {func(s *script) {
			s.arm(accept, time.Second).pass(time.Second).on(opens("tab", abi.DialogTypeConfirm))
		}, []string{"d-1 pending"}},
		"expires after a minute where nobody says": {func(s *script) {
			s.arm(accept, 0).pass(59 * time.Second).on(opens("tab", abi.DialogTypeConfirm)).abstain().ok("page answer accept")
			s.arm(accept, 0).pass(time.Minute).on(opens("tab", abi.DialogTypeConfirm))
		}, []string{"d-1 agent", "d-2 pending"}},
		"is replaced by a second one, with its time": {func(s *script) {
			s.arm(accept, time.Second).arm(supervise.Armed{}, time.Minute).pass(time.Second)
			s.on(opens("tab", abi.DialogTypeConfirm)).abstain().ok("page answer dismiss")
		}, []string{"d-1 agent"}},
		"is taken back": {func(s *script) {
			s.arm(accept, 0).on(supervise.DisarmDialog{Request: 500, Task: "task"}, opens("tab", abi.DialogTypeConfirm))
			if r := s.replyTo(500); r.Armed == nil {
				s.t.Errorf("the reply does not say what was armed: %+v", r)
			}
		}, []string{"d-1 pending"}},
		"is held for the agent when the browser refuses it": {func(s *script) {
			s.arm(accept, 0).on(opens("tab", abi.DialogTypeConfirm)).abstain().refuse("page answer accept", "some other error")
		}, []string{"d-1 pending"}},
		"is not used up by a dialog that only can be dismissed": {func(s *script) {
			s.on(opens("tab", abi.DialogTypeConfirm)).arm(accept, 0)
			s.on(opens("tab", abi.DialogTypeConfirm)).ok(release)
			if s.armed() == nil {
				s.t.Error("it was used up")
			}
		}, []string{"d-2 remote", "d-1 pending"}},
		"ends with the connection": {func(s *script) {
			s.arm(accept, 0).on(supervise.ConnectionLost{})
			s.requests++
			s.on(supervise.ArmDialog{Request: s.requests, Task: "task", Answer: accept})
			var refused *supervise.TaskError
			if r := s.replyTo(s.requests); !errors.As(r.Err, &refused) || !refused.Disconnected {
				s.t.Errorf("the reply to arming afterwards is %+v", r)
			}
		}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			c.story(s)
			s.wantDialogs(c.want...)
			v, _ := s.state.View("task")
			if len(v.Pending) == 0 && (v.Armed != nil || len(s.timers) != 0) {
				t.Errorf("%+v is armed, timers %v", v.Armed, s.timers)
			}
		})
	}
}

func TestAnArmedAnswerIsShownWithItsRule(t *testing.T) {
	s := newStory(t).arm(supervise.Armed{Accept: true, Type: abi.DialogTypePrompt}, time.Minute)
	if a := s.armed(); a == nil || !a.ExpiresAt.Equal(s.now.Add(time.Minute)) {
		t.Fatalf("shown as %+v", a)
	}
	s.on(opens("tab", abi.DialogTypePrompt)).abstain().ok("page answer accept default")
	v, _ := s.state.View("task")
	if d := v.Recent[0]; d.Decision.Rule != "armed" || d.Decision.Module != "" || d.Action != abi.DialogActionAccept || v.Armed != nil {
		t.Fatalf("the dialog is %+v, armed %+v", d, v.Armed)
	}
}

func TestRequestsForATaskThatThereIsNotSaySo(t *testing.T) {
	s := newStory(t)
	s.on(supervise.ArmDialog{Request: 1, Task: "other"}, supervise.DisarmDialog{Request: 2, Task: "other"}, supervise.ClearConsole{Request: 3, Task: "other"})
	for id := range supervise.RequestID(3) {
		if r := s.replyTo(id + 1); r.Err == nil {
			t.Errorf("request %d succeeded", id+1)
		}
	}
}

func TestTheConsoleIsClearedAndItsTotalStays(t *testing.T) {
	s := newStory(t).on(
		supervise.ConsoleMessage{Session: "page", Entry: supervise.ConsoleEntry{Type: "log", Text: "one"}},
		supervise.ClearConsole{Request: 1, Task: "task"},
		supervise.ConsoleMessage{Session: "page", Entry: supervise.ConsoleEntry{Type: "log", Text: "two"}},
	)
	v, _ := s.state.View("task")
	if len(v.Console) != 1 || v.Console[0].Text != "two" || v.ConsoleTotal != 2 {
		t.Fatalf("the console is %+v of %d", v.Console, v.ConsoleTotal)
	}
}

// Each use of an outdated feature is logged, as are the icon that most sites lack and a worker's own messages once
// more: none takes the place of a message.
func TestOutdatedFeaturesAreCountedAndIconsIgnored(t *testing.T) {
	s := newStory(t)
	for _, e := range []supervise.ConsoleEntry{
		{Type: "warning", From: supervise.FromDeprecation, Text: "old"}, {Type: "warning", From: supervise.FromDeprecation, Text: "old"},
		{Type: "error", From: "worker", Text: "which its own session says"},
		{Type: "error", From: "network", Source: "https://a.test/favicon.ico"}, {Type: "error", From: "network", Source: "https://a.test/x.png"},
	} {
		s.on(supervise.ConsoleMessage{Session: "page", Entry: e})
	}
	v, _ := s.state.View("task")
	if len(v.Console) != 1 || v.Console[0].Source != "https://a.test/x.png" || v.ConsoleTotal != 1 || v.Deprecations != 2 {
		t.Errorf("the console is %+v of %d, and %d", v.Console, v.ConsoleTotal, v.Deprecations)
	}
	s.on(supervise.ClearConsole{Request: 1, Task: "task"})
	if v, _ = s.state.View("task"); v.Deprecations != 0 {
		t.Errorf("%d are left", v.Deprecations)
	}
}

// Log messages do not push out exceptions, and exceptions do not push out log messages.
func TestExceptionsAndMessagesHaveARingEach(t *testing.T) {
	s := newStory(t)
	say := func(kind string, n int) {
		for i := range n {
			s.on(supervise.ConsoleMessage{Session: "page", Entry: supervise.ConsoleEntry{Type: kind, Text: fmt.Sprint(kind, i)}})
		}
	}
	say(supervise.TypeException, 3)
	say("log", 200)
	say(supervise.TypeException, 1)
	v, _ := s.state.View("task")
	var order []string
	for _, e := range v.Console {
		order = append(order, e.Text)
	}
	if len(v.Console) != 54 || v.ConsoleTotal != 204 || order[0] != "exception0" || order[3] != "log150" || order[52] != "log199" || order[53] != "exception0" {
		t.Errorf("of %d entries there are %q", v.ConsoleTotal, order)
	}
	say(supervise.TypeException, 200)
	if v, _ = s.state.View("task"); len(v.Console) != 100 || v.Console[0].Text != "log150" || v.Console[99].Text != "exception199" {
		t.Errorf("of %d entries there are %d, the first is %q", v.ConsoleTotal, len(v.Console), v.Console[0].Text)
	}
}

// An agent cannot be faster than the policy, neither before the dialog opens nor while the policy is asked.
func TestAFinalVerdictStandsWhateverAnAgentSaidBefore(t *testing.T) {
	accept := abi.DialogVerdict{Action: abi.DialogActionAccept, Rule: "rules[0]", Final: true}
	held := abi.DialogVerdict{Action: abi.DialogActionHold, Rule: "rules[1]", Final: true}
	confirm := opens("tab", abi.DialogTypeConfirm)
	dismiss := func(s *script) supervise.RequestID {
		s.requests++
		s.on(supervise.Respond{Request: s.requests, Task: "task"})
		return s.requests
	}
	t.Run("armed, and accepted by the policy", func(t *testing.T) {
		s := newStory(t).arm(supervise.Armed{}, time.Minute).on(confirm).verdict(accept).ok("page answer accept").wantDialogs("d-1 auto_policy")
		v, _ := s.state.View("task")
		if d := v.Recent[0]; d.Decision.Rule != "rules[0]" || !strings.Contains(d.ArmedUnused, `with a final verdict: rule "rules[0]"`) || v.Armed != nil {
			t.Errorf("the dialog is %+v, armed is %+v", d, v.Armed)
		}
	})
	t.Run("armed, and held by the policy", func(t *testing.T) {
		s := newStory(t).arm(supervise.Armed{Accept: true}, time.Minute).on(confirm).verdict(held).wantDialogs("d-1 pending")
		if v, _ := s.state.View("task"); !strings.Contains(v.Pending[0].ArmedUnused, "final") {
			t.Errorf("the dialog is %+v", v.Pending[0])
		}
		s.respond("", true) // after the dialog opened
		s.ok("page answer accept").wantDialogs("d-1 agent")
	})
	t.Run("answered while the policy is asked, which accepts", func(t *testing.T) {
		s := newStory(t).on(confirm)
		request := dismiss(s)
		s.wantDialogs("d-1 pending").verdict(accept)
		var gone *supervise.DialogError
		if r := s.replyTo(request); !errors.As(r.Err, &gone) || gone.Kind != supervise.DialogGone || !strings.Contains(gone.Reason, "final") {
			t.Errorf("the agent is told %+v", r)
		}
		s.ok("page answer accept").wantDialogs("d-1 auto_policy")
	})
	t.Run("answered while the policy is asked, which holds", func(t *testing.T) {
		s := newStory(t).on(confirm)
		request := dismiss(s)
		s.verdict(held).ok("page answer dismiss").wantDialogs("d-1 agent")
		if r := s.replyTo(request); r.Err != nil {
			t.Error(r.Err)
		}
	})
	t.Run("one answer at a time waits", func(t *testing.T) {
		s := newStory(t).on(confirm)
		dismiss(s)
		var busy *supervise.DialogError
		if r := s.replyTo(dismiss(s)); !errors.As(r.Err, &busy) || busy.Kind != supervise.DialogBusy {
			t.Errorf("the second is told %+v", r)
		}
	})
	t.Run("what waits is told of any other end", func(t *testing.T) {
		s := newStory(t).on(confirm)
		request := dismiss(s)
		s.on(closes("tab", true)).wantDialogs("d-1 remote")
		if r := s.replyTo(request); r.Err == nil {
			t.Error("an answer that was never sent succeeded")
		}
	})
	t.Run("a verdict that is not final gives way to it", func(t *testing.T) {
		s := newStory(t).arm(supervise.Armed{}, time.Minute).on(confirm)
		s.verdict(abi.DialogVerdict{Action: abi.DialogActionAccept}).ok("page answer dismiss").wantDialogs("d-1 agent")
	})
}

// A policy that fails has made no final decision, so the agent's answer counts. The fault is reported all the same.
func TestAPolicyThatFailsGivesWayAloud(t *testing.T) {
	s := newStory(t).arm(supervise.Armed{Accept: true}, time.Minute).on(opens("tab", abi.DialogTypeConfirm))
	s.fails("it trapped")
	if told := s.faults(); len(told) != 1 || told[0] != "d-1: it trapped" {
		t.Errorf("told of %q", told)
	}
	s.ok("page answer accept").wantDialogs("d-1 agent")
}

func TestAPolicyThatFailsDoesNotGiveWayWhereTheHostIsToldSo(t *testing.T) {
	armed := func(s *script) { s.arm(supervise.Armed{Accept: true}, time.Minute) }
	trap := func(s *script) { s.fails("it trapped") }
	for name, c := range map[string]struct {
		before, then func(s *script)
		fault        string
	}{
		"a trap":                         {func(*script) {}, trap, "it trapped"},
		"a trap, an answer is armed":     {armed, trap, "it trapped"},
		"no answer, one is armed":        {armed, func(s *script) { s.pass(5 * time.Second) }, "the plugin did not answer in time"},
		"no verdict, an answer is armed": {armed, func(s *script) { s.verdict(abi.DialogVerdict{Action: 9}) }, "unknown action unknown in the verdict"},
		"a trap, and the browser refuses the first answer": {armed, func(s *script) {
			trap(s)
			s.refuse("page answer dismiss", "some other error").wantDialogs("d-1 answering").pass(5 * time.Second)
		}, "it trapped"},
		"a trap, and the browser does not confirm the first answer": {armed, func(s *script) {
			trap(s)
			s.sends = nil
			s.pass(5 * time.Second).wantDialogs("d-1 answering").pass(5 * time.Second)
		}, "it trapped"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStoryWith(t, supervise.Config{DialogFailClosed: true})
			c.before(s)
			s.on(opens("tab", abi.DialogTypeConfirm))
			c.then(s)
			if told := s.faults(); len(told) != 1 || told[0] != "d-1: "+c.fault {
				t.Errorf("told of %q", told)
			}
			s.requests++
			s.on(supervise.Respond{Request: s.requests, Task: "task", Accept: true})
			var busy *supervise.DialogError
			if r := s.replyTo(s.requests); !errors.As(r.Err, &busy) || busy.Kind != supervise.DialogBusy {
				t.Errorf("an agent that answers is told %+v", r)
			}
			s.ok("page answer dismiss").wantDialogs("d-1 plugin_fault")
			v, _ := s.state.View("task")
			d := v.Recent[0]
			if d.Decision.Fault != c.fault || d.Decision.Rule != "fallback dismiss" || d.Action != abi.DialogActionDismiss || d.Accepted || v.Armed != nil {
				t.Errorf("the dialog is %+v, armed %+v", d, v.Armed)
			}
			if isArmed := strings.HasSuffix(name, "is armed"); isArmed && d.ArmedUnused != "no plugin decided, so the host dismissed it: "+c.fault {
				t.Errorf("the armed answer was not used as %q", d.ArmedUnused)
			}
			if len(s.timers) != 0 {
				t.Errorf("timers are left: %v", s.timers)
			}
		})
	}
	t.Run("an answer that waits for the verdict", func(t *testing.T) {
		s := newStoryWith(t, supervise.Config{DialogFailClosed: true}).on(opens("tab", abi.DialogTypeConfirm))
		s.requests++
		s.on(supervise.Respond{Request: s.requests, Task: "task", Accept: true}).fails("it trapped")
		var gone *supervise.DialogError
		if r := s.replyTo(s.requests); !errors.As(r.Err, &gone) || gone.Kind != supervise.DialogGone || !strings.Contains(gone.Reason, "it trapped") {
			t.Errorf("the agent is told %+v", r)
		}
		s.ok("page answer dismiss").wantDialogs("d-1 plugin_fault")
	})
	t.Run("a fault while the connection is lost", func(t *testing.T) {
		s := newStoryWith(t, supervise.Config{DialogFailClosed: true}).arm(supervise.Armed{Accept: true}, time.Minute)
		s.on(opens("tab", abi.DialogTypeConfirm), supervise.ConnectionLost{Reconnecting: true}).fails("it trapped").wantDialogs("d-1 answering")
		if v, _ := s.state.View("task"); v.Pending[0].Action != abi.DialogActionDismiss || v.Pending[0].ArmedUnused == "" {
			t.Errorf("the dialog is %+v", v.Pending[0])
		}
	})
	t.Run("to abstain is no fault", func(t *testing.T) {
		s := newStoryWith(t, supervise.Config{DialogFailClosed: true}).arm(supervise.Armed{Accept: true}, time.Minute)
		s.on(opens("tab", abi.DialogTypeConfirm)).abstain().ok("page answer accept").wantDialogs("d-1 agent")
	})
}

// fails makes the plugin that was asked last fail.
func (s *script) fails(fault string) *script {
	s.t.Helper()
	return s.on(supervise.DialogVerdict{Token: s.lastAsk().Token, Fault: fault})
}

// faults are the faults reported since the last look.
func (s *script) faults() (list []string) {
	for _, n := range effectsOf[supervise.Notify](s) {
		if n.Kind == supervise.NotifyFault {
			list = append(list, n.Dialog.ID+": "+n.Fault)
		}
	}
	return list
}
