package schedule_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func TestACallIsSentAndEndsWithItsReply(t *testing.T) {
	s := newStory(t).on(plain(1, ""), plain(2, "b")).wants("send 1 on A", "send 2 on B")
	s.on(reply(2), reply(1), reply(1)).wants("finish 2 replied", "finish 1 replied")
	s.idle()
}

func TestACallThatCannotBeAnsweredIsNotSent(t *testing.T) {
	for _, c := range []struct {
		name string
		is   func(*browser)
		call schedule.Begin
		want string
	}{
		{"the browser is gone", func(b *browser) { b.gone = "it was closed" }, plain(1, ""), "finish 1 browser gone"},
		{"no tab", func(b *browser) { b.tabs = nil }, plain(1, ""), "finish 1 no tab"},
		{"an unknown tab", func(*browser) {}, plain(1, "c"), "finish 1 unknown tab"},
		{"a session that is gone", func(*browser) {}, script(1, 1, "c"), "finish 1 frame gone"},
		{"a crashed tab", func(b *browser) { b.crashed["a"] = true }, plain(1, ""), "finish 1 crashed"},
		{"a dialog", func(b *browser) { b.dialogs["a"] = 1 }, plain(1, ""), "finish 1 blocked"},
		{"a dialog, before the operation has begun", func(b *browser) { b.dialogs["a"] = 1 }, script(1, 1, "a"), "finish 1 blocked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStory(t)
			c.is(s.b)
			s.on(c.call).wants(c.want)
			s.idle()
		})
	}
}

func TestWhatRevivesACrashedTabIsSentToIt(t *testing.T) {
	s := newStory(t)
	s.b.crashed["a"] = true
	s.on(schedule.Begin{Call: schedule.Call{ID: 1, Task: "task", Revives: true}}).wants("send 1 on A")
}

func TestACallWaits(t *testing.T) {
	for _, c := range []struct {
		name        string
		begin, over func(*browser)
	}{
		{"for the connection", func(b *browser) { b.down = "the line broke" }, func(b *browser) { b.down = "" }},
		{"for a page that is to be left alone", func(b *browser) { b.busy["a"] = true }, func(b *browser) { b.busy["a"] = false }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStory(t)
			c.begin(s.b)
			s.on(plain(1, "")).settle().wants()
			c.over(s.b)
			s.settle().wants("send 1 on A")
		})
	}
}

func TestACallThatMetTheLossOfTheConnectionIsSentAgain(t *testing.T) {
	s := newStory(t).on(plain(1, ""), schedule.Unsent{Call: 1})
	s.b.down = "the line broke"
	s.on(schedule.ConnectionLost{}).settle().wants("send 1 on A")
	s.b.down = ""
	s.settle().wants("send 1 on A")
}

func TestAnOperationWhoseFirstScriptWasNotSentHasNotBegun(t *testing.T) {
	s := newStory(t).on(script(1, 1, "a"), schedule.Unsent{Call: 1})
	if s.state.Begun(1) {
		t.Error("it has begun")
	}
	s.b.dialogs["a"] = 1
	s.settle().wants("send 1 on A", "finish 1 blocked")
}

func TestWhatWasSentEndsWithTheConnection(t *testing.T) {
	s := newStory(t).on(plain(1, ""), plain(2, "b")).wants("send 1 on A", "send 2 on B")
	s.b.down = "the line broke"
	s.on(interrupt("a", supervise.InterruptDisconnected), schedule.ConnectionLost{}).wants("finish 1 disconnected", "finish 2 disconnected")
	s.idle()
}

func TestACallEndsWithItsPage(t *testing.T) {
	for _, c := range []struct {
		reason supervise.InterruptReason
		want   string
	}{
		{supervise.InterruptCrashed, "finish 1 crashed"}, {supervise.InterruptGone, "finish 1 tab gone"}, {supervise.InterruptDialog, "finish 1 blocked"},
	} {
		s := newStory(t).on(plain(1, "a"), plain(2, "b")).wants("send 1 on A", "send 2 on B")
		s.on(interrupt("a", c.reason)).wants(c.want)
	}
}

func TestACallEndsWithItsFrame(t *testing.T) {
	s := newStory(t)
	frame := at("a")
	frame.Target = "frame"
	s.on(schedule.Begin{Call: schedule.Call{ID: 1, Op: 1, Task: "task", At: frame}}).wants("send 1 on A")
	e := interrupt("a", supervise.InterruptGone)
	e.Session = "B"
	s.on(e).wants()
	e.Session = "A"
	s.on(e).wants("finish 1 frame gone")
}

