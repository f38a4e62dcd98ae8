package supervise_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/route"
)

// newSiftedStory is a story in which a module decides on requests.
func newSiftedStory(t *testing.T) *script {
	t.Helper()
	return newStory(t).on(supervise.HooksChanged{Request: true}).quiet()
}

// sifts gives the verdict on the only request asked about since the last look.
func (s *script) sifts(v supervise.RequestVerdict) *script {
	s.t.Helper()
	v.Token = only[supervise.AskRequest](s).Token
	return s.quiet().on(v)
}

func requestVerdict(a abi.RequestAction) supervise.RequestVerdict {
	return supervise.RequestVerdict{
		Verdict: abi.RequestVerdict{Action: a, Reason: "because", Rule: "r"}, Provenance: supervise.Provenance{Module: "sieve"},
	}
}

func (s *script) sifted() supervise.Requests {
	v, _ := s.state.View("task")
	return v.Requests
}

func sharedWorker(session, id string) supervise.Attached {
	return supervise.Attached{
		Session: target.SessionID(session), Waiting: true,
		Info: target.Info{TargetID: target.ID(id), Type: "service_worker", URL: "https://top/sw.js"},
	}
}

// Without a module there is no interception at all, in no session.
func TestRequestsAreInterceptedWhileAModuleServesTheHook(t *testing.T) {
	s := newStory(t)
	s.on(oopif("frame", "tab", "below", "page"), popup("window", "popped", "tab"))
	s.wantFetches()
	s.on(supervise.HooksChanged{})
	s.wantFetches()
	s.on(supervise.HooksChanged{Request: true})
	s.wantFetches(gateLine, "page Fetch.enable", "below Fetch.enable", "popped Fetch.enable")
	s.on(popup("window2", "popped2", "tab"))
	s.wantFetches("popped2 Fetch.enable")
	s.on(supervise.HooksChanged{})
	s.wantFetches(ungateLine, "page Fetch.disable", "below Fetch.disable", "popped Fetch.disable", "popped2 Fetch.disable")
}

func TestEveryRequestIsPaused(t *testing.T) {
	s := newStory(t).on(supervise.HooksChanged{Request: true})
	for _, effect := range s.effects {
		if e, ok := effect.(supervise.SendCommand); ok && e.Method == fetch.CommandEnable {
			p := e.Params.(*fetch.EnableParams)
			if len(p.Patterns) != 1 || p.Patterns[0].URLPattern != "*" || p.Patterns[0].ResourceType != "" || p.Patterns[0].RequestStage != fetch.RequestStageRequest {
				t.Errorf("the patterns are %+v", p.Patterns[0])
			}
			return
		}
	}
	t.Error("nothing is intercepted")
}

func TestVerdictsOnRequests(t *testing.T) {
	fault := supervise.RequestVerdict{Fault: "it trapped"}
	for name, c := range map[string]struct {
		verdict    supervise.RequestVerdict
		failClosed bool
		sent       string
		counted    string
		blocked    bool
	}{
		"allowed":         {requestVerdict(abi.RequestActionAllow), true, continueLine, supervise.RequestAllowed, false},
		"abstained":       {supervise.RequestVerdict{Abstained: true}, true, continueLine, supervise.RequestAllowed, false},
		"blocked":         {requestVerdict(abi.RequestActionBlock), false, failLine, supervise.RequestBlocked, true},
		"aborted":         {requestVerdict(abi.RequestActionAbort), false, failLine, supervise.RequestAborted, true},
		"fault, open":     {fault, false, continueLine, supervise.RequestFailedOpen, false},
		"fault, closed":   {fault, true, failLine, supervise.RequestFailedClosed, true},
		"no known action": {requestVerdict(9), true, failLine, supervise.RequestFailedClosed, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t)
			s.state = supervise.New(supervise.Config{RequestFailClosed: c.failClosed})
			s.on(supervise.HooksChanged{Request: true}, supervise.AddTask{Request: 1, Settings: supervise.TaskSettings{ID: "task", TargetID: "tab", Bridge: supervise.BridgeOff}}, pageAttached("tab", "page"))
			s.quiet().on(asset("r1"))
			s.sifts(c.verdict).wantSent(c.sent)
			got := s.sifted()
			if got.Counts[supervise.RequestAsked] != 1 || got.Counts[c.counted] != 1 || s.state.Counters().Requests[c.counted] != 1 {
				t.Errorf("counted %v", got.Counts)
			}
			if (len(got.Recent) == 1) != c.blocked || len(s.denials()) != 0 {
				t.Errorf("blocked %+v, denials %+v", got.Recent, s.denials())
			}
			if c.blocked && (got.Recent[0].URL != "https://top/asset" || got.Recent[0].Type != "image" || got.Recent[0].Reason == "") {
				t.Errorf("recorded %+v", got.Recent[0])
			}
		})
	}
}

