package supervise_test

import (
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

const release = "page navigate vbscript:nowhere"

func TestADialogThatTheBrowserClosedNeedsNoHealingWhenItsFrameNavigates(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm))
	s.respond("", true)
	s.quiet().on(closes("tab", false), navigated("page", document("tab", "", "https://next/")))
	s.wantSent().wantDialogs("d-1 answering")
	s.refuse("page answer accept", "No dialog is showing")
	s.wantSent().wantDialogs("d-1 remote")
}

func TestATabIsHealedInOrderWhenTheFrameOfADialogIsRemoved(t *testing.T) {
	s := withOOPIF(t).on(opens("frame", abi.DialogTypeConfirm)).quiet()
	request := s.respond("", true)
	s.quiet().on(supervise.FrameDetached{Session: "page", Frame: "frame"})
	if s.replyTo(request).Err == nil {
		t.Error("the agent was told that its answer was taken")
	}
	s.wantDialogs("d-1 remote").wantSent("page Page.disable", release)
	if !s.state.MustWait("task", "tab") {
		t.Error("commands to the page would not wait")
	}
	s.on(supervise.Detached{Session: "x"}).wantSent().wantTree("tab")
	s.ok(release).wantSent("page Page.enable", "page Page.setLifecycleEventsEnabled", "page Page.getFrameTree")
	if s.state.MustWait("task", "tab") {
		t.Error("commands to the page still wait")
	}
}

func TestALostDialogIsNeverAnswered(t *testing.T) {
	s := withOOPIF(t).on(opens("frame", abi.DialogTypeConfirm))
	ask := s.lastAsk()
	s.on(supervise.FrameDetached{Session: "page", Frame: "frame"}).quiet()
	s.on(supervise.DialogVerdict{Token: ask.Token, Verdict: abi.DialogVerdict{Action: abi.DialogActionAccept}})
	s.respond("d-1", true)
	s.ok(release).wantSent("page Page.enable", "page Page.setLifecycleEventsEnabled", "page Page.getFrameTree")
	s.pass(time.Hour).wantSent()
	if dropped := s.state.Counters().VerdictsDropped; dropped != 1 {
		t.Errorf("%d verdicts were dropped", dropped)
	}
}

// The Page domain is disabled when the browser asks whether to leave: no answer reaches that dialog.
func TestABeforeUnloadDialogThatMeetsAHealingIsClosedWithItsTab(t *testing.T) {
	s := withOOPIF(t).on(opens("frame", abi.DialogTypeConfirm), supervise.FrameDetached{Session: "page", Frame: "frame"}).quiet()
	s.on(opens("tab", abi.DialogTypeBeforeUnload)).respond("d-2", true)
	s.wantSent("browser close tab")
}

// No event says that the navigation dismisses it: its Page domain is disabled.
func TestADialogThatMeetsAHealingIsDismissedByIt(t *testing.T) {
	s := withOOPIF(t).on(opens("frame", abi.DialogTypeConfirm), supervise.FrameDetached{Session: "page", Frame: "frame"}).quiet()
	s.on(opens("tab", abi.DialogTypeConfirm)).wantDialogs("d-1 remote", "d-2 pending")
	s.ok(release).wantDialogs("d-1 remote", "d-2 remote")
}

func TestATaskLeavesATabOnlyOnceItIsHealed(t *testing.T) {
	s := withOOPIF(t).on(opens("frame", abi.DialogTypeConfirm), supervise.FrameDetached{Session: "page", Frame: "frame"}).quiet()
	s.removeTask()
	s.wantSent().ok(release)
	s.wantSent("page Page.enable", "page Page.setLifecycleEventsEnabled", "page Page.getFrameTree", "page Page.getFrameTree")
}

func TestATabThatCanNotBeHealedIsDetachedFromAndNotClosed(t *testing.T) {
	s := withOOPIF(t).on(opens("frame", abi.DialogTypeConfirm), supervise.FrameDetached{Session: "page", Frame: "frame"}).quiet()
	s.removeTask()
	s.pass(time.Minute).wantSent("browser detach page")
}

func TestADialogOfAPageThatIsBeingLeftIsFreed(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm)).quiet()
	request := s.respond("", false)
	s.wantSent("page answer dismiss").refuse("page answer dismiss", "Not attached to an active page").wantSent(release)
	s.on(closes("tab", false))
	if r := s.replyTo(request); r.Err != nil {
		t.Errorf("a dismissal had its effect and was reported as %v", r.Err)
	}
	s.ok(release).wantSent().wantDialogs("d-1 agent")
}

func TestADialogThatWasToBeAcceptedAndWasFreedIsReportedAsGone(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm))
	request := s.respond("", true)
	s.refuse("page answer accept", "Not attached to an active page").on(closes("tab", false))
	if r := s.replyTo(request); r.Err == nil {
		t.Error("the agent was told that the page was given true")
	}
	s.wantDialogs("d-1 remote")
}