// The reply to Page.navigate comes before the document.
func TestANavigationEndsWithItsDocument(t *testing.T) {
	navigate := schedule.Begin{Call: schedule.Call{ID: 1, Task: "task", Commits: true}}
	s := newStory(t)
	s.b.documents["a"] = "old"
	s.on(navigate, schedule.Replied{Call: 1, Loader: "new"}).settle().wants("send 1 on A")
	s.b.documents["a"] = "new"
	s.settle().wants("finish 1 replied")
	for name, r := range map[string]schedule.Replied{
		"within the document": {Call: 1}, "refused": {Call: 1, Loader: "newer", Refused: true}, "there already": {Call: 1, Loader: "new"},
	} {
		t.Run(name, func(*testing.T) { s.on(navigate, r).wants("send 1 on A", "finish 1 replied") })
	}
}

func TestANavigationThatADialogInterruptsAfterItsDocumentCameHasEnded(t *testing.T) {
	s := newStory(t).on(schedule.Begin{Call: schedule.Call{ID: 1, Task: "task", Commits: true}}, schedule.Replied{Call: 1, Loader: "new"})
	s.b.documents["a"], s.b.dialogs["a"] = "new", 1
	s.on(interrupt("a", supervise.InterruptDialog)).wants("send 1 on A", "finish 1 replied")
}

func TestAnOperationThatHasBegunIsBlockedByADialogAndGoesOn(t *testing.T) {
	s := newStory(t).on(script(1, 1, "a"))
	s.b.dialogs["a"] = 1
	s.on(interrupt("a", supervise.InterruptDialog), interrupt("a", supervise.InterruptDialog)).settle().wants("send 1 on A", "block 1", "block 1")
	s.b.dialogs["a"] = 0
	s.settle().wants("unblock 1").on(reply(1)).wants("finish 1 replied")
	s.b.dialogs["a"] = 1
	s.on(script(2, 1, "a")).wants("block 1")
	s.b.dialogs["a"] = 0
	s.settle().wants("send 2 on A", "unblock 1")
	s.on(reply(2), schedule.OpOver{Op: 1}).wants("finish 2 replied").idle()
	s.b.dialogs["a"] = 1
	s.on(script(3, 1, "a")).wants("finish 3 blocked")
}

func TestNobodyIsToldOfACallThatWasAbandoned(t *testing.T) {
	s := newStory(t).on(script(1, 1, "a"))
	s.b.dialogs["a"], s.b.busy["b"] = 1, true
	s.on(interrupt("a", supervise.InterruptDialog), plain(2, "b")).wants("send 1 on A", "block 1")
	s.on(schedule.Abandon{Call: 1}, schedule.Abandon{Call: 2})
	s.b.dialogs["a"], s.b.busy["b"] = 0, false
	s.settle().on(reply(1)).wants().idle()
}

func TestOneOperationAtATimeRunsScriptOnAMainThread(t *testing.T) {
	s := newStory(t)
	s.b.isolates["A"], s.b.isolates["B"] = "main", "main"
	s.on(fence(1, 1, "a"), fence(2, 2, "b"), reply(1), reply(2)).settle().wants("send 1 on A", "send 2 on B", "finish 1 replied")
	s.on(script(3, 1, "a"), reply(3), schedule.TurnOver{Op: 1}).settle().wants("send 3 on A", "finish 3 replied", "send 2 on B")
	s.on(reply(2)).wants("finish 2 replied")
	s.on(fence(4, 1, "a")).settle().wants()
	s.on(schedule.OpOver{Op: 2}).settle().wants("send 4 on A")
}

func TestOperationsOnMainThreadsOfTheirOwnDoNotWaitForEachOther(t *testing.T) {
	s := newStory(t).on(fence(1, 1, "a"), fence(2, 2, "b"), reply(1), reply(2))
	s.wants("send 1 on A", "send 2 on B", "finish 1 replied", "finish 2 replied")
}

func TestAFenceThatIsRefusedGivesNoTurn(t *testing.T) {
	s := newStory(t).on(fence(1, 1, "a"), schedule.Replied{Call: 1, Refused: true}, fence(2, 2, "a"), reply(2))
	s.wants("send 1 on A", "finish 1 replied", "send 2 on A", "finish 2 replied")
}

