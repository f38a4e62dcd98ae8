package supervise_test

import (
	"strings"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// withLocalFrame is a story whose tab has the local frame "frame" with the local frame "inner" in it.
func withLocalFrame(t *testing.T) *script {
	t.Helper()
	return newStory(t).on(
		supervise.FrameAttached{Session: "page", Frame: "frame", Parent: "tab"},
		supervise.FrameAttached{Session: "page", Frame: "inner", Parent: "frame"},
	).quiet()
}

func TestAFrameThatMovesOutLeavesTheFramesOfItsOldDocumentBehind(t *testing.T) {
	attach := oopif("frame", "tab", "x", "page")
	navigate := navigated("x", document("frame", "tab", "https://other/"))
	swap := supervise.FrameDetached{Session: "page", Frame: "frame", Swap: true}
	for name, events := range map[string][]supervise.Event{
		"the new process speaks first":                       {attach, navigate, swap},
		"the old process speaks first":                       {attach, swap, navigate},
		"the session comes last":                             {swap, attach, navigate},
		"the navigation happened before the session was set": {attach, swap},
	} {
		t.Run(name, func(t *testing.T) {
			withLocalFrame(t).on(events...).wantTree("tab", "  frame (x)")
		})
	}
}

func TestAFrameThatMovesHomeLosesTheSessionsOfItsProcess(t *testing.T) {
	detach := supervise.Detached{Session: "x"}
	attach := supervise.FrameAttached{Session: "page", Frame: "frame", Parent: "tab"}
	navigate := navigated("page", document("frame", "tab", "https://top/home"))
	for name, events := range map[string][]supervise.Event{
		"the session ends first":                   {detach, attach, navigate},
		"the session ends last":                    {attach, navigate, detach},
		"the session ends before the navigation":   {attach, detach, navigate},
		"a frame in it had a process of its own":   {oopif("deep", "inner", "y", "x"), detach, attach, navigate},
		"the session ends last, with one below it": {oopif("deep", "inner", "y", "x"), attach, navigate, detach},
	} {
		t.Run(name, func(t *testing.T) {
			withOOPIF(t).on(events...).wantTree("tab", "  frame")
		})
	}
}

func TestAMoveThatComesToNothingLeavesTheFrameWhereItIs(t *testing.T) {
	s := withLocalFrame(t).on(oopif("frame", "tab", "x", "page"), supervise.Detached{Session: "x"})
	s.wantTree("tab", "  frame", "    inner")
}

func TestAnOOPIFWhoseSessionEndsIsAskedAboutAndDroppedIfNobodyHasIt(t *testing.T) {
	top := []supervise.FrameInfo{document("tab", "", "https://top/")}
	home := append(top, document("frame", "tab", "https://top/home"))
	for name, c := range map[string]struct {
		frames []supervise.FrameInfo
		want   []string
	}{
		"the parent does not have it": {top, []string{"tab"}},
		"the parent has it back":      {home, []string{"tab", "  frame"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := withOOPIF(t).on(supervise.Detached{Session: "x"}).wantTree("tab", "  frame ()")
			s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: c.frames}).wantTree(c.want...)
		})
	}
}

// A frame moves to another process, and so does a frame of the document that it leaves. The browser may announce the
// session of the second when the first has its new document, on the session that is about to end.
func TestAFrameOfADocumentThatIsLeftIsAnnouncedLateAndGoesWithTheSessionThatAnnouncedIt(t *testing.T) {
	s := withOOPIF(t).on(oopif("frame", "tab", "y", "page"), navigated("y", document("frame", "tab", "https://next/")))
	s.on(oopif("late", "frame", "z", "x")).wantTree("tab", "  frame (y)", "    late (z)")
	s.on(supervise.Detached{Session: "x"}).wantTree("tab", "  frame (y)")
}

