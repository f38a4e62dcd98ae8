package supervise

import (
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Where a module serves the hook, every request for the document of a frame is paused by the Fetch domain until the module
// has said what becomes of it. A redirect is a request of its own. Chromium pauses a request on the session of the process
// that the frame is in before it navigates; what is loaded without a request is not seen, and counted.

// navigation is a request for a document that is paused.
type navigation struct {
	session *session
	paused  RequestPaused
	asked   Token // the verdict that is awaited; 0 while its frame is
	timer   Token // the end of the wait

	late   bool         // nothing is paused: the document is there; see navigate_late.go
	loader cdp.LoaderID // likewise
}

// journey is the way of one navigation of a frame: its newest request, and how it came to it.
type requestChain struct {
	request   fetch.RequestID
	url       string
	from      string // the address that redirected to url
	redirects int
	rewrites  int  // in a row
	rewriting bool // the next redirect is a rewrite
}

const (
	// frameWait is how long a request waits for its frame. The renderer announces a frame, and the browser a request: the
	// two can overtake each other.
	frameWait = 250 * time.Millisecond
	// maxJourneys is how many navigations a frame has under way: one may not have committed when the next begins.
	maxChains = 4
	// maxNavigateURL is where the address of a request is cut, in bytes.
	maxNavigateURL = 64 << 10
)

// hooksChanged turns the interception of navigations on or off in every session.
func (s *State) hooksChanged(e HooksChanged) {
	if s.navigateHook == e.Navigate {
		return
	}
	s.navigateHook = e.Navigate
	for _, t := range s.taskOrder {
		for _, tb := range t.tabs {
			tb.session.walk(s.intercept)
		}
	}
}

// documentPaused takes a request for a document. Without a module it goes on: the hook has just gone, or the pattern was
// the bridge's.
func (s *State) documentPaused(ss *session, e RequestPaused) {
	if !s.navigateHook {
		s.send(ss.id, fetch.CommandContinueRequest, &fetch.ContinueRequestParams{RequestID: e.Request})
		return
	}
	n := &navigation{session: ss, paused: e}
	ss.navigations = append(ss.navigations, n)
	if f := s.frameOf(ss, e.Frame); f != nil {
		s.askNavigate(n, f)
		return
	}
	n.timer = s.after(frameWait, func() {
		n.timer = 0
		s.askNavigate(n, nil)
	})
}

// frameCame asks about the requests that came before their frame.
func (s *State) frameAdded(f *frame) {
	f.tab.session.walk(func(ss *session) {
		for _, n := range ss.navigations {
			if n.asked == 0 && n.paused.Frame == f.id {
				s.disarm(&n.timer)
				s.askNavigate(n, f)
			}
		}
	})
}

// askNavigate asks the hook. Should even the plugin runtime's own deadline fail, it is a fault: a navigation never hangs.
// The frame is nil where it is not known.
func (s *State) askNavigate(n *navigation, f *frame) {
	n.asked = s.nextToken()
	s.navigateAsks[n.asked] = n
	n.timer = s.after(s.config.AskTimeout, func() {
		n.timer = 0
		s.navigateVerdict(NavigateVerdict{Token: n.asked, Fault: "the plugin did not answer in time"})
	})
	count(&s.counters.Navigations, NavigationAsked)
	s.do(AskNavigate{Token: n.asked, Until: s.askUntil(), Task: n.session.task.ID, Event: s.navigateEvent(n, f)})
}

// navigateEvent is what the module is told. What a frame shows is that before the navigation.
func (s *State) navigateEvent(n *navigation, f *frame) abi.NavigateEvent {
	tb, address := n.session.tab, n.paused.URL
	e := abi.NavigateEvent{
		Header: abi.Header{TaskID: tb.task.ID, Revision: uint64(n.asked)},
		URL:    pagetext.Shorten(address, maxNavigateURL), Origin: originOf(address), Method: n.paused.Method,
		FrameID: string(n.paused.Frame), TargetID: string(tb.id), Popup: tb.info.OpenerID != "", TopOrigin: tb.root.origin,
	}
	if f == nil {
		return e
	}
	j := &requestChain{}
	if !n.late {
		j = f.noteRequest(n.paused)
	}
	e.ParentFrameID, e.FrameKind = string(f.parentID), f.kind()
	e.FromURL, e.FromOrigin = pagetext.Shorten(f.url, abi.MaxFrameURLBytes), f.origin
	e.Redirects, e.RedirectedFrom = uint32(j.redirects), pagetext.Shorten(j.from, abi.MaxFrameURLBytes)
	return e
}

// travel notes the next request of a navigation of the frame, or the first of another one.
func (f *frame) noteRequest(e RequestPaused) *requestChain {
	next := &requestChain{request: e.Request, url: e.URL}
	if last := f.chainOf(e.Redirected); last != nil {
		next.redirects, next.from = last.redirects+1, last.url
		if last.rewriting {
			next.rewrites = last.rewrites
		}
		f.chains = removeFrom(f.chains, last)
	}
	if len(f.chains) == maxChains {
		f.chains = slices.Delete(f.chains, 0, 1)
	}
	f.chains = append(f.chains, next)
	return next
}

// journeyOf finds the one whose newest request it is.
func (f *frame) chainOf(request fetch.RequestID) *requestChain {
	for _, j := range f.chains {
		if j.request == request {
			return j
		}
	}
	return nil
}

// committed compares the document that a frame is about to show with the requests that were seen. What came otherwise was
// not: about:, data:, blob: and srcdoc, from a service worker, fetched ahead, out of the back/forward cache.
func (s *State) committed(f *frame, ss *session, info FrameInfo) {
	address := withoutFragment(info.URL)
	for i, j := range slices.Backward(f.chains) {
		if j.url == address && !info.Restored {
			f.chains, f.lateRewrites = slices.Delete(f.chains, 0, i+1), 0
			return
		}
	}
	if !s.navigateHook {
		return
	}
	f.tab.task.unseen++
	f.tab.task.dirty = true
	count(&s.counters.Navigations, NavigationUnseen)
	s.askLate(f, ss, info)
}

// endNavigation forgets a request that is about to go its way.
func (s *State) endNavigation(n *navigation) {
	s.withdraw(n.asked)
	s.disarm(&n.timer)
	n.session.navigations = removeFrom(n.session.navigations, n)
}

// dropNavigations forgets the requests of a session that ended: the browser has let them go.
func (s *State) dropNavigations(ss *session) {
	for len(ss.navigations) > 0 {
		s.endNavigation(ss.navigations[0])
	}
}

// abortNavigations ends the requests of a frame that is gone. The browser has mostly done so.
func (s *State) abortNavigations(id cdp.FrameID, tb *tab) {
	tb.session.walk(func(ss *session) {
		for i := len(ss.navigations) - 1; i >= 0; i-- {
			switch n := ss.navigations[i]; {
			case n.paused.Frame != id:
			case n.late:
				s.endNavigation(n)
			default:
				s.refuseRequest(n, abortedReason)
			}
		}
	})
}

// askLate asks about the document that a frame is about to show. One of the back/forward cache was asked about before.
func (s *State) askLate(f *frame, ss *session, info FrameInfo) {
	if info.Restored || !strings.HasPrefix(info.URL, "http:") && !strings.HasPrefix(info.URL, "https:") {
		return
	}
	n := &navigation{session: ss, late: true, loader: info.Loader, paused: RequestPaused{
		Session: ss.id, Frame: f.id, URL: withoutFragment(info.URL), Method: "GET", Document: true,
	}}
	ss.navigations = append(ss.navigations, n)
	s.askNavigate(n, f)
}
