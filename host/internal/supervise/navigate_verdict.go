package supervise

import (
	"fmt"
	"net/url"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// The outcomes of navigations; keys of [Counters.Navigations].
const (
	NavigationAsked        = "asked"
	NavigationAllowed      = "allowed"
	NavigationDenied       = "denied"
	NavigationRewritten    = "rewritten"
	NavigationFailedOpen   = "failed_open"
	NavigationFailedClosed = "failed_closed"
	NavigationUnseen       = "unseen"
	NavigationRefused      = "refused"
)

const (
	// maxRewrites is how often in a row one navigation is rewritten. Otherwise a module that rewrites its own result,
	// or two that undo each other, would never finish.
	maxRewrites = 10
	// maxDenialReason is the maximum length of a module's reason, in bytes.
	maxDenialReason = 1 << 10

	deniedReason  = network.ErrorReasonBlockedByClient
	abortedReason = network.ErrorReasonAborted
)

// navigateVerdict applies the verdict. If no module decided, the navigation is allowed; if one failed, the fallback
// applies.
func (s *State) navigateVerdict(v NavigateVerdict) {
	n, ok := s.navigateAsks[v.Token]
	if !ok {
		s.counters.VerdictsDropped++
		return
	}
	s.endNavigation(n)
	switch {
	case v.Fault != "":
		s.navigateFault(n, v)
	case v.Abstained:
		s.allowNavigation(n, NavigationAllowed)
	default:
		s.applyNavigate(n, v)
	}
	s.intercept(n.session)
}

func (s *State) applyNavigate(n *navigation, v NavigateVerdict) {
	v.Provenance.Rule = v.Verdict.Rule
	switch v.Verdict.Action {
	case abi.NavigateActionAllow:
		s.counters.VerdictsApplied++
		s.allowNavigation(n, NavigationAllowed)
	case abi.NavigateActionDeny:
		s.counters.VerdictsApplied++
		count(&s.counters.Navigations, NavigationDenied)
		s.denyNavigation(n, Denial{Reason: v.Verdict.Reason, Decision: v.Provenance})
	case abi.NavigateActionRewrite:
		s.rewriteNavigation(n, v)
	default:
		v.Fault = "unknown action " + v.Verdict.Action.String() + " in the verdict"
		s.navigateFault(n, v)
	}
}

// navigateFault is the host's fallback: a navigation on which a module failed to decide is allowed, unless the
// configuration says to deny it.
func (s *State) navigateFault(n *navigation, v NavigateVerdict) {
	s.do(Notify{Task: n.session.task.ID, Kind: NotifyFault, Fault: v.Fault})
	if !s.config.NavigateFailClosed {
		s.allowNavigation(n, NavigationFailedOpen)
		return
	}
	count(&s.counters.Navigations, NavigationFailedClosed)
	v.Provenance.Fault = v.Fault
	s.denyNavigation(n, Denial{
		Reason: "no plugin decided, so the host denied it: " + v.Fault, FailedClosed: true, Decision: v.Provenance,
	})
}

func (s *State) allowNavigation(n *navigation, counted string) {
	count(&s.counters.Navigations, counted)
	if n.late {
		return
	}
	s.judge(n.session, n.paused)
}

// denyNavigation fails a request. The frame shows the browser's error page.
func (s *State) denyNavigation(n *navigation, d Denial) {
	d.URL, d.Frame = n.paused.URL, n.paused.Frame
	s.noteDenial(n.session, d)
	s.failRequest(n, deniedReason)
}

// noteDenial records a denial and reports it.
func (s *State) noteDenial(ss *session, d Denial) {
	t := ss.task
	d = s.described(ss, d)
	d.Number = t.denials.total + 1
	t.denials.add(d)
	t.dirty = true
	s.do(Notify{Task: t.ID, Kind: NotifyNavigationDenied, Denial: d})
}

// described adds where and when it happened.
func (s *State) described(ss *session, d Denial) Denial {
	d.Target, d.At = ss.tab.id, s.now
	d.URL, d.Reason = pagetext.Shorten(d.URL, abi.MaxFrameURLBytes), pagetext.Shorten(d.Reason, maxDenialReason)
	if f := s.frameOf(ss, d.Frame); f != nil {
		d.FrameKind = f.kind()
	}
	return d
}

// rewriteNavigation sends the browser to another URL with a redirect of our own. Continuing the request with another
// URL would keep the old URL and its origin in view. Status 307 keeps the method and the body. The new URL is asked
// about like every redirect.
func (s *State) rewriteNavigation(n *navigation, v NavigateVerdict) {
	if err := checkRewrite(v.Verdict.URL); err != nil {
		v.Fault = err.Error()
		s.navigateFault(n, v)
		return
	}
	s.counters.VerdictsApplied++
	if s.rewrittenTooOften(n) {
		count(&s.counters.Navigations, NavigationDenied)
		s.denyNavigation(n, Denial{Reason: fmt.Sprintf("it was rewritten %d times in a row", maxRewrites), Decision: v.Provenance})
		return
	}
	count(&s.counters.Navigations, NavigationRewritten)
	s.do(Notify{Task: n.session.task.ID, Kind: NotifyNavigationRewritten, Denial: s.described(n.session, Denial{
		URL: n.paused.URL, To: pagetext.Shorten(v.Verdict.URL, abi.MaxFrameURLBytes), Frame: n.paused.Frame, Reason: v.Verdict.Reason, Decision: v.Provenance,
	})})
	if n.late {
		s.replaceDocument(n, v.Verdict.URL)
		return
	}
	s.send(n.session.id, fetch.CommandFulfillRequest, &fetch.FulfillRequestParams{
		RequestID: n.paused.Request, ResponseCode: 307, ResponseHeaders: []*fetch.HeaderEntry{
			{Name: "Location", Value: v.Verdict.URL}, {Name: "Cache-Control", Value: "no-store"},
		},
	})
}

// rewrittenTooOften counts a rewrite, and reports whether it is one too many.
func (s *State) rewrittenTooOften(n *navigation) bool {
	f := s.frameOf(n.session, n.paused.Frame)
	if f == nil {
		return false // the browser limits redirects as well
	}
	if n.late {
		f.lateRewrites++
		return f.lateRewrites > maxRewrites
	}
	j := f.chainOf(n.paused.Request)
	if j == nil {
		return false
	}
	j.rewrites++
	j.rewriting = true
	return j.rewrites > maxRewrites
}

// checkRewrite checks the URL of a rewrite. Its errors do not quote the URL, which may carry what the page must not
// learn.
func checkRewrite(rawURL string) error {
	u, err := url.Parse(rawURL)
	switch {
	case err != nil:
		return fmt.Errorf("the verdict's url cannot be parsed; it must be an absolute http or https URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("the verdict's url has the scheme %q; it must be an absolute http or https URL", u.Scheme)
	case u.Host == "":
		return fmt.Errorf("the verdict's url has no host; it must be an absolute http or https URL")
	}
	return nil
}

func (s *State) failRequest(n *navigation, reason network.ErrorReason) {
	if n.late {
		s.replaceDocument(n, blank)
		return
	}
	s.send(n.session.id, fetch.CommandFailRequest, &fetch.FailRequestParams{RequestID: n.paused.Request, ErrorReason: reason})
}

// refuseRequest fails a request without a verdict.
func (s *State) refuseRequest(n *navigation, reason network.ErrorReason) {
	s.endNavigation(n)
	for ss := n.session; ss != nil; ss = ss.parent {
		if s.sessions[ss.id] != ss {
			return // a session ends with its parent
		}
	}
	s.failRequest(n, reason)
	s.intercept(n.session)
}

// replaceDocument replaces a document that was denied or rewritten after it had committed, unless another document has
// replaced it meanwhile.
func (s *State) replaceDocument(n *navigation, rawURL string) {
	f := s.frameOf(n.session, n.paused.Frame)
	if f == nil || f.loader != n.loader || f.session == nil {
		return
	}
	s.send(f.session.id, cdppage.CommandNavigate, &cdppage.NavigateParams{URL: rawURL, FrameID: f.id})
}