func TestATopNavigationEndsTheSessionsOfWhichOnlyTheFirstLevelIsSaidToEnd(t *testing.T) {
	s := withOOPIF(t).on(oopif("deep", "inner", "y", "x"), oopif("deeper", "deep", "z", "y")).quiet()
	s.on(supervise.Detached{Session: "x"}, navigated("page", document("tab", "", "https://next/"))).wantTree("tab")
	s.on(supervise.FrameDetached{Session: "page", Frame: "frame"}, supervise.FrameDetached{Session: "page", Frame: "frame", Swap: true}).wantTree("tab")
	for _, end := range effectsOf[supervise.Interrupt](s) {
		if end.Reason != supervise.InterruptGone {
			t.Errorf("%+v", end)
		}
	}
	if ends := len(effectsOf[supervise.Interrupt](s)); ends != 3 {
		t.Errorf("calls on %d sessions were ended, want 3", ends)
	}
}

func TestADocumentFromTheCacheBringsItsFramesAlong(t *testing.T) {
	s := newStory(t).on(oopif("frame", "local", "x", "page"), oopif("deep", "frame", "y", "x"))
	restored := document("tab", "", "https://before/")
	restored.Restored = true
	s.on(navigated("page", restored))
	s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{
		document("tab", "", "https://before/"), document("local", "tab", "https://before/local"),
	}})
	s.wantTree("tab", "  local", "    frame (x)", "      deep (y)")
}

func TestAFrameOfAnotherProcessIsRemovedInEitherOrder(t *testing.T) {
	removed := supervise.FrameDetached{Session: "page", Frame: "frame"}
	for name, events := range map[string][]supervise.Event{
		"the frame first":   {removed, supervise.Detached{Session: "x"}},
		"the session first": {supervise.Detached{Session: "x"}, removed},
	} {
		t.Run(name, func(t *testing.T) {
			withOOPIF(t).on(events...).wantTree("tab")
		})
	}
}

// Seen under load: the element is removed while its document moves, and the session of the new process stays forever.
func TestARemovedFrameIsForgottenWithASessionThatStays(t *testing.T) {
	s := withOOPIF(t).on(
		supervise.FrameDetached{Session: "page", Frame: "frame"},
		supervise.FrameAttached{Session: "x", Frame: "late", Parent: "frame"},
		navigated("x", document("frame", "tab", "https://other/again")),
	)
	s.wantTree("tab").wantSent()
	s.on(oopif("deeper", "frame", "y", "x")).wantTree("tab")
	s.wantSent("y Runtime.runIfWaitingForDebugger", "x detach y")
}

func TestTheOldProcessSpeaksInVainOfChildrenOfADocumentThatMovedOut(t *testing.T) {
	s := withLocalFrame(t).on(
		oopif("frame", "tab", "x", "page"),
		navigated("x", document("frame", "tab", "https://other/")),
	)
	tree := s.tree()
	s.on(
		supervise.FrameAttached{Session: "page", Frame: "old child", Parent: "frame"},
		navigated("page", document("older child", "frame", "https://top/child")),
	)
	if s.tree() != tree {
		t.Errorf("the tree became %s, want %s", s.tree(), tree)
	}
}

func TestAFrameThatIsKnownByASessionAloneIsWhereItsParentSaysThatItIs(t *testing.T) {
	attach := oopif("local", "tab", "x", "page")
	child := supervise.FrameAttached{Session: "page", Frame: "inner", Parent: "local"}
	seed := func(s *script) {
		s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{
			document("tab", "", "https://before/"), document("local", "tab", "https://before/local"), document("inner", "local", "https://before/inner"),
		}})
	}
	restored := document("tab", "", "https://before/")
	restored.Restored = true
	s := newStory(t).on(navigated("page", restored), attach, child)
	s.reply("x Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("local", "tab", "initial")}})
	seed(s)
	s.wantTree("tab", "  local", "    inner")
	s.on(supervise.Detached{Session: "x"}).wantTree("tab", "  local", "    inner")

	s = newStory(t).on(navigated("page", restored), attach)
	seed(s)
	s.on(oopif("inner", "local", "y", "page"), navigated("y", document("inner", "local", "https://other/")), supervise.Detached{Session: "x"})
	s.wantTree("tab", "  local", "    inner (y)")
}