func TestTheEventOfARequest(t *testing.T) {
	s := newSiftedStory(t)
	e := asset("r1")
	e.Headers, e.Redirected, e.URL = []route.Header{{Name: "Accept", Value: "image/*"}}, "r0", "https://cdn.example/a?b#c"
	s.on(e)
	ask := only[supervise.AskRequest](s)
	want := abi.RequestEvent{
		Header: abi.Header{TaskID: "task", Revision: uint64(ask.Token)}, URL: "https://cdn.example/a?b", Origin: "https://cdn.example", Method: "GET",
		ResourceType: "image", FrameID: "tab", FrameKind: abi.FrameKindTop, FromURL: ask.Event.FromURL, FromOrigin: ask.Event.FromOrigin,
		TopOrigin: ask.Event.FromOrigin, TargetID: "tab", TargetType: "page", Redirected: true,
	}
	if !reflect.DeepEqual(ask.Event, want) || ask.Event.FromURL == "" || len(ask.Headers) != 1 || !ask.Until.After(s.now) {
		t.Errorf("asked %+v", ask)
	}
}

// What is cut has the hash of the whole, so that a module can tell two addresses apart.
func TestAVeryLongURLIsCut(t *testing.T) {
	s := newSiftedStory(t)
	e := asset("r1")
	e.URL = "https://top/" + strings.Repeat("x", 1<<20)
	hash := sha256.Sum256([]byte(e.URL))
	s.on(e)
	got := only[supervise.AskRequest](s).Event
	if len(got.URL) != abi.MaxRequestURLBytes || !bytes.Equal(got.URLSHA256, hash[:]) {
		t.Errorf("the URL has %d bytes, its hash is %x", len(got.URL), got.URLSHA256)
	}
	if s.sifts(requestVerdict(abi.RequestActionBlock)); len(s.sifted().Recent[0].URL) > abi.MaxFrameURLBytes {
		t.Error("the record has all of it")
	}
}

func TestARequestOfAWorkerThatTabsShare(t *testing.T) {
	s := newScript(t).on(add(supervise.TaskSettings{Scope: supervise.ScopeBrowser}), pageAttached("tab", "page"), supervise.HooksChanged{Request: true})
	s.quiet().on(sharedWorker("worker", "sw"))
	s.wantFetches("worker Fetch.enable")
	e := asset("r1")
	e.Session, e.Frame = "worker", ""
	s.on(e)
	got := only[supervise.AskRequest](s).Event
	if got.TargetType != "service_worker" || got.TargetID != "sw" || got.FromURL != "https://top/sw.js" || got.FromOrigin != "https://top" ||
		got.FrameID != "" || got.FrameKind != abi.FrameKindUnspecified || got.TopOrigin != "" {
		t.Errorf("the event is %+v", got)
	}
	s.sifts(requestVerdict(abi.RequestActionBlock)).wantSent("worker Fetch.failRequest")
}

// The navigate hook comes first, this one then, and the rules last: none evades what another denies.
func TestTheOrderOfThoseWhoDecideOnARequest(t *testing.T) {
	s := newStory(t).on(supervise.HooksChanged{Navigate: true, Request: true}, supervise.AddRoute{Request: 1, Task: "task", Rule: route.Rule{
		Pattern: "*", Fulfil: &route.Response{Status: 200},
	}}).quiet()
	s.on(asksFor("r1", "https://denied/")).navigateAction(abi.NavigateActionDeny).wantSent(failLine)
	s.quiet().on(asksFor("r2", "https://blocked/")).navigateAction(abi.NavigateActionAllow).sifts(requestVerdict(abi.RequestActionBlock)).wantSent(failLine)
	s.quiet().on(asksFor("r3", "https://answered/")).navigateAction(abi.NavigateActionAllow).sifts(requestVerdict(abi.RequestActionAllow)).wantSent(fulfillLine)
	if got := s.sifted().Counts[supervise.RequestAsked]; got != 2 {
		t.Errorf("%d requests were asked about", got)
	}
}

// The document of a tab that is blocked is a denied navigation, which its caller gets as an error; that of a frame
// below is only a blocked request.
func TestABlockedDocument(t *testing.T) {
	s := newSiftedStory(t).on(asksFor("r1", "https://blocked/")).sifts(requestVerdict(abi.RequestActionBlock))
	if d := s.denials(); len(d) != 1 || d[0].URL != "https://blocked/" || d[0].Reason != "because" || d[0].Decision.Module != "sieve" || d[0].Decision.Rule != "r" {
		t.Errorf("denials %+v", d)
	}
	below := asksFor("r2", "https://ads/")
	below.Frame = "child"
	s.quiet().on(attachedFrame("child", "tab")).quiet().on(below).sifts(requestVerdict(abi.RequestActionBlock))
	if len(s.denials()) != 1 || len(s.sifted().Recent) != 2 || s.sifted().Modules["sieve"] != 2 {
		t.Errorf("denials %+v, blocked %+v", s.denials(), s.sifted())
	}
}

