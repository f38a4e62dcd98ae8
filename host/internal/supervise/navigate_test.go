package supervise_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

const (
	enableLine  = "page Fetch.enable"
	gateLine    = "browser Fetch.enable"
	ungateLine  = "browser Fetch.disable"
	disableLine = "page Fetch.disable"
	failLine    = "page Fetch.failRequest"
)

// newGuardedStory is a story in which a module decides on navigations.
func newGuardedStory(t *testing.T) *script {
	t.Helper()
	return newStory(t).on(supervise.HooksChanged{Navigate: true}).quiet()
}

func asksFor(id fetch.RequestID, url string) supervise.RequestPaused {
	return supervise.RequestPaused{Session: "page", Request: id, Frame: "tab", URL: url, Method: "GET", Document: true}
}

func redirected(id, from fetch.RequestID, url string) supervise.RequestPaused {
	e := asksFor(id, url)
	e.Redirected = from
	return e
}

// decides gives the verdict on the only navigation asked about since the last look.
func (s *script) decides(v supervise.NavigateVerdict) *script {
	s.t.Helper()
	v.Token = only[supervise.AskNavigate](s).Token
	return s.quiet().on(v)
}

func (s *script) navigateAction(a abi.NavigateAction) *script {
	s.t.Helper()
	return s.decides(supervise.NavigateVerdict{Verdict: abi.NavigateVerdict{Action: a, Reason: "because", Rule: "r"}, Provenance: supervise.Provenance{Module: "guard"}})
}

func (s *script) denials() []supervise.Denial {
	v, _ := s.state.View("task")
	return v.Denials
}

func TestDocumentsAreInterceptedWhileAModuleServesTheHook(t *testing.T) {
	s := newStory(t)
	s.on(supervise.HooksChanged{}).wantSent()
	s.on(supervise.HooksChanged{Navigate: true}).wantSent(gateLine, enableLine)
	for _, command := range effectsOf[supervise.SendCommand](s) {
		p := command.Params.(*fetch.EnableParams)
		if len(p.Patterns) != 1 || *p.Patterns[0] != (fetch.RequestPattern{ResourceType: network.ResourceTypeDocument, RequestStage: fetch.RequestStageRequest}) {
			t.Errorf("patterns %+v", p.Patterns)
		}
	}
	s.quiet().on(supervise.HooksChanged{Navigate: true}).wantSent()
	s.on(popup("popup", "popup session", "tab")).wantSent("popup session Page.enable", "popup session Page.getFrameTree", "popup session Page.setLifecycleEventsEnabled",
		"popup session FedCm.enable", "popup session Runtime.enable", "popup session Log.enable",
		"popup session Target.setAutoAttach", "popup session Fetch.enable", "popup session Runtime.runIfWaitingForDebugger")
	s.on(oopif("frame", "tab", "frame session", "page")).wantSent("page DOM.getFrameOwner", "frame session Page.enable", "frame session Page.getFrameTree", "frame session FedCm.enable", "frame session Runtime.enable", "frame session Log.enable",
		"frame session Target.setAutoAttach", "frame session Fetch.enable", "frame session Runtime.runIfWaitingForDebugger")
	s.on(supervise.HooksChanged{}).wantSent(ungateLine, disableLine, "frame session Fetch.disable", "popup session Fetch.disable")
}

func TestTheBridgesPatternsAndDocumentsAreOneList(t *testing.T) {
	s := newBridgedStory(t)
	patterns := func() (list []string) {
		s.t.Helper()
		sent := effectsOf[supervise.SendCommand](s)
		for _, p := range sent[len(sent)-1].Params.(*fetch.EnableParams).Patterns {
			list = append(list, p.URLPattern+" "+string(p.ResourceType))
		}
		s.quiet()
		return list
	}
	s.on(supervise.HooksChanged{Navigate: true})
	if got := strings.Join(patterns(), ", "); got != "https://bridge.invalid/* ,  Document" {
		t.Errorf("with both: %q", got)
	}
	s.on(supervise.HooksChanged{})
	if got := strings.Join(patterns(), ", "); got != "https://bridge.invalid/* " {
		t.Errorf("with the bridge: %q", got)
	}
}