func TestARestoredDocumentWhoseTreeCameFirstKeepsNoFrameOfTheOneBefore(t *testing.T) {
	s := newScript(t).on(
		add(supervise.TaskSettings{TargetID: "tab"}), pageAttached("tab", "page"),
		supervise.FrameAttached{Session: "page", Frame: "old", Parent: "tab"},
		supervise.FrameDetached{Session: "page", Frame: "old", Swap: true},
	)
	restored := document("tab", "", "https://before/")
	s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{restored}})
	restored.Restored = true
	s.on(navigated("page", restored)).wantTree("tab")
}

// withOOPIF is a story whose tab has the OOPIF "frame" on the session "x", and in it the local frame "inner".
func withOOPIF(t *testing.T) *script {
	t.Helper()
	s := newStory(t).on(
		supervise.FrameAttached{Session: "page", Frame: "frame", Parent: "tab"},
		oopif("frame", "tab", "x", "page"),
		navigated("x", document("frame", "tab", "https://other/")),
		supervise.FrameDetached{Session: "page", Frame: "frame", Swap: true},
		supervise.FrameAttached{Session: "x", Frame: "inner", Parent: "frame"},
	)
	return s.reply("x Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{
		document("frame", "tab", "https://other/"), document("inner", "frame", "https://other/inner"),
	}}).quiet()
}

func TestACrashedOOPIFStaysInTheTreeWithoutTheFramesOfItsProcess(t *testing.T) {
	s := withOOPIF(t).wantTree("tab", "  frame (x)", "    inner")
	s.on(supervise.SessionCrashed{Session: "x"}).wantTree("tab", "  frame (x)")
}

func TestTheDialogOfACrashedProcessIsFreedIfItsFrameStaysAndHealedIfNot(t *testing.T) {
	for name, c := range map[string]struct {
		frame cdproto.FrameID
		sent  []string
	}{
		"the process's topmost frame stays, so the dialog can be dismissed":     {"frame", []string{release}},
		"a frame below it is gone, so closing its dialog would end the browser": {"inner", []string{"page Page.disable", release}},
	} {
		t.Run(name, func(t *testing.T) {
			s := withOOPIF(t).on(opens(c.frame, abi.DialogTypeConfirm)).quiet()
			s.on(supervise.SessionCrashed{Session: "x"}).wantSent(c.sent...)
		})
	}
}

func TestADialogThatWasAnsweredBeforeItsProcessCrashedKeepsItsAnswer(t *testing.T) {
	s := withOOPIF(t).on(opens("frame", abi.DialogTypeConfirm))
	s.respond("", true)
	s.ok("page Runtime.getIsolateId").quiet().on(closes("frame", true), supervise.SessionCrashed{Session: "x"}).wantSent()
	s.ok("page answer accept").wantDialogs("d-1 agent")
}

// The browser ends if it gets an answer to the dialog of a frame that another process has removed.
func TestAnAnswerWaitsForWhatTheProcessesAroundItsFrameDidBefore(t *testing.T) {
	answered := func(t *testing.T) *script {
		s := withOOPIF(t).on(opens("frame", abi.DialogTypeConfirm)).quiet()
		s.respond("", true)
		return s.wantSent("page Runtime.getIsolateId")
	}
	t.Run("they did nothing", func(t *testing.T) {
		answered(t).ok("page Runtime.getIsolateId").wantSent("page answer accept")
	})
	t.Run("they do not say", func(t *testing.T) {
		answered(t).pass(time.Second).wantSent("page answer accept")
	})
	t.Run("they removed the frame", func(t *testing.T) {
		s := answered(t).on(supervise.FrameDetached{Session: "page", Frame: "frame"})
		s.wantDialogs("d-1 remote")
		for _, sent := range s.sent() {
			if strings.Contains(sent, "answer") {
				t.Errorf("%s was sent", sent)
			}
		}
	})
	t.Run("the dialog is of a frame in it", func(t *testing.T) {
		s := withOOPIF(t).on(opens("inner", abi.DialogTypeConfirm)).quiet()
		s.respond("", true)
		s.wantSent("page Runtime.getIsolateId")
	})
	t.Run("a dialog of their own", func(t *testing.T) {
		s := withOOPIF(t).on(opens("tab", abi.DialogTypeConfirm)).quiet()
		s.respond("", true)
		s.wantSent("page answer accept")
	})
}