func attachedFrame(id, parent string) supervise.FrameAttached {
	return supervise.FrameAttached{Session: "page", Frame: cdproto.FrameID(id), Parent: cdproto.FrameID(parent)}
}

// A request can be paused before its frame is announced.
func TestARequestOfAFrameThatIsNotAnnounced(t *testing.T) {
	e := asset("r1")
	e.Frame = "child"
	s := newSiftedStory(t).on(e)
	if s.sent(); len(s.asksOfRequests()) != 0 {
		t.Error("it is asked about already")
	}
	s.on(attachedFrame("child", "tab"))
	if got := only[supervise.AskRequest](s).Event; got.FrameKind != abi.FrameKindLocal {
		t.Errorf("the event is %+v", got)
	}
	s.sifts(requestVerdict(abi.RequestActionAllow)).quiet()
	e.Request, e.Frame = "r2", "never"
	s.on(e).pass(time.Second)
	if got := only[supervise.AskRequest](s).Event; got.FrameID != "never" || got.FrameKind != abi.FrameKindUnspecified {
		t.Errorf("the event is %+v", got)
	}
}

// The browser announces requests, and a renderer the document that makes them: a request can be paused before its
// document is known, and a module must not be told that it is one of the document before.
func TestARequestOfADocumentThatIsNotAnnounced(t *testing.T) {
	begin := func(loader string) supervise.NavigationStarted {
		return supervise.NavigationStarted{Session: "page", Frame: "tab", Loader: cdproto.LoaderID(loader), URL: "https://" + loader + "/"}
	}
	is := func(loader string) supervise.FrameNavigated {
		return navigated("page", supervise.FrameInfo{ID: "tab", Loader: cdproto.LoaderID(loader), URL: "https://" + loader + "/", Origin: "https://" + loader})
	}
	stops := supervise.LoadingStopped{Session: "page", Frame: "tab"}
	for name, c := range map[string]struct {
		before []supervise.Event
		then   supervise.Event // nil: nothing
		waits  bool
		from   string
	}{
		"no navigation":                       {nil, nil, false, "https://top"},
		"its document":                        {[]supervise.Event{begin("new")}, is("new"), true, "https://new"},
		"a document that does not come":       {[]supervise.Event{begin("new")}, nil, true, "https://top"},
		"a navigation without one":            {[]supervise.Event{begin("new")}, stops, true, "https://top"},
		"its document, and another is coming": {[]supervise.Event{begin("new"), begin("next")}, is("new"), true, "https://new"},
		"the one after it":                    {[]supervise.Event{begin("new"), begin("next")}, is("next"), true, "https://next"},
		"announced before":                    {[]supervise.Event{begin("new"), is("new")}, nil, false, "https://new"},
		"ended before":                        {[]supervise.Event{begin("new"), stops}, nil, false, "https://top"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSiftedStory(t).on(is("top")).on(c.before...).quiet().on(asset("r1"))
			if waits := len(s.asksOfRequests()) == 0; waits != c.waits {
				t.Errorf("it waits: %t", waits)
			}
			if c.then != nil {
				s.on(c.then)
			}
			s.pass(time.Second)
			if got := only[supervise.AskRequest](s).Event; got.FromOrigin != c.from || got.TopOrigin != c.from {
				t.Errorf("it is asked about as one from %s in %s", got.FromOrigin, got.TopOrigin)
			}
		})
	}
}

// The start of a frame's navigation may be announced before the frame.
func TestARequestOfTheFirstDocumentOfAFrame(t *testing.T) {
	e := asset("r1")
	e.Frame = "child"
	s := newSiftedStory(t).on(supervise.NavigationStarted{Session: "page", Frame: "child", Loader: "new", URL: "https://ads/"}, attachedFrame("child", "tab")).quiet().on(e)
	if len(s.asksOfRequests()) != 0 {
		t.Error("it is asked about already")
	}
	s.on(navigated("page", supervise.FrameInfo{ID: "child", Parent: "tab", Loader: "new", URL: "https://ads/", Origin: "https://ads"}))
	if got := only[supervise.AskRequest](s).Event; got.FromOrigin != "https://ads" {
		t.Errorf("the event is %+v", got)
	}
}