func TestADocumentAtTheBridgesAddressIsTheBridgesFirst(t *testing.T) {
	s := newBridgedStory(t).on(supervise.HooksChanged{Navigate: true}).quiet()
	s.on(asksFor("r1", "https://bridge.invalid/?x"))
	if asked := len(effectsOf[supervise.AskNavigate](s)); asked != 0 {
		t.Fatalf("%d navigations were asked about before the bridge", asked)
	}
	s.read(abi.BridgeRequest{Token: "guessed", Type: abi.DialogTypeAlert}).navigateAction(abi.NavigateActionDeny).wantSent(failLine)
}

func TestWhatBecomesOfANavigation(t *testing.T) {
	verdict := func(a abi.NavigateAction, url string) supervise.NavigateVerdict {
		return supervise.NavigateVerdict{Verdict: abi.NavigateVerdict{Action: a, URL: url, Reason: "because", Rule: "r"}}
	}
	for name, c := range map[string]struct {
		verdict    supervise.NavigateVerdict
		failClosed bool
		sent       string
		counted    string
		reason     string // of the denial
	}{
		"allowed":              {verdict(abi.NavigateActionAllow, ""), false, continueLine, supervise.NavigationAllowed, ""},
		"abstained":            {supervise.NavigateVerdict{Abstained: true}, true, continueLine, supervise.NavigationAllowed, ""},
		"denied":               {verdict(abi.NavigateActionDeny, ""), false, failLine, supervise.NavigationDenied, "because"},
		"rewritten":            {verdict(abi.NavigateActionRewrite, "https://else/where"), false, fulfillLine, supervise.NavigationRewritten, ""},
		"fault, open":          {supervise.NavigateVerdict{Fault: "it trapped"}, false, continueLine, supervise.NavigationFailedOpen, ""},
		"fault, closed":        {supervise.NavigateVerdict{Fault: "it trapped"}, true, failLine, supervise.NavigationFailedClosed, "it trapped"},
		"no action":            {verdict(0, ""), true, failLine, supervise.NavigationFailedClosed, "unknown action"},
		"rewritten to a path":  {verdict(abi.NavigateActionRewrite, "/where"), true, failLine, supervise.NavigationFailedClosed, "absolute http or https"},
		"rewritten to a file":  {verdict(abi.NavigateActionRewrite, "file:///x"), true, failLine, supervise.NavigationFailedClosed, `"file"`},
		"rewritten to no host": {verdict(abi.NavigateActionRewrite, "https:///x"), false, continueLine, supervise.NavigationFailedOpen, ""},
		"rewritten to noise":   {verdict(abi.NavigateActionRewrite, "https://%zz"), true, failLine, supervise.NavigationFailedClosed, "cannot be parsed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t)
			s.state = supervise.New(supervise.Config{NavigateFailClosed: c.failClosed})
			s.on(supervise.HooksChanged{Navigate: true}, supervise.AddTask{Request: 1, Settings: supervise.TaskSettings{ID: "task", TargetID: "tab", Bridge: supervise.BridgeOff}}, pageAttached("tab", "page"))
			s.quiet().on(asksFor("r1", "https://next/")).decides(c.verdict).wantSent(c.sent)
			n := s.state.Counters().Navigations
			if len(n) != 2 || n[supervise.NavigationAsked] != 1 || n[c.counted] != 1 {
				t.Errorf("counted %v", n)
			}
			denials := s.denials()
			if (len(denials) == 1) != (c.reason != "") || len(denials) == 1 && !strings.Contains(denials[0].Reason, c.reason) {
				t.Errorf("denials %+v", denials)
			}
		})
	}
}

func TestWhatAModuleIsToldOfANavigation(t *testing.T) {
	s := newGuardedStory(t).on(
		navigated("page", document("tab", "", "https://top/")),
		supervise.FrameAttached{Session: "page", Frame: "child", Parent: "tab"}, navigated("page", document("child", "tab", "https://child/")),
		asksFor("r0", "https://elsewhere/")).quiet()
	e := asksFor("r1", "HTTPS://Next:443/x?y")
	e.Frame, e.Method = "child", "POST"
	got := only[supervise.AskNavigate](s.on(e)).Event
	revision := got.Header.Revision
	want := abi.NavigateEvent{
		Header: abi.Header{TaskID: "task", Revision: revision}, URL: e.URL, Origin: "https://next", Method: "POST", FrameID: "child", ParentFrameID: "tab",
		FrameKind: abi.FrameKindLocal, TargetID: "tab", FromURL: "https://child/", FromOrigin: "https://child/", TopOrigin: "https://top/",
	}
	if revision == 0 || string(got.Append(nil)) != string(want.Append(nil)) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	s.quiet()
	next := redirected("r2", "r1", "http://[::1]:80/"+strings.Repeat("é", 40<<10))
	next.Frame = "child"
	got = only[supervise.AskNavigate](s.on(next)).Event
	if got.Redirects != 1 || got.RedirectedFrom != e.URL || got.Origin != "http://[::1]" || len(got.URL) > 64<<10 || len(got.URL) < 64<<10-2 {
		t.Errorf("of the redirect: %d from %q, %s, %d bytes", got.Redirects, got.RedirectedFrom, got.Origin, len(got.URL))
	}
}

