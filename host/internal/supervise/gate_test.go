package supervise_test

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

const (
	passLine   = "browser Fetch.continueRequest"
	refuseLine = "browser Fetch.failRequest"
)

// atGate is a request as the browser's own session pauses it, under an id of its own.
func atGate(e supervise.RequestPaused) supervise.RequestPaused {
	e.Session, e.Request = "", "at the gate "+e.Request
	return e
}

// popped is a request of a window that the page has opened.
func popped(e supervise.RequestPaused) supervise.RequestPaused {
	e.Session, e.Frame = "popped", "window"
	return e
}

func TestWhatIsDecidedOrOfNoTaskPassesTheGate(t *testing.T) {
	s := newSiftedStory(t)
	s.on(atGate(asset("r1"))).wantSent(passLine)
	foreign := asset("r2")
	foreign.Frame = "of a tab that no task owns"
	s.on(atGate(foreign)).wantSent(passLine)
	s.on(popup("window", "popped", "tab")).quiet()
	s.on(atGate(popped(asset("r3")))).wantSent(passLine)
	s.on(atGate(popped(asksFor("r4", "https://next/")))).wantSent(passLine)
}

// A page that opens a window and closes it at once shows its document to nobody.
func TestTheDocumentOfAWindowThatWasClosedFailsAtTheGate(t *testing.T) {
	document := popped(asksFor("r1", "https://next/"))
	for name, before := range map[string][]supervise.Event{
		"while it was paused":             {document},
		"before its session was prepared": nil,
	} {
		t.Run(name, func(t *testing.T) {
			s := newGuardedStory(t).on(popup("window", "popped", "tab")).on(before...).closed("window", "popped").quiet()
			s.on(atGate(document))
			if p := only[supervise.SendCommand](s).Params.(*fetch.FailRequestParams); p.RequestID != "at the gate r1" || p.ErrorReason != network.ErrorReasonAborted {
				t.Errorf("%+v", p)
			}
			s.wantSent(refuseLine)
		})
	}
}

// What a page sends as it is closed may be what a person wrote into it, so it is decided and not just lost.
func TestABeaconOfAWindowThatWasClosedIsDecidedAtTheGate(t *testing.T) {
	for action, want := range map[abi.RequestAction]string{abi.RequestActionAllow: passLine, abi.RequestActionBlock: refuseLine} {
		t.Run(action.String(), func(t *testing.T) {
			s := newSiftedStory(t).on(popup("window", "popped", "tab")).closed("window", "popped").quiet()
			s.on(atGate(popped(asset("r1")))).pass(time.Second)
			ask := only[supervise.AskRequest](s)
			if ask.Event.TargetID != "window" || ask.Event.FrameID != "window" || ask.Task != "task" {
				t.Errorf("asked %+v", ask)
			}
			v := requestVerdict(action)
			v.Token = ask.Token
			s.quiet().on(v).wantSent(want)
		})
	}
}

func TestTheGuardLooksAtWhatAClosedWindowAsksFor(t *testing.T) {
	s := newNetworkStory(t).on(popup("window", "popped", "tab")).closed("window", "popped").quiet()
	s.on(atGate(popped(asset("r1"))))
	s.checks(&supervise.Refusal{Host: "top", Class: "private"}, "refused").wantSent(refuseLine)
}

// ofFrame is a request of an OOPIF.
func ofFrame(e supervise.RequestPaused) supervise.RequestPaused {
	e.Session, e.Frame = "below", "frame"
	return e
}

// A beacon of an OOPIF that is removed may be paused, or still be on its way to the session that has ended.
func TestABeaconOfAFrameThatWasRemovedIsDecidedAtTheGate(t *testing.T) {
	for name, before := range map[string][]supervise.Event{"it was paused": {ofFrame(asset("r1"))}, "it was on its way": nil} {
		t.Run(name, func(t *testing.T) {
			s := newSiftedStory(t).on(oopif("frame", "tab", "below", "page")).on(before...).on(supervise.Detached{Session: "below"}).quiet()
			s.on(atGate(ofFrame(asset("r1")))).pass(time.Second)
			v := requestVerdict(abi.RequestActionBlock)
			v.Token = only[supervise.AskRequest](s).Token
			s.quiet().on(v).wantSent(refuseLine)
		})
	}
}