func TestACrashedTabKeepsItsSessionAndIsRevivedByANavigation(t *testing.T) {
	s := withOOPIF(t).on(supervise.SessionCrashed{Session: "page"}, supervise.TargetCrashed{Target: "tab"}).wantTree("tab")
	crashes := 0
	for _, n := range effectsOf[supervise.Notify](s) {
		if n.Kind == supervise.NotifyTargetCrashed {
			crashes++
		}
	}
	if v, _ := s.state.View("task"); !v.Targets[0].Crashed || crashes != 1 {
		t.Fatalf("crashed %t, told %d times", v.Targets[0].Crashed, crashes)
	}
	s.on(navigated("page", document("tab", "", "https://again/")))
	if v, _ := s.state.View("task"); v.Targets[0].Crashed {
		t.Error("the tab is still shown as crashed")
	}
}

func TestATreeThatWasAskedForBeforeACrashIsAskedForAgain(t *testing.T) {
	s := newStory(t).on(oopif("frame", "tab", "x", "page")).quiet()
	s.on(supervise.SessionCrashed{Session: "x"}).wantSent("x Page.getFrameTree")
	s.refuse("x Page.getFrameTree", "Target crashed").wantSent()
	s.on(supervise.Detached{Session: "x"}).wantSent("page Page.getFrameTree")
}

// Chromium may announce the session of a frame after the frame was removed, and never end it.
func TestAFrameThatItsParentDoesNotKnowIsRemoved(t *testing.T) {
	gone := supervise.CommandReply{Err: &supervise.CommandError{Message: "Frame with the given id was not found."}}
	own := supervise.CommandReply{Frames: []supervise.FrameInfo{document("frame", "tab", "https://other/")}}
	for name, c := range map[string]struct {
		owner supervise.CommandReply
		want  []string
	}{
		"it has no element":    {gone, []string{"tab"}},
		"it has one":           {supervise.CommandReply{Owner: 7}, []string{"tab", "  frame (x)"}},
		"the parent is moving": {supervise.CommandReply{Err: &supervise.CommandError{Message: "Not attached to an active page"}}, []string{"tab", "  frame (x)"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t).on(oopif("frame", "tab", "x", "page")).reply("x Page.getFrameTree", own).wantTree("tab", "  frame (x)")
			s.reply("page DOM.getFrameOwner", c.owner).wantTree(c.want...)
		})
	}
	// One that the parent has announced needs no question.
	withLocalFrame(t).on(oopif("frame", "tab", "x", "page")).wantSent("x Page.enable", "x Page.getFrameTree", "x FedCm.enable", "x Runtime.enable", "x Log.enable",
		"x Target.setAutoAttach", "x Runtime.runIfWaitingForDebugger")
}

func TestAFrameThatWentWithItsParentsDocumentDoesNotComeBackWithItsSession(t *testing.T) {
	s := withLocalFrame(t).on(oopif("frame", "tab", "x", "page"), oopif("leaked", "frame", "y", "page"))
	s.on(navigated("x", document("frame", "tab", "https://other/"))).wantTree("tab", "  frame (x)")
	s.refuse("page DOM.getFrameOwner", "Frame with the given id was not found.")
	s.on(navigated("y", document("leaked", "frame", "https://leaked/"))).wantTree("tab", "  frame (x)")
}