func TestARedirectIsCountedAfterTheErrorPageOfTheNavigationBefore(t *testing.T) {
	s := newGuardedStory(t).on(asksFor("r1", "https://denied/")).navigateAction(abi.NavigateActionDeny)
	s.quiet().on(asksFor("r2", "https://next/")).navigateAction(abi.NavigateActionAllow)
	s.on(navigated("page", document("tab", "", "https://denied/"))).quiet() // the error page
	s.on(redirected("r3", "r2", "https://last/"))
	if e := only[supervise.AskNavigate](s).Event; e.Redirects != 1 || e.RedirectedFrom != "https://next/" {
		t.Errorf("%d redirects, from %q", e.Redirects, e.RedirectedFrom)
	}
	s.on(navigated("page", document("tab", "", "https://last/#part")))
	if v, _ := s.state.View("task"); v.Unseen != 0 {
		t.Errorf("%d navigations were not seen", v.Unseen)
	}
	s.on(navigated("page", document("tab", "", "data:text/html,x")))
	if v, _ := s.state.View("task"); v.Unseen != 1 || s.state.Counters().Navigations[supervise.NavigationUnseen] != 1 {
		t.Errorf("%d navigations were not seen, want the one to data:", v.Unseen)
	}
}

func TestRewritesInARowEndInADenial(t *testing.T) {
	s := newGuardedStory(t)
	previous := fetch.RequestID("")
	for i := range 11 {
		id := fetch.RequestID(strings.Repeat("r", i+1))
		s.quiet().on(redirected(id, previous, "https://loop/"))
		previous = id
		s.decides(supervise.NavigateVerdict{Verdict: abi.NavigateVerdict{Action: abi.NavigateActionRewrite, URL: "https://loop/"}})
		if i < 10 {
			p := only[supervise.SendCommand](s).Params.(*fetch.FulfillRequestParams)
			if p.ResponseCode != 307 || p.ResponseHeaders[0].Value != "https://loop/" {
				t.Fatalf("rewritten by %+v", p)
			}
		}
	}
	s.wantSent(failLine)
	if d := s.denials(); len(d) != 1 || !strings.Contains(d[0].Reason, "10 times") {
		t.Errorf("denials %+v", d)
	}
}

func TestANavigationNeverHangs(t *testing.T) {
	for name, c := range map[string]struct {
		story func(s *script)
		sent  []string
	}{
		"the module never answers": {func(s *script) { s.pass(5 * time.Second) }, []string{continueLine}},
		"its frame is gone": {func(s *script) {
			s.decides(supervise.NavigateVerdict{Abstained: true}).quiet()
			s.on(supervise.FrameAttached{Session: "page", Frame: "child", Parent: "tab"})
			e := asksFor("r2", "https://next/")
			e.Frame = "child"
			s.on(e, supervise.FrameDetached{Session: "page", Frame: "child"})
		}, []string{failLine}},
		"the hook goes meanwhile": {func(s *script) {
			ask := only[supervise.AskNavigate](s)
			s.on(supervise.HooksChanged{}).wantSent(ungateLine)
			s.on(supervise.NavigateVerdict{Token: ask.Token, Verdict: abi.NavigateVerdict{Action: abi.NavigateActionDeny}})
		}, []string{failLine, disableLine}},
		"the hook has gone": {func(s *script) {
			s.decides(supervise.NavigateVerdict{Abstained: true}).on(supervise.HooksChanged{}).quiet().on(asksFor("r2", "https://late/"))
		}, []string{continueLine}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newGuardedStory(t).on(asksFor("r1", "https://next/"))
			c.story(s)
			s.wantSent(c.sent...)
		})
	}
}