// A frame whose document is of its parent's process asks on the parent's session from then on. Nothing is asked twice.
func TestWhatAFramesNewSessionHasLetGoPassesTheGate(t *testing.T) {
	s := newSiftedStory(t).on(oopif("frame", "tab", "below", "page"), supervise.FrameAttached{Session: "page", Frame: "frame", Parent: "tab"})
	s.on(supervise.Detached{Session: "below"}).quiet()
	request := ofFrame(asset("r1"))
	request.Session = "page"
	s.on(request).pass(time.Second).sifts(supervise.RequestVerdict{Abstained: true}).wantSent(continueLine)
	s.on(atGate(request)).wantSent(passLine)
	s.on(atGate(request)).pass(time.Second)
	only[supervise.AskRequest](s) // only one was let go
}

// What a rule of the task has answered never comes to the gate, so it is no pass for another request.
func TestWhatARuleHasAnsweredIsNoPassForTheGate(t *testing.T) {
	s := newSiftedStory(t).on(oopif("frame", "tab", "below", "page"), supervise.FrameAttached{Session: "page", Frame: "frame", Parent: "tab"})
	s.on(supervise.AddRoute{Request: 7, Task: "task", Rule: blockAll}, supervise.Detached{Session: "below"}).quiet()
	request := ofFrame(asset("r1"))
	request.Session = "page"
	s.on(request).pass(time.Second).sifts(supervise.RequestVerdict{Abstained: true}).wantSent(failLine)
	s.on(atGate(request)).pass(time.Second)
	only[supervise.AskRequest](s)
}

func TestWhatASharedWorkerLeavesIsDecidedAtTheGate(t *testing.T) {
	s := newSiftedStory(t).on(supervise.Attached{Parent: "page", Session: "worker", Info: target.Info{TargetID: "w", Type: "shared_worker"}, Waiting: true})
	s.on(supervise.Detached{Session: "worker"}).quiet()
	e := asset("r1")
	e.Frame = "w"
	s.on(atGate(e)).pass(time.Second)
	only[supervise.AskRequest](s)
}

func TestTheGateForgetsAndClosesAfterAWhile(t *testing.T) {
	s := newSiftedStory(t).on(popup("window", "popped", "tab")).closed("window", "popped").quiet()
	s.on(supervise.HooksChanged{}).wantFetches("page Fetch.disable")
	s.quiet().pass(time.Minute).wantFetches(ungateLine)
	s.quiet().on(atGate(popped(asset("r1")))).wantSent(passLine)
}

// A tab that a task leaves as it ends goes on without it.
func TestATabThatATaskHasLeftPassesTheGate(t *testing.T) {
	s := newSiftedStory(t).on(supervise.Detached{Session: "page"}).quiet()
	s.on(atGate(asset("r1"))).wantSent(passLine)
}

func TestOnceATaskHasEndedTheFailModeDecidesAtTheGate(t *testing.T) {
	for failClosed, want := range map[bool]string{false: passLine, true: refuseLine} {
		s := newStoryWith(t, supervise.Config{RequestFailClosed: failClosed}).on(supervise.HooksChanged{Request: true})
		s.on(popup("window", "popped", "tab"))
		s.removeTask()
		s.ok("page Page.getFrameTree").ok("popped Page.getFrameTree")
		s.closed("window", "popped").on(supervise.Detached{Session: "page"}).quiet()
		s.on(atGate(popped(asset("r1")))).wantSent(want)
	}
}

func TestANewConnectionHasANewGate(t *testing.T) {
	s := newSiftedStory(t).on(popup("window", "popped", "tab")).closed("window", "popped").on(atGate(popped(asset("r1")))).pass(time.Second)
	ask := only[supervise.AskRequest](s)
	s.drop().quiet().on(supervise.RequestVerdict{Token: ask.Token, Abstained: true}).wantSent()
	s.back()
	if sent := s.fetches(); len(sent) == 0 || sent[0] != gateLine {
		t.Errorf("sent %q", sent)
	}
}
