package supervise_test

import (
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// bridgedAway is a story with an open dialog of the bridge whose connection was lost and restored.
func bridgedAway(t *testing.T) *script {
	t.Helper()
	return newBridgedStory(t).pauses().holds(hold).drop().wantDialogs("d-1 pending").back().quiet()
}

// opensAgain is the native prompt that a script falls back to.
func opensAgain(frame cdproto.FrameID) supervise.DialogOpening {
	e := opens(frame, abi.DialogTypePrompt)
	e.Session = "again"
	return e
}

func TestANativeDialogThatTheScriptFallsBackToIsTheSame(t *testing.T) {
	s := bridgedAway(t).on(opensAgain("tab")).wantDialogs("d-1 pending").wantSent()
	request := s.respond("d-1", true)
	s.ok("again answer accept default").wantDialogs("d-1 agent")
	if r := s.replyTo(request); r.Err != nil {
		t.Error(r.Err)
	}
}

func TestAnAnswerWaitsForWhatTheScriptComesBackWith(t *testing.T) {
	t.Run("the native dialog", func(t *testing.T) {
		s := bridgedAway(t)
		s.respond("d-1", true)
		s.wantSent().pass(3 * time.Second).wantSent().wantDialogs("d-1 answering")
		s.on(opensAgain("tab")).ok("again answer accept default").wantDialogs("d-1 agent")
	})
	t.Run("a request", func(t *testing.T) {
		s := bridgedAway(t)
		s.respond("d-1", true)
		e := requested("tab", "again 1")
		e.Session = "again"
		s.quiet().on(e).read(abi.BridgeRequest{Token: "request secret", Type: abi.DialogTypePrompt, Message: "well?", DefaultPrompt: "default", Key: "k"})
		s.words(abi.BridgeReply{Status: 200}).ok("again Fetch.fulfillRequest").wantDialogs("d-1 agent")
	})
}

func TestABridgedDialogOfALostConnectionIsClosedWhenItsProcessAnswers(t *testing.T) {
	bridgedAway(t).seedAgain().wantDialogs("d-1 disconnected")
}

func TestABridgedDialogOfAnotherProcessOutlastsTheAnswerOfItsPage(t *testing.T) {
	s := newBridgedStory(t).on(
		supervise.FrameAttached{Session: "page", Frame: "frame", Parent: "tab"}, oopif("frame", "tab", "x1", "page"),
		supervise.FrameNavigated{Session: "x1", Frame: document("frame", "tab", "https://frame/")},
		supervise.ContextCreated{Session: "x1", Context: supervise.ExecutionContext{ID: 7, Frame: "frame", Main: true}},
		supervise.Paused{Session: "x1", CallFrame: "0.7.0", Context: 7},
	)
	s.reply("x1 Debugger.evaluateOnCallFrame", text("payload"))
	s.read(abi.BridgeRequest{Token: "pause secret", Type: abi.DialogTypeConfirm, Key: "k"})
	s.pass(time.Second).holds(hold).drop().back()
	s.seedAgain().on(oopif("frame", "tab", "x2", "again")).ok("again Target.setAutoAttach").wantDialogs("d-1 pending")
	s.reply("x2 Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("frame", "tab", "https://frame/")}})
	s.wantDialogs("d-1 disconnected")
}

func TestAScriptThatNeverComesBackIsFreed(t *testing.T) {
	s := bridgedAway(t)
	s.respond("d-1", false)
	s.pass(14 * time.Second).wantSent().wantDialogs("d-1 answering")
	s.pass(8 * time.Second).wantSent("again " + releaseLine)
}