// Whoever puts a guard into service relies on it from then on, also for a document that another module holds.
func TestADocumentThatTheRequestHookHoldsIsAskedAboutWhenAGuardComes(t *testing.T) {
	for name, still := range map[string]bool{"beside the request hook": true, "in place of it": false} {
		t.Run(name, func(t *testing.T) {
			s := newSiftedStory(t).on(asksFor("r1", "https://next/"))
			held := only[supervise.AskRequest](s)
			s.quiet().on(supervise.HooksChanged{Navigate: true, Request: still})
			guard := only[supervise.AskNavigate](s)
			if still {
				s.wantSent(enableLine)
			} else {
				s.wantSent(gateLine, enableLine)
			}
			s.on(supervise.RequestVerdict{Token: held.Token, Verdict: abi.RequestVerdict{Action: abi.RequestActionAllow}}).wantSent()
			s.on(supervise.NavigateVerdict{Token: guard.Token, Verdict: abi.NavigateVerdict{Action: abi.NavigateActionDeny}})
			if sent := s.sent(); !slices.Contains(sent, failLine) || slices.Contains(sent, continueLine) {
				t.Errorf("a denied document: sent %q", sent)
			}
		})
	}
}

func TestALateVerdictOnANavigationIsDropped(t *testing.T) {
	for name, end := range map[string]supervise.Event{
		"its tab closed":         supervise.Detached{Session: "page"},
		"the connection is lost": supervise.ConnectionLost{Reconnecting: true},
		"the browser is gone":    supervise.ConnectionLost{},
	} {
		t.Run(name, func(t *testing.T) {
			s := newGuardedStory(t).on(asksFor("r1", "https://next/"))
			ask := only[supervise.AskNavigate](s)
			s.on(end).quiet().on(supervise.NavigateVerdict{Token: ask.Token, Verdict: abi.NavigateVerdict{Action: abi.NavigateActionDeny}}).wantSent()
			if dropped := s.state.Counters().VerdictsDropped; dropped != 1 || len(s.denials()) != 0 {
				t.Errorf("%d verdicts were dropped, denials %+v", dropped, s.denials())
			}
		})
	}
}

// The request of a frame can be announced before the frame.
func TestARequestWaitsForItsFrame(t *testing.T) {
	e := asksFor("r1", "https://next/")
	e.Frame = "child"
	for name, c := range map[string]struct {
		then   func(s *script)
		parent string
	}{
		"and it comes": {func(s *script) {
			s.on(supervise.FrameAttached{Session: "page", Frame: "child", Parent: "tab"})
		}, "tab"},
		"and it does not": {func(s *script) { s.pass(time.Second) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newGuardedStory(t).on(e)
			if asked := len(effectsOf[supervise.AskNavigate](s)); asked != 0 {
				t.Fatal("it did not wait")
			}
			c.then(s)
			if got := only[supervise.AskNavigate](s).Event; got.ParentFrameID != c.parent || got.FrameID != "child" {
				t.Errorf("asked about %+v", got)
			}
			s.navigateAction(abi.NavigateActionDeny).wantSent(failLine)
			if d := s.denials(); len(d) != 1 || d[0].Frame != cdproto.FrameID("child") {
				t.Errorf("denials %+v", d)
			}
		})
	}
}

func TestADenialIsToldAndKept(t *testing.T) {
	s := newGuardedStory(t)
	for range 25 {
		s.quiet().on(asksFor("r", "https://denied/"+strings.Repeat("x", 4<<10))).navigateAction(abi.NavigateActionDeny)
	}
	told := only[supervise.Notify](s)
	kept := s.denials()
	last := kept[len(kept)-1]
	if len(kept) != 20 || last.Number != 25 || told.Kind != supervise.NotifyNavigationDenied || told.Denial != last {
		t.Errorf("%d are kept, the last is number %d, told %+v", len(kept), last.Number, told)
	}
	if last.Reason != "because" || last.Decision.Module != "guard" || last.Decision.Rule != "r" || last.FrameKind != abi.FrameKindTop || len(last.URL) != abi.MaxFrameURLBytes {
		t.Errorf("the last: %+v", last)
	}
}

