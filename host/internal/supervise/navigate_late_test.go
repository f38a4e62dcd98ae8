package supervise_test

import (
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

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
			sends := effectsOf[supervise.Send](s)
			if (len(sends) == 1) != (c.goes != "") {
				t.Fatalf("sent %q", s.sent())
			}
			if c.goes != "" && *sends[0].Params.(*page.NavigateParams) != (page.NavigateParams{URL: c.goes, FrameID: "tab"}) {
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