// A script that waits for a promise leaves the main thread to others while it waits.
func TestTheFenceBehindAScriptReturnsTheTurn(t *testing.T) {
	awaits := script(2, 1, "a")
	awaits.Call.Turn = schedule.FenceAfter
	s := newStory(t).on(fence(1, 1, "a"), reply(1), awaits).wants("send 1 on A", "finish 1 replied", "send 2 on A", "send -1 on A")
	s.on(fence(3, 2, "a")).wants()
	if r := s.state.Running(2); r.Session != "A" {
		t.Errorf("it runs on %q", r.Session)
	}
	s.on(reply(-1)).settle().wants("finish -1 replied", "send 3 on A")
	if r := s.state.Running(2); r.Session != "" {
		t.Errorf("it still runs on %q", r.Session)
	}
	s.on(reply(3), reply(2)).wants("finish 3 replied", "finish 2 replied").idle()
}

func TestAFenceThatWaitsIsForgottenWithItsOperation(t *testing.T) {
	awaits := script(1, 1, "a")
	awaits.Call.Turn = schedule.FenceAfter
	s := newStory(t).on(awaits)
	s.on(schedule.Unsent{Call: -1}, reply(1)).wants("send 1 on A", "send -1 on A", "finish 1 replied")
	s.idle()
	s.b.busy["a"] = true
	awaits.Call.ID = 2
	s.on(awaits)
	s.b.busy["a"] = false
	s.settle().wants("send 2 on A", "send -2 on A")
	s.b.dialogs["a"] = 1
	s.on(interrupt("a", supervise.InterruptDialog), reply(2), schedule.OpOver{Op: 1}, reply(-2))
	s.b.dialogs["a"] = 0
	s.settle().idle()
}

func TestASearchWaitsForItsDocument(t *testing.T) {
	s := newStory(t)
	find := schedule.Find{Search: 1, Task: "task", Where: supervise.FrameSelector{Target: "a"}}
	s.b.moving = true
	s.on(find).settle().wants()
	s.b.moving = false
	s.settle().wants("found A 0 ").settle().wants()
	s.b.down = "the line broke"
	s.on(find).settle().wants().on(schedule.StopFinding{Search: 1})
	s.b.down = ""
	s.settle().wants()
	s.b.gone = "it was closed"
	s.on(find).wants("found  0 it was closed")
}

func TestScriptMayRunUntilItsReplyOrTheEndOfItsTurn(t *testing.T) {
	s := newStory(t).on(fence(1, 1, "a"), reply(1), script(2, 1, "a"))
	since := s.now
	if r := s.state.Running(2); !reflect.DeepEqual(r, schedule.Running{Session: "A", On: "A", Since: since}) {
		t.Errorf("it runs at %+v", r)
	}
	input := script(3, 1, "a")
	input.Call.Input = true
	for name, id := range map[string]schedule.CallID{"input": 3, "unknown": 9} {
		if r := s.on(input).state.Running(id); r.Session != "" {
			t.Errorf("%s runs at %+v", name, r)
		}
	}
}

func TestADebuggerThatPausesACallIsFound(t *testing.T) {
	s := newStory(t)
	s.b.agents["agent"], s.b.agents["early"] = "a", "a"
	s.on(schedule.Paused{Session: "early"}, schedule.Paused{Session: "ours"}, script(1, 1, "a"), schedule.Paused{Session: "agent"})
	if r := s.state.Running(1); !reflect.DeepEqual(r.Paused, []target.SessionID{"agent"}) {
		t.Errorf("paused by %v", r.Paused)
	}
	if r := s.on(schedule.Resumed{Session: "agent"}).state.Running(1); r.Paused != nil {
		t.Errorf("paused by %v", r.Paused)
	}
}

func TestMainThreadsThatMayBeFreed(t *testing.T) {
	places := []supervise.ScriptTarget{*at("a"), *at("a"), *at("b"), *at("c")}
	acts := script(1, 1, "a")
	acts.Call.Input, acts.Call.AfterAct = true, true
	for _, c := range []struct {
		name    string
		prepare func(*story)
		want    []target.SessionID
	}{
		{"each once, while it is there", func(*story) {}, []target.SessionID{"A", "B"}},
		{"not another operation's", func(s *story) { s.on(fence(2, 2, "b"), reply(2)) }, []target.SessionID{"A"}},
		{"one of two tabs", func(s *story) { s.b.isolates["A"], s.b.isolates["B"] = "main", "main" }, []target.SessionID{"A"}},
		{"none without a connection", func(s *story) { s.b.down = "the line broke" }, nil},
		{"none while the page is healed", func(s *story) { s.b.busy["a"] = true }, nil},
		{"none under a dialog", func(s *story) { s.b.dialogs["a"] = 1 }, nil},
		{"none once the call has ended", func(s *story) { s.on(reply(1)) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStory(t).on(acts)
			c.prepare(s)
			if got := s.state.BusyCandidates(1, places).Sessions; !reflect.DeepEqual(got, c.want) {
				t.Errorf("suspects are %v, want %v", got, c.want)
			}
		})
	}
}