func TestADocumentThatCameWithoutARequestIsAskedAbout(t *testing.T) {
	for name, c := range map[string]struct {
		verdict supervise.NavigateVerdict
		goes    string // where the frame goes then; empty: it stays
	}{
		"allowed":   {supervise.NavigateVerdict{Verdict: abi.NavigateVerdict{Action: abi.NavigateActionAllow}}, ""},
		"abstained": {supervise.NavigateVerdict{Abstained: true}, ""},
		"fault":     {supervise.NavigateVerdict{Fault: "it trapped"}, ""},
		"denied":    {supervise.NavigateVerdict{Verdict: abi.NavigateVerdict{Action: abi.NavigateActionDeny}}, "about:blank"},
		"rewritten": {supervise.NavigateVerdict{Verdict: abi.NavigateVerdict{Action: abi.NavigateActionRewrite, URL: "https://else/"}}, "https://else/"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newGuardedStory(t).on(navigated("page", document("tab", "", "https://ahead/#x")))
			if e := only[supervise.AskNavigate](s).Event; e.URL != "https://ahead/" || e.FromURL != "https://top/" || e.Method != http.MethodGet {
				t.Errorf("asked about %+v", e)
			}
			s.decides(c.verdict)
			sends := effectsOf[supervise.SendCommand](s)
			if (len(sends) == 1) != (c.goes != "") {
				t.Fatalf("sent %q", s.sent())
			}
			if c.goes != "" && *sends[0].Params.(*cdppage.NavigateParams) != (cdppage.NavigateParams{URL: c.goes, FrameID: "tab"}) {
				t.Errorf("sent %+v", sends[0])
			}
		})
	}
}

func TestALateVerdictDoesNotTouchTheNextDocument(t *testing.T) {
	s := newGuardedStory(t).on(navigated("page", document("tab", "", "https://ahead/")))
	ask := only[supervise.AskNavigate](s)
	s.on(navigated("page", document("tab", "", "about:blank"))).quiet()
	s.on(supervise.NavigateVerdict{Token: ask.Token, Verdict: abi.NavigateVerdict{Action: abi.NavigateActionDeny}}).wantSent()
}

func TestADocumentOfTheBackForwardCacheIsNotAskedAboutAgain(t *testing.T) {
	restored := document("tab", "", "https://before/")
	restored.Restored = true
	s := newGuardedStory(t).on(navigated("page", restored))
	if asked := len(effectsOf[supervise.AskNavigate](s)); asked != 0 {
		t.Errorf("it was asked about %d times", asked)
	}
}

func TestLateRewritesInARowEndInADenial(t *testing.T) {
	s := newGuardedStory(t)
	for i := range 11 {
		url := "https://loop/" + string(rune('a'+i))
		s.quiet().on(navigated("page", document("tab", "", url)))
		s.decides(supervise.NavigateVerdict{Verdict: abi.NavigateVerdict{Action: abi.NavigateActionRewrite, URL: "https://loop/"}})
	}
	s.wantSent("page navigate about:blank")
}

// A page that goes elsewhere at once can be announced after the request for its successor, which is its own request and
// not one of the page before it.
func TestANavigationOfADocumentThatIsNotAnnounced(t *testing.T) {
	begin := func(loader cdproto.LoaderID, url string) supervise.NavigationStarted {
		return supervise.NavigationStarted{Session: "page", Frame: "tab", Loader: loader, URL: url}
	}
	s := newGuardedStory(t).on(navigated("page", supervise.FrameInfo{ID: "tab", Loader: "bank", URL: "https://bank/", Origin: "https://bank"})).quiet()
	s.on(begin("evil", "https://evil/"), asksFor("r1", "https://evil/"))
	if got := only[supervise.AskNavigate](s).Event; got.FromOrigin != "https://bank" {
		t.Errorf("the first is asked about as one from %s", got.FromOrigin)
	}
	s.navigateAction(abi.NavigateActionAllow).quiet().on(begin("pay", "https://bank/pay"), asksFor("r2", "https://bank/pay"))
	for _, effect := range s.effects {
		if ask, ok := effect.(supervise.AskNavigate); ok {
			t.Fatalf("the second is asked about already, as one from %s", ask.Event.FromOrigin)
		}
	}
	s.on(navigated("page", supervise.FrameInfo{ID: "tab", Loader: "evil", URL: "https://evil/", Origin: "https://evil"}))
	if got := only[supervise.AskNavigate](s).Event; got.FromOrigin != "https://evil" || got.FromURL != "https://evil/" {
		t.Errorf("the second is asked about as one from %s", got.FromOrigin)
	}
	s.navigateAction(abi.NavigateActionAllow).quiet().on(begin("never", "https://never/"), asksFor("r3", "https://never/")).pass(time.Second)
	if got := only[supervise.AskNavigate](s).Event; got.FromOrigin != "https://evil" {
		t.Errorf("one that nothing is announced before is asked about as one from %s", got.FromOrigin)
	}
}
