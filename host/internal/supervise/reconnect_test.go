package supervise_test

import (
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// drop loses the connection for a while.
func (s *script) drop() *script {
	s.t.Helper()
	return s.on(supervise.ConnectionLost{Reason: "it broke", Reconnecting: true})
}

// back restores the connection, with the tab "tab" on the session "again".
func (s *script) back() *script {
	s.t.Helper()
	s.sends = nil // no reply comes to what was sent before
	return s.on(
		supervise.TargetChanged{Info: target.Info{TargetID: "tab", Type: "page"}}, supervise.Discovered{},
		pageAttached("tab", "again"), supervise.Reconnected{},
	)
}

func (s *script) seedAgain(frames ...supervise.FrameInfo) *script {
	s.t.Helper()
	frames = append([]supervise.FrameInfo{document("tab", "", "https://top/")}, frames...)
	return s.reply("again Page.getFrameTree", supervise.CommandReply{Frames: frames})
}

func TestATabKeepsItsFramesOverALossAndLosesThoseThatWentMeanwhile(t *testing.T) {
	s := withOOPIF(t).on(supervise.FrameAttached{Session: "page", Frame: "local", Parent: "tab"})
	s.drop().wantTree("tab", "  frame ()", "    inner", "  local")
	s.back().wantTree("tab", "  frame ()", "    inner", "  local")
	s.seedAgain().on(oopif("frame", "tab", "x2", "again")).ok("again Target.setAutoAttach")
	s.wantTree("tab", "  frame (x2)", "    inner")
}

func TestADialogThatIsStillOpenAfterALossStaysPendingAndIsOnlyDismissed(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm)).drop().wantDialogs("d-1 pending")
	s.back().quiet().pass(3 * time.Second).wantDialogs("d-1 pending").wantSent()
	request := s.respond("", true)
	s.wantSent("again " + releaseLine)
	s.on(supervise.DialogClosed{Session: "again", Frame: "tab"}).wantDialogs("d-1 disconnected")
	if r := s.replyTo(request); r.Err == nil {
		t.Error("an acceptance that was a dismissal succeeded")
	}
}

const releaseLine = "navigate vbscript:nowhere"

func TestADialogIsClosedWhenItsTabAnswersAfterALoss(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm)).drop().back()
	s.seedAgain().wantDialogs("d-1 disconnected")
}

func TestAnAnswerThatIsGivenWithoutAConnectionWaitsForIt(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm)).drop().quiet()
	request := s.respond("", false)
	s.wantSent().wantDialogs("d-1 answering")
	s.back().quiet().pass(3 * time.Second).wantSent("again " + releaseLine)
	s.on(supervise.DialogClosed{Session: "again", Frame: "tab"}).wantDialogs("d-1 agent")
	if r := s.replyTo(request); r.Err != nil {
		t.Error(r.Err)
	}
}

func TestTheWatchdogClosesADialogWithoutAConnectionAndItsTabIsFreedLater(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm)).drop()
	s.pass(300 * time.Second).wantDialogs("d-1 disconnected")
	s.back().quiet().pass(9*time.Second).wantSent("again Page.disable", "again "+releaseLine)
}

func TestAnAgentWhoseAnswerWasUnderWayIsToldThatNobodyKnows(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm))
	request := s.respond("", true)
	s.drop().wantDialogs("d-1 pending")
	var refusal *supervise.DialogError
	if r := s.replyTo(request); !asDialogError(r.Err, &refusal) || refusal.Kind != supervise.DialogUnconfirmed {
		t.Errorf("the reply is %v", r.Err)
	}
}

func asDialogError(err error, into **supervise.DialogError) bool {
	e, ok := err.(*supervise.DialogError) //nolint:errorlint // replies carry it as it is
	*into = e
	return ok
}

// A frame in another process may have been removed under its dialog. Then nothing may close that dialog while the Page
// domain is enabled.
func TestATabWhoseOOPIFHadADialogIsFreedFirstAlsoIfItsTimeRanOutWithTheConnection(t *testing.T) {
	s := withOOPIF(t).on(opens("frame", abi.DialogTypeConfirm)).pass(300 * time.Second).drop().wantDialogs("d-1 disconnected")
	s.quiet().back().wantSent("again " + releaseLine)
}

func TestATabWhoseOOPIFHadADialogIsFreedBeforeThePageDomainIsEnabled(t *testing.T) {
	s := withOOPIF(t).on(opens("frame", abi.DialogTypeConfirm)).drop().quiet().back()
	s.wantSent("again " + releaseLine)
	s.ok("again " + releaseLine).wantDialogs("d-1 disconnected").wantSent(append([]string{"again Inspector.enable"}, prepared("again")...)...)
}

// A browser that is slow to release the dialog still has it, however long that takes.
func TestThePageDomainIsEnabledAfterTheReleaseHoweverLongThatTakes(t *testing.T) {
	s := withOOPIF(t).on(opens("frame", abi.DialogTypeConfirm)).drop().quiet().back()
	s.wantSent("again " + releaseLine).wantDialogs("d-1 pending")
	s.pass(5 * time.Second).wantSent("again " + releaseLine).wantDialogs("d-1 disconnected")
	s.pass(9 * time.Second).wantSent().pass(time.Second).wantSent("again " + releaseLine)
	s.ok("again " + releaseLine).ok("again " + releaseLine).wantSent() // nothing waits for the replies to the older two
	s.ok("again " + releaseLine).wantSent(append([]string{"again Inspector.enable"}, prepared("again")...)...)
	s.pass(time.Second).wantSent()
}

