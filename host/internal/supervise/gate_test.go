package supervise_test

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

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

// An OOPIF that is removed, or whose frame shows a document of its parent's process, has no session any more.
func TestWhatASessionHadPausedWhenItEndedIsDecidedAtTheGate(t *testing.T) {
	s := newSiftedStory(t).on(oopif("frame", "tab", "below", "page")).quiet()
	beacon := asset("r1")
	beacon.Session, beacon.Frame = "below", "frame"
	s.on(beacon).on(supervise.Detached{Session: "below"}).quiet()
	other := beacon
	other.URL = "https://top/other"
	s.on(atGate(other)).wantSent(passLine)
	s.on(atGate(beacon)).pass(time.Second)
	ask := only[supervise.AskRequest](s)
	v := requestVerdict(abi.RequestActionBlock)
	v.Token = ask.Token
	s.quiet().on(v).wantSent(refuseLine)
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
