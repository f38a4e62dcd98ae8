package supervise_test

import (
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func TestTheLossOfTheConnectionEndsALeavingTaskWithoutACommand(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm))
	s.on(supervise.AddTask{Request: 7, Settings: supervise.TaskSettings{ID: "other", TargetID: "elsewhere"}})
	ended := s.removeTask()
	s.quiet().on(supervise.ConnectionLost{Reason: "gone"})
	for _, request := range []supervise.RequestID{ended, 7} {
		s.replyTo(request)
	}
	s.wantSent()
}

func TestATabThatClosesUnderALeavingTaskGetsNoCommand(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm))
	ended := s.removeTask()
	s.quiet().on(supervise.Detached{Session: "page"})
	s.replyTo(ended)
	s.wantSent()
}

func TestASessionIsDetachedOnTheSessionThatAnnouncedIt(t *testing.T) {
	s := newStory(t).on(
		supervise.Attached{Parent: "page", Session: "worker", Info: target.Info{TargetID: "worker", Type: "worker"}},
		supervise.Attached{Parent: "page", Session: "fenced", Info: target.Info{TargetID: "fenced", Type: "fencedframe"}},
	)
	s.wantSent("worker Runtime.enable", "worker Log.enable", "worker Target.setAutoAttach", "worker Runtime.runIfWaitingForDebugger",
		"fenced Runtime.runIfWaitingForDebugger", "page detach fenced")
	s.removeTask()
	s.wantSent("page Page.getFrameTree")
	s.ok("page Page.getFrameTree").wantSent("page detach worker", "browser detach page")
}

func TestADialogThatFollowsTheLastOneIsAnsweredBeforeItsTabIsLeft(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm))
	ended := s.quiet().removeTask()
	s.wantSent("page answer dismiss")
	s.on(closes("tab", false)).ok("page answer dismiss").wantSent("page Page.getFrameTree")
	s.on(opens("tab", abi.DialogTypeAlert)).wantSent("page answer dismiss")
	s.on(closes("tab", false)).ok("page answer dismiss").wantSent()
	s.ok("page Page.getFrameTree").wantSent("browser detach page")
	s.on(supervise.Detached{Session: "page"}).replyTo(ended)
}

func TestAScriptThatNeverEndsDoesNotKeepATaskFromLeaving(t *testing.T) {
	s := newStory(t).quiet()
	s.removeTask()
	s.wantSent("page Page.getFrameTree")
	s.pass(2 * time.Second).wantSent("browser detach page")
}

func TestAWorkerThatAppearsWhileItsTaskLeavesIsLetGo(t *testing.T) {
	s := newScript(t).on(add(supervise.TaskSettings{Scope: supervise.ScopeBrowser}), pageAttached("tab", "page"))
	s.reply("browser create about:blank", supervise.CommandReply{Target: "tab"})
	s.removeTask()
	s.quiet().on(supervise.Attached{Session: "worker", Info: target.Info{TargetID: "worker", Type: "shared_worker"}})
	s.wantSent("worker Runtime.runIfWaitingForDebugger")
	s.ok("worker Runtime.runIfWaitingForDebugger").wantSent("browser detach worker")
}

func TestSessionsBelowAForgottenOneAreForgottenWithIt(t *testing.T) {
	s := newStory(t).on(oopif("frame", "tab", "x", "page"))
	s.removeTask()
	s.pass(time.Minute)
	s.on(oopif("other", "tab", "y", "page"), oopif("inner", "frame", "z", "x"), supervise.Detached{Session: "page"})
	if left := s.state.Left(); left != "" {
		t.Fatalf("still held: %s", left)
	}
}

func TestATabWhoseOOPIFHasADialogThatCannotBeAnsweredIsNotClosed(t *testing.T) {
	for name, frame := range map[string]cdproto.FrameID{"in its topmost frame": "frame", "in a frame below": "inner"} {
		t.Run(name, func(t *testing.T) {
			s := withOOPIF(t).on(opens("tab", abi.DialogTypeConfirm), opens(frame, abi.DialogTypeConfirm), closes("tab", false))
			s.wantSent(release)
			s.removeTask()
			s.pass(time.Minute).wantSent("browser detach page")
		})
	}
}