// An existing tab is supervised before its tree is known, and a process that a dialog blocks does not report it.
func TestADialogOfAFrameThatIsNotKnownYetIsLostWithWhatItMayBelongTo(t *testing.T) {
	removed := supervise.FrameDetached{Session: "page", Frame: "frame"}
	for name, c := range map[string]struct {
		dialog cdproto.FrameID
		event  supervise.Event
	}{
		"the frame itself is removed":                      {"frame", removed},
		"an OOPIF whose tree is not known is removed":      {"inner", supervise.FrameDetached{Session: "page", Frame: "x"}},
		"the session of an OOPIF without a known tree end": {"inner", supervise.Detached{Session: "x"}},
		"the process of an OOPIF without a tree crashes":   {"inner", supervise.SessionCrashed{Session: "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			before := oopif("x", "tab", "x", "page")
			before.Waiting = false
			s := newStory(t).on(before, opens(c.dialog, abi.DialogTypeConfirm)).quiet()
			s.on(c.event).wantDialogs("d-1 remote").quiet()
			s.ok("page Page.getNavigationHistory").wantSent("page Page.disable", release)
		})
	}
}

// A frame in another process may have the frame of the dialog in it, as long as its session has not told of its frames.
func TestADialogOfAnUnknownFrameIsLostWithAFrameThatMayContainIt(t *testing.T) {
	for name, before := range map[string][]supervise.Event{
		"that was never known": nil,
		"whose session has not come": {
			supervise.FrameAttached{Session: "page", Frame: "outer", Parent: "tab"}, supervise.FrameDetached{Session: "page", Frame: "outer", Swap: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t).on(before...).on(opens("inner", abi.DialogTypeConfirm)).quiet()
			s.on(supervise.FrameDetached{Session: "page", Frame: "outer"}).wantDialogs("d-1 remote").quiet()
			s.ok("page Page.getNavigationHistory").wantSent("page Page.disable", release)
		})
	}
}

func TestADialogOfAFrameThatIsNotKnownYetOutlivesAProcessThatHadNotBegun(t *testing.T) {
	s := newStory(t).on(oopif("x", "tab", "x", "page"), opens("inner", abi.DialogTypeConfirm)).quiet()
	s.on(supervise.Detached{Session: "x"}).wantDialogs("d-1 pending")
}

func TestADialogIsLostWithAFrameAboveItWhenNeitherIsKnownYet(t *testing.T) {
	doubtful(t).wantDialogs("d-1 remote").ok("page Page.getNavigationHistory").wantSent("page Page.disable", release)
}

// doubtful is a tab in which a frame was removed under a dialog, when neither the frame nor that of the dialog was
// known: Chromium is asked whether the dialog is lost.
func doubtful(t *testing.T) *script {
	t.Helper()
	s := newScript(t).on(add(supervise.TaskSettings{TargetID: "tab"}), pageAttached("tab", "page")).quiet()
	s.on(opens("inner", abi.DialogTypeConfirm), supervise.FrameDetached{Session: "page", Frame: "outer"})
	return s.wantSent("page Page.getNavigationHistory")
}

func TestTheDomainStaysEnabledUnderADialogOfAnUnknownFrameIfItsPageIsBeingLeft(t *testing.T) {
	s := doubtful(t).refuse("page Page.getNavigationHistory", "Not attached to an active page").wantSent(release)
	s.on(closes("inner", false)).ok(release).wantSent("page Page.getFrameTree")
	if s.state.MustWait("task", "tab") {
		t.Error("commands to the page still wait")
	}
}

func TestATaskLeavesATabOnlyOnceItIsKnownWhetherItsDialogIsLost(t *testing.T) {
	removed := func() *script {
		s := doubtful(t)
		s.removeTask()
		return s.pass(2 * time.Second).wantSent()
	}
	removed().ok("page Page.getNavigationHistory").wantSent("page Page.disable", "browser detach page")
	left := removed().refuse("page Page.getNavigationHistory", "Not attached to an active page")
	left.wantSent("page answer dismiss", "browser close tab")
}

// adopted is a task that adopts a tab which does not respond.
func adopted(t *testing.T) *script {
	t.Helper()
	s := newScript(t).on(
		supervise.AddTask{Request: 1, Settings: supervise.TaskSettings{ID: "task", TargetID: "tab"}},
		pageAttached("tab", "page"),
	)
	return s.quiet()
}

func TestAnAdoptedTabThatDoesNotAnswerIsFreed(t *testing.T) {
	for name, answer := range map[string]func(*script){
		"when the browser replies":      func(s *script) { s.ok(release) },
		"or after a time, if it cannot": func(s *script) { s.pass(3 * time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			s := adopted(t).pass(8*time.Second).wantSent().pass(time.Second).wantSent("page Page.disable", release)
			answer(s)
			s.wantSent("page Page.enable", "page Page.setLifecycleEventsEnabled", "page Page.getFrameTree")
			if s.state.MustWait("task", "tab") {
				t.Error("commands to the page still wait")
			}
		})
	}
}

func TestAnAdoptedTabThatAnswersIsLeftAlone(t *testing.T) {
	s := adopted(t)
	s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("tab", "", "https://top/")}})
	s.pass(time.Minute).wantSent()
}

func TestAnAdoptedTabThatShowsADialogWeKnowIsLeftAlone(t *testing.T) {
	adopted(t).on(opens("tab", abi.DialogTypeConfirm)).pass(3 * time.Second).wantSent()
}
