package supervise_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// newNetworkStory is a story of a task with a network guard.
func newNetworkStory(t *testing.T) *script {
	t.Helper()
	s := newScript(t)
	s.on(supervise.AddTask{Request: 1000, Settings: supervise.TaskSettings{ID: "task", TargetID: "tab", Bridge: supervise.BridgeOff, Guarded: true}})
	s.on(pageAttached("tab", "page"))
	return s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("tab", "", "https://top/")}})
}

// checks gives the outcome of the only look at an address since the last one.
func (s *script) checks(refused *supervise.Refusal, text string) *script {
	s.t.Helper()
	token := only[supervise.CheckAddress](s).Token
	return s.quiet().on(supervise.AddressChecked{Token: token, Refused: refused, Text: text})
}

func TestAGuardedTaskHasTheAddressOfEachRequestLookedAt(t *testing.T) {
	s := newNetworkStory(t)
	s.wantFetches(gateLine, "page Fetch.enable")
	s.on(oopif("frame", "tab", "below", "page"), popup("window", "popped", "tab"))
	s.wantFetches("below Fetch.enable", "popped Fetch.enable")
	s.quiet().on(asset("r1"))
	if e := only[supervise.CheckAddress](s); e.Task != "task" || e.URL != "https://top/asset" || !e.Until.After(s.now) {
		t.Errorf("asked %+v", e)
	}
	s.checks(nil, "").wantSent(continueLine)
	if len(s.sifted().Recent) > 0 {
		t.Errorf("recorded %+v", s.sifted().Recent)
	}
}

func TestWhatLeadsToNoAddressIsNotLookedAt(t *testing.T) {
	s := newNetworkStory(t).quiet()
	e := asset("r1")
	e.URL = "data:text/plain,x"
	s.on(e).wantSent(continueLine)
}

func TestARefusedRequestFailsAndIsRecorded(t *testing.T) {
	s := newNetworkStory(t).on(supervise.HooksChanged{Request: true, Navigate: true}).quiet()
	s.on(asset("r1")).checks(&supervise.Refusal{Host: "top", Class: "private"}, "it is private").wantSent(failLine)
	if got := s.sifted(); len(got.Recent) != 1 || got.Recent[0].Reason != "it is private" || got.Recent[0].Action != abi.RequestActionBlock || len(got.Counts) > 0 {
		t.Errorf("recorded %+v", got)
	}
	if len(s.denials()) > 0 {
		t.Errorf("an image is no navigation: %+v", s.denials())
	}
	e := asset("r2")
	e.Document, e.URL = true, "https://user:password@top/"
	s.quiet().on(e).checks(&supervise.Refusal{Host: "top", Address: "10.0.0.1", Class: "private"}, strings.Repeat("x", 1<<20)).wantSent(failLine)
	got := s.denials()
	if len(got) != 1 || got[0].Refused == nil || got[0].Refused.Address != "10.0.0.1" || got[0].URL != "https://top/" || len(got[0].Reason) > 2<<10 {
		t.Errorf("denied %+v", got)
	}
}

// What the guard lets pass is for the modules to decide on, which hear of nothing else.
func TestModulesAreAskedAfterTheGuard(t *testing.T) {
	s := newNetworkStory(t).on(supervise.HooksChanged{Request: true}).quiet()
	s.on(asset("r1")).checks(nil, "")
	s.sifts(requestVerdict(abi.RequestActionBlock)).wantSent(failLine)
}

func TestALookAtAnAddressThatTakesTooLongIsARefusal(t *testing.T) {
	s := newNetworkStory(t).quiet().on(asset("r1"))
	token := only[supervise.CheckAddress](s).Token
	s.quiet().pass(5 * time.Second).wantSent(failLine)
	s.quiet().on(supervise.AddressChecked{Token: token}).wantSent()
	if n := s.state.Counters().VerdictsDropped; n != 1 {
		t.Errorf("%d outcomes were dropped, want that one", n)
	}
}

// The browser continues what is held in a session that is left.
func TestWhatIsHeldWhenATaskEndsFails(t *testing.T) {
	s := newNetworkStory(t).quiet().on(asset("r1"))
	s.quiet().removeTask()
	s.wantSent("page Page.getFrameTree")
	s.ok("page Page.getFrameTree").wantSent(failLine, "browser detach page")
}

func TestWhatASessionHeldIsForgottenWithIt(t *testing.T) {
	s := newNetworkStory(t).on(oopif("frame", "tab", "below", "page")).quiet()
	e := asset("r1")
	e.Session = "below"
	s.on(e)
	token := only[supervise.CheckAddress](s).Token
	s.quiet().on(supervise.Detached{Session: "below"})
	if got := only[supervise.Withdraw](s).Token; got != token {
		t.Errorf("withdrawn is %v, want %v", got, token)
	}
	s.quiet().on(supervise.AddressChecked{Token: token}).wantSent()
}
