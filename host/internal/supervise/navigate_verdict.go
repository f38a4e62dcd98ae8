package supervise

import (
	"fmt"
	"net/url"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// What became of navigations, as keys of [Counters.Navigations].
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
	// maxRewrites is how often in a row one navigation is rewritten: a module that rewrites what it made itself, or two that
	// undo each other, would never come to an end.
	maxRewrites = 10
	// maxDenialReason is where a module's reason is cut, in bytes.
	maxDenialReason = 1 << 10

	deniedReason  = network.ErrorReasonBlockedByClient
	abortedReason = network.ErrorReasonAborted
)

// navigateVerdict does what the module decided. Where none did, the navigation goes on; where one failed, the task's
// fallback applies.
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

// navigateFault is the host's own rule: a navigation on which nobody decided goes on, unless the host was told to deny it.
func (s *State) navigateFault(n *navigation, v NavigateVerdict) {
	s.do(Notify{Task: n.session.task.ID, Kind: NotifyFault, Fault: v.Fault})
	if !s.config.NavigateFailClosed {
		s.allowNavigation(n, NavigationFailedOpen)
		return
	}
	count(&s.counters.Navigations, NavigationFailedClosed)
	v.Provenance.Fault = v.Fault
	s.denyNavigation(n, Denial{Reason: "no plugin decided, and the host denies then: " + v.Fault, FailedClosed: true, Decision: v.Provenance})
}

func (s *State) allowNavigation(n *navigation, counted string) {
	count(&s.counters.Navigations, counted)
	if n.late {
		return
	}
	s.send(n.session.id, fetch.CommandContinueRequest, &fetch.ContinueRequestParams{RequestID: n.paused.Request})
}

// denyNavigation fails a request, for which the frame shows the browser's error page.
func (s *State) denyNavigation(n *navigation, d Denial) {
	d.URL, d.Frame = n.paused.URL, n.paused.Frame
	s.noteDenial(n.session, d)
	s.failRequest(n, deniedReason)
}

// noteDenial lists what was denied to a session's tab, and tells of it.
func (s *State) noteDenial(ss *session, d Denial) {
	t := ss.task
	d.Number, d.Target, d.At = t.denials.total+1, ss.tab.id, s.now
	d.URL, d.Reason = pagetext.Shorten(d.URL, abi.MaxFrameURLBytes), pagetext.Shorten(d.Reason, maxDenialReason)
	if f := s.frameOf(ss, d.Frame); f != nil {
		d.FrameKind = f.kind()
	}
	t.denials.add(d)
	t.dirty = true
	s.do(Notify{Task: t.ID, Kind: NotifyNavigationDenied, Denial: d})
}

// rewriteNavigation sends the browser elsewhere by a redirect of its own, as continuing the request with another address
// would leave the old one, and its origin, in view. 307 keeps the method and the body. The new address is asked about like
// every redirect.
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

// rewrittenTooOften counts a rewrite.
func (s *State) rewrittenTooOften(n *navigation) bool {
	f := s.frameOf(n.session, n.paused.Frame)
	if f == nil {
		return false // the browser has its own limit of redirects
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

// checkRewrite does not repeat the address: it may carry what the page was not to know.
func checkRewrite(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return fmt.Errorf("the verdict's url can not be parsed; an absolute http or https address is wanted")
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("the verdict's url has the scheme %q; an absolute http or https address is wanted", u.Scheme)
	case u.Host == "":
		return fmt.Errorf("the verdict's url has no host; an absolute http or https address is wanted")
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

// refuseRequest ends a request without a verdict.
func (s *State) refuseRequest(n *navigation, reason network.ErrorReason) {
	s.endNavigation(n)
	for ss := n.session; ss != nil; ss = ss.parent {
		if s.sessions[ss.id] != ss {
			return // what is below a session ends with it
		}
	}
	s.failRequest(n, reason)
	s.intercept(n.session)
}

// A document can come over the network without a request that the Fetch domain pauses: a service worker answered, or the
// page had the browser fetch it ahead. Such a document is asked about when it is there. It runs until the verdict, and
// what is denied is left for an empty document.

// leaveLate replaces a document that was denied, or rewritten, after it came. A document that has come meanwhile is another's.
func (s *State) replaceDocument(n *navigation, address string) {
	f := s.frameOf(n.session, n.paused.Frame)
	if f == nil || f.loader != n.loader || f.session == nil {
		return
	}
	s.send(f.session.id, page.CommandNavigate, &page.NavigateParams{URL: address, FrameID: f.id})
}