func TestAMainThreadThatIsAboutToBeFreedIsTaken(t *testing.T) {
	s := newStory(t).on(script(1, 1, "a"), fence(2, 2, "b")).wants("send 1 on A", "send 2 on B")
	if got := s.state.TakeTurns(1, []supervise.ScriptTarget{*at("b")}).Sessions; !reflect.DeepEqual(got, []target.SessionID{"B"}) {
		t.Fatalf("claimed %v", got)
	}
	s.on(reply(2)).settle().wants()
	s.on(schedule.OpOver{Op: 1}).settle().wants("send 2 on B")
}

func TestATabMayBeFreedToLeaveIt(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(*story)
		want    target.SessionID
	}{
		{"idle", func(*story) {}, "A"},
		{"its own call", func(s *story) { s.on(fence(1, 1, "a"), reply(1)) }, "A"},
		{"a call in a tab that shares its thread", func(s *story) {
			s.b.isolates["A"], s.b.isolates["B"] = "main", "main"
			s.on(fence(1, 1, "b"), reply(1))
		}, ""},
		{"a dialog", func(s *story) { s.b.dialogs["a"] = 1 }, ""},
		{"crashed", func(s *story) { s.b.crashed["a"] = true }, ""},
		{"no connection", func(s *story) { s.b.down = "the line broke" }, ""},
		{"no tab", func(s *story) { s.b.tabs = nil }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStory(t)
			c.prepare(s)
			if got := s.state.TerminableSession("task", "a"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWhoKeepsAMainThreadBusy(t *testing.T) {
	share := func(s *story) { s.b.isolates["A"], s.b.isolates["B"] = "main", "main" }
	acted := script(2, 2, "b")
	acted.Call.AfterAct = true
	for _, c := range []struct {
		name    string
		prepare func(*story)
		want    schedule.BusyWith
	}{
		{"nobody that is known", share, schedule.BusyWith{}},
		{"a call in another tab", func(s *story) { share(s); s.on(fence(2, 2, "b"), reply(2)) }, schedule.BusyWith{Op: 2, Page: "b"}},
		{"where the thread is not known, too", func(s *story) { s.on(fence(2, 2, "b"), reply(2)) }, schedule.BusyWith{Op: 2, Page: "b"}},
		{"the asker itself is not", func(s *story) { share(s); s.on(fence(2, 1, "b"), reply(2)) }, schedule.BusyWith{}},
		{"a call of another task", func(s *story) {
			share(s)
			other := fence(2, 2, "b")
			other.Call.Task = "other"
			s.on(other, reply(2))
		}, schedule.BusyWith{Elsewhere: true}},
		{"input of another call", func(s *story) { share(s); s.on(acted) }, schedule.BusyWith{Op: 2, Page: "b"}},
		{"input of another task", func(s *story) {
			share(s)
			other := acted
			other.Call.Task = "other"
			s.on(other)
		}, schedule.BusyWith{Elsewhere: true}},
		{"a call without input", func(s *story) { share(s); s.on(script(2, 2, "b")) }, schedule.BusyWith{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStory(t)
			c.prepare(s)
			c.want.Siblings = []target.ID{"b"}
			if got := s.state.BusyWith(1, "task", *at("a")); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// A state is a value: what happens to a copy does not happen to it.
func TestACopyOfTheStateLivesOnItsOwn(t *testing.T) {
	s := newStory(t).on(fence(1, 1, "a"), script(2, 2, "b"))
	s.b.dialogs["b"] = 1
	s.on(interrupt("b", supervise.InterruptDialog), fence(3, 3, "a"))
	s.lines = nil
	copied := s.state.Clone(s.b)
	for _, e := range []schedule.Event{reply(1), schedule.Abandon{Call: 2}, schedule.OpOver{Op: 2}, schedule.ConnectionLost{}} {
		copied.Apply(time.Now(), e)
	}
	s.b.dialogs["b"] = 0
	s.settle().on(reply(1), reply(2)).wants("unblock 2", "finish 1 replied", "finish 2 replied")
}