func TestATaskOfWhoseTabsNoneIsLeftEnds(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm)).drop()
	s.on(supervise.TargetChanged{Info: target.Info{TargetID: "other", Type: "page"}}, supervise.Discovered{})
	s.wantDialogs("d-1 disconnected")
	ends := effectsOf[supervise.TaskGone](s)
	if len(ends) != 1 || s.state.EndedReason("task") == "" {
		t.Errorf("%d ends, the task's loss is %q", len(ends), s.state.EndedReason("task"))
	}
}

func TestATabThatDoesNotComeByItselfAfterALossIsAskedFor(t *testing.T) {
	s := newStory(t).drop().quiet()
	s.sends = nil // no reply comes to what was sent before
	s.on(supervise.TargetChanged{Info: target.Info{TargetID: "tab", Type: "page"}}, supervise.Discovered{}, supervise.Reconnected{})
	s.wantSent("browser attach tab").refuse("browser attach tab", "No target with given id found").wantTree("")
}

func TestATaskThatEndsWithoutAConnectionLeavesNoTabOfItsOwn(t *testing.T) {
	s := newScript(t).on(add(supervise.TaskSettings{}), popup("tab", "page", ""))
	s.reply("browser create about:blank", supervise.CommandReply{Target: "tab"}).drop().quiet()
	if r := s.replyTo(s.removeTask()); r.Err != nil {
		t.Fatal(r.Err)
	}
	s.quiet().on(supervise.TargetChanged{Info: target.Info{TargetID: "tab", Type: "page"}}, supervise.Discovered{})
	s.wantSent("browser close tab")
}

// A popup that waits for the debugger is not announced as waiting when it is attached again.
func TestAPopupThatMayStillWaitIsResumedBeforeItsLeavingTaskDetaches(t *testing.T) {
	s := newStory(t).on(popup("popup", "x", "tab")).drop()
	s.on(supervise.TargetChanged{Info: target.Info{TargetID: "tab", Type: "page"}})
	s.on(supervise.TargetChanged{Info: target.Info{TargetID: "popup", Type: "page", OpenerID: "tab"}}, supervise.Discovered{})
	s.removeTask()
	s.quiet().on(pageAttached("popup", "again")).wantSent("again Runtime.runIfWaitingForDebugger", "browser detach again")
}

func TestABeforeunloadDialogThatIsStillOpenAfterALossEndsWithItsTab(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeBeforeUnload)).drop().back().quiet().pass(3 * time.Second)
	s.respond("", true)
	s.wantSent("browser close tab").on(supervise.TargetDestroyed{Target: "tab"}).wantDialogs("d-1 disconnected")
}

func TestEventsOfALostConnectionAreIgnored(t *testing.T) {
	s := newStory(t).drop().quiet()
	s.on(supervise.FrameAttached{Session: "page", Frame: "late", Parent: "tab"}, popup("new", "s", "tab")).wantTree("tab").wantSent()
	if kinds := effectsOf[supervise.Notify](s); slices.ContainsFunc(kinds, func(n supervise.Notify) bool { return n.Kind == supervise.NotifyTargetAttached }) {
		t.Errorf("%+v", kinds)
	}
}

// The tree of the parent's session may arrive between the new session of a frame and that session's own tree. It lacks
// the frame, which is still an OOPIF once its own session reports it.
func TestAFrameThatItsParentLostFirstIsAnOOPIF(t *testing.T) {
	s := newStory(t)
	s.on(supervise.FrameAttached{Session: "page", Frame: "frame", Parent: "tab"}, oopif("other", "tab", "session-other", "page"))
	s.reply("session-other Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("other", "tab", "https://other/")}})
	s.on(oopif("frame", "tab", "session-frame", "page"), supervise.Detached{Session: "session-other"})
	s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("tab", "", "https://top/")}})
	s.reply("session-frame Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("frame", "tab", "https://frame/")}})
	s.wantTree("tab", "  frame (session-frame)")
}

// Chromium runs the first script of a document without what was set on its session a moment before the navigation.
func TestATabWaitsAfterALossUntilItEmulatesAgain(t *testing.T) {
	s := newStory(t)
	mobile := supervise.EmulationCommand{Method: "Emulation.setDeviceMetricsOverride", Where: supervise.InTabs}
	s.on(supervise.Emulate{Task: "task", Set: []supervise.EmulationCommand{mobile}, Undo: []supervise.EmulationCommand{mobile}})
	s.drop().back().seedAgain()
	if !s.state.MustWait("task", "tab") {
		t.Error("nothing waits for what the tab has to emulate")
	}
	s.seedAgain()
	if s.state.MustWait("task", "tab") {
		t.Error("something waits for a tab that has answered")
	}
}