// A page can make frames that load something, and remove them before anything else is known of them.
func TestFramesThatAreNeverAnnouncedAreForgotten(t *testing.T) {
	s := newSiftedStory(t).on(attachedFrame("child", "tab"))
	start := func(id string) {
		s.on(supervise.NavigationStarted{Session: "page", Frame: cdproto.FrameID(id), Loader: "new", URL: "https://ads/"})
	}
	start("child")
	for i := range 10_000 {
		start(fmt.Sprint("gone", i))
	}
	if n := s.state.Coming(); n > 1000 {
		t.Errorf("%d frames are remembered", n)
	}
	e := asset("r1")
	e.Frame = "child"
	if s.quiet().on(e); len(s.asksOfRequests()) != 0 {
		t.Error("a frame that is there is forgotten")
	}
	if s.on(supervise.FrameDetached{Session: "page", Frame: "child"}, supervise.TargetDestroyed{Target: "tab"}); s.state.Coming() != 0 {
		t.Error("a tab that is closed remembers its frames")
	}
}

func (s *script) asksOfRequests() (list []supervise.AskRequest) {
	for _, effect := range s.effects {
		if ask, ok := effect.(supervise.AskRequest); ok {
			list = append(list, ask)
		}
	}
	return list
}

// A module that never answers costs the time of an ask, and a verdict after that counts for nothing.
func TestNoRequestHangs(t *testing.T) {
	s := newSiftedStory(t)
	for i := range 300 {
		s.on(asset(fetch.RequestID(fmt.Sprint("r", i))))
	}
	asks := s.asksOfRequests()
	s.quiet().pass(6 * time.Second)
	if sent := s.sent(); len(sent) != 300 || sent[0] != continueLine || len(asks) != 300 {
		t.Errorf("%d asks, %d commands: %.3q", len(asks), len(sent), sent)
	}
	if n := len(s.faults()); n != 1 {
		t.Errorf("%d faults are reported", n)
	}
	s.quiet().on(supervise.RequestVerdict{Token: asks[0].Token, Verdict: abi.RequestVerdict{Action: abi.RequestActionBlock}}).wantSent()
	if s.state.Counters().VerdictsDropped != 1 || s.sifted().Counts[supervise.RequestFailedOpen] != 300 {
		t.Errorf("%+v", s.state.Counters())
	}
}

// What is paused when the module is removed waits for its verdict, because Fetch.disable lets everything go.
func TestAModuleThatIsRemovedDecidesOnWhatItWasAsked(t *testing.T) {
	s := newSiftedStory(t).on(asset("r1"))
	ask := only[supervise.AskRequest](s)
	s.quiet().on(supervise.HooksChanged{}).wantSent(ungateLine)
	v := requestVerdict(abi.RequestActionBlock)
	v.Token = ask.Token
	s.on(v).wantSent(failLine, disableLine)
}

func TestTheRequestsOfASessionThatEnds(t *testing.T) {
	for name, end := range map[string]supervise.Event{
		"its tab closed":      supervise.TargetDestroyed{Target: "tab"},
		"its session ended":   supervise.Detached{Session: "page"},
		"the connection lost": supervise.ConnectionLost{Reason: "reset", Reconnecting: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSiftedStory(t).on(asset("r1"))
			ask := only[supervise.AskRequest](s)
			s.quiet().on(end)
			withdrawn := false
			for _, effect := range s.effects {
				w, ok := effect.(supervise.Withdraw)
				withdrawn = withdrawn || ok && w.Token == ask.Token
			}
			s.quiet().on(supervise.RequestVerdict{Token: ask.Token, Abstained: true}).wantSent()
			if !withdrawn || s.state.Counters().VerdictsDropped != 1 {
				t.Errorf("withdrawn: %t, dropped: %d", withdrawn, s.state.Counters().VerdictsDropped)
			}
		})
	}
}

// The record of the requests gets what the browser calls them there.
func TestABlockedRequestIsNoted(t *testing.T) {
	e := asset("r1")
	e.Network = network.RequestID("n1")
	s := newSiftedStory(t).on(e).sifts(requestVerdict(abi.RequestActionAbort))
	if note := only[supervise.NoteBlocked](s); note.Task != "task" || note.Blocked.Network != "n1" || note.Blocked.Action != abi.RequestActionAbort {
		t.Errorf("noted %+v", note)
	}
}

// A tab in the background shows documents of the host's own, for which nothing leaves the browser: no module decides.
func TestNoModuleDecidesOnTabsInTheBackground(t *testing.T) {
	s := newSiftedStory(t)
	s.on(supervise.HooksChanged{Request: true, Navigate: true})
	s.on(supervise.AddTask{Request: 1000, Settings: supervise.TaskSettings{ID: "aside", TargetID: "behind", Background: true, Bridge: supervise.BridgeOff}})
	s.on(pageAttached("behind", "back")).quiet()
	s.on(supervise.RequestPaused{Session: "back", Request: "one", URL: "https://top/", Document: true, Frame: "behind"})
	s.wantFetches("back Fetch.continueRequest")
	s.on(supervise.RequestPaused{Session: "back", Request: "two", URL: "https://top/icon", Frame: "behind"})
	s.wantFetches("back Fetch.continueRequest")
}
