package supervise_test

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

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
		frame cdp.FrameID
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
	s.quiet().on(closes("frame", true), supervise.SessionCrashed{Session: "x"}).wantSent()
	s.ok("page answer accept").wantDialogs("d-1 agent")
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