func TestATabThatClosesBehindTheFenceOfItsTaskGetsNoCommandForItsWorkers(t *testing.T) {
	s := newStory(t).on(supervise.Attached{Parent: "page", Session: "worker", Info: target.Info{TargetID: "worker", Type: "worker"}})
	s.quiet().removeTask()
	s.wantSent("page Page.getFrameTree")
	s.on(supervise.Detached{Session: "page"}).wantSent()
}

func TestATaskEndsAfterItsLastTabIsForgottenWithAllItsSessions(t *testing.T) {
	s := withOOPIF(t).on(oopif("deep", "frame", "y", "x"), oopif("deeper", "deep", "z", "y"))
	ended := s.removeTask()
	s.quiet().on(supervise.Detached{Session: "page"})
	if _, last := s.effects[len(s.effects)-1].(supervise.Reply); !last || s.replyTo(ended).Err != nil {
		t.Fatalf("the reply is not the last effect: %+v", s.effects)
	}
	if left := s.state.Left(); left != "" {
		t.Fatalf("still held: %s", left)
	}
}

func TestATaskLeavesEachTabInAUsableState(t *testing.T) {
	for name, c := range map[string]struct {
		story func(t *testing.T) *script
		leave func(s *script)
		sent  []string
	}{
		"a tab that was there before is detached from, behind a fence": {newStory, func(s *script) { s.ok("page Page.getFrameTree") },
			[]string{"page Page.getFrameTree", "browser detach page"}},
		"a dialog is answered before": {func(t *testing.T) *script { return newStory(t).on(opens("tab", 1)).quiet() },
			func(s *script) { s.ok("page answer dismiss").ok("page Page.getFrameTree") },
			[]string{"page answer dismiss", "page Page.getFrameTree", "browser detach page"}},
		"a dialog that wedges the tab is freed before": {func(t *testing.T) *script { return newStory(t).on(opens("tab", 1)).quiet() },
			func(s *script) {
				s.refuse("page answer dismiss", "Not attached to an active page").on(closes("tab", false)).ok("page Page.getFrameTree")
			},
			[]string{"page answer dismiss", release, "page Page.getFrameTree", "browser detach page"}},
		"a tab that stays wedged is closed, for detaching would end the browser": {
			func(t *testing.T) *script { return newStory(t).on(opens("tab", 1)).quiet() },
			func(s *script) {
				s.refuse("page answer dismiss", "Not attached to an active page").pass(2 * time.Second)
			},
			[]string{"page answer dismiss", release, "page answer dismiss", "browser close tab"}},
		"a dialog that opens meanwhile is answered at once": {newStory, func(s *script) { s.on(opens("tab", 1)) },
			[]string{"page Page.getFrameTree", "page answer dismiss"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.story(t)
			s.removeTask()
			c.leave(s)
			s.wantSent(c.sent...)
		})
	}
}

func TestAWorkerThatEndsWhileItIsLetGoIsNotDetached(t *testing.T) {
	s := newStory(t).on(supervise.Attached{Session: "worker", Info: target.Info{TargetID: "worker", Type: "shared_worker"}})
	s.wantSent("worker Runtime.runIfWaitingForDebugger")
	s.refuse("worker Runtime.runIfWaitingForDebugger", "Session with given id not found.").wantSent()
}

// The dialog of a frame that was removed while the connection was lost is reported to no one, and crashes the browser
// when its tab is closed.
func TestATabThatCameBackIsClosedWithoutItsPageDomain(t *testing.T) {
	for name, c := range map[string]struct {
		lost bool
		want []string
	}{
		"came back": {true, []string{"again answer dismiss", "again Page.disable", "browser close tab"}},
		"stayed":    {false, []string{"page answer dismiss", "browser close tab"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(add(supervise.TaskSettings{}), pageAttached("tab", "page"))
			s.reply("browser create about:blank", supervise.CommandReply{Target: "tab"})
			s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("tab", "", "https://top/")}})
			if c.lost {
				s.drop().back().seedAgain()
			}
			s.quiet().removeTask()
			s.wantSent(c.want...)
		})
	}
}
