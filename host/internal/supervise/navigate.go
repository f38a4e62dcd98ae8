package supervise

import (
	"maps"
	"slices"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// While a module serves the navigate hook, the Fetch domain pauses every request for the document of a frame until the
// module has decided. A redirect is a request of its own. Chromium pauses a request on the session of the process that
// the frame is in before it navigates. Documents that load without a request bypass the hook; they are counted.

// navigation is a paused request for a document.
type navigation struct {
	session *session
	paused  RequestPaused
	asked   Token // the ask in flight; 0 while it is unknown which document requests it
	timer   Token // ends the wait for the frame, then for the verdict

	late   bool             // no request was paused, the document is already there; see [State.askLate]
	loader cdproto.LoaderID // of that document
}

// requestChain is one navigation of a frame: its latest request and the redirects that led to it.
type requestChain struct {
	request   fetch.RequestID
	url       string
	from      string // the URL that redirected to url
	redirects int
	rewrites  int  // in a row
	rewriting bool // the next redirect is our rewrite
}

const (
	// frameWait is how long a request waits for its frame, and for the document in it. The renderer announces both and
	// the browser announces requests, so either can come first.
	frameWait = 250 * time.Millisecond
	// maxChains is how many navigations of a frame are tracked: one may not have committed when the next begins.
	maxChains = 4
	// maxComing is how many frames of a tab may be loading before those are forgotten that are not announced.
	maxComing = 1000
	// maxNavigateURL is the maximum length of the URL of a request in an event, in bytes.
	maxNavigateURL = 64 << 10
)

// hooksChanged turns the interception of navigations, and of all requests, on or off in every session.
func (s *State) hooksChanged(e HooksChanged) {
	s.askForTreesAgain()
	s.consoleHook = e.Console
	if s.navigateHook == e.Navigate && s.requestHook == e.Request {
		return
	}
	guarded := e.Navigate && !s.navigateHook
	s.navigateHook, s.requestHook = e.Navigate, e.Request
	s.setGate()
	for _, t := range s.taskOrder {
		for _, tb := range t.tabs {
			tb.session.walk(func(ss *session) {
				if guarded {
					s.askForHeldDocuments(ss)
				}
				s.intercept(ss)
			})
		}
		for _, worker := range t.workers {
			s.intercept(worker)
		}
	}
}

// askForHeldDocuments asks the navigate hook, which has just begun to serve, about the documents that wait for the
// request hook. That one is asked again afterwards, if it still serves.
func (s *State) askForHeldDocuments(ss *session) {
	for _, r := range slices.Clone(ss.requests) {
		if r.paused.Document {
			s.endRequest(r)
			s.documentPaused(ss, r.paused)
		}
	}
}

// documentPaused handles a paused request for a document. Without a module that serves the hook it is a request like
// any other: the module has just been removed, or another pattern matched.
func (s *State) documentPaused(ss *session, e RequestPaused) {
	if !s.navigateHook {
		s.judge(ss, e)
		return
	}
	n := &navigation{session: ss, paused: e}
	ss.navigations = append(ss.navigations, n)
	if f := s.frameOf(ss, e.Frame); f != nil && f.tab.knows(e) {
		s.askNavigate(n, f)
		return
	}
	n.timer = s.after(frameWait, func() {
		n.timer = 0
		s.askNavigate(n, s.frameOf(ss, e.Frame))
	})
}

// navigationStarted remembers that a document may come. Until it is announced, requests of the frame may be its own or
// those of the document before it: a module that decides by who requests must not be told the wrong one. The browser
// announces the start, which may precede the frame itself.
func (s *State) navigationStarted(e NavigationStarted) {
	ss := s.pageSession(e.Session)
	if ss == nil {
		return
	}
	coming := ss.tab.coming[e.Frame]
	if len(coming) == 0 && len(ss.tab.coming) >= maxComing { // a page may remove its frames before they are announced
		maps.DeleteFunc(ss.tab.coming, func(id cdproto.FrameID, _ []cdproto.LoaderID) bool { return s.frames[id] == nil })
	}
	ss.tab.coming[e.Frame] = append(coming[max(0, len(coming)-maxChains+1):], e.Loader)
}

// loadingStopped ends the navigations of a frame that came to nothing.
func (s *State) loadingStopped(e LoadingStopped) {
	if ss := s.pageSession(e.Session); ss != nil {
		delete(ss.tab.coming, e.Frame)
		if f := s.frameOf(ss, e.Frame); f != nil {
			s.askWaiting(f)
		}
	}
}

// came forgets a document that is there, and those that were to come before it. One that was not to come may be older
// than all of them: it is from a tree that was asked for.
func (tb *tab) came(frame cdproto.FrameID, loader cdproto.LoaderID) {
	coming := tb.coming[frame]
	if coming = coming[slices.Index(coming, loader)+1:]; len(coming) == 0 {
		delete(tb.coming, frame)
		return
	}
	tb.coming[frame] = coming
}

// knows reports whether a request is known to be one of the document that its frame is known to show. The last
// navigation that was announced is that of a request for a document itself.
func (tb *tab) knows(e RequestPaused) bool {
	coming := len(tb.coming[e.Frame])
	return coming == 0 || e.Document && coming == 1
}

// askWaiting asks about the requests that were paused before their frame, or the document in it, was announced.
func (s *State) askWaiting(f *frame) {
	f.tab.session.walk(func(ss *session) {
		for _, n := range ss.navigations {
			if n.asked == 0 && n.paused.Frame == f.id && f.tab.knows(n.paused) {
				s.disarm(&n.timer)
				s.askNavigate(n, f)
			}
		}
		for _, r := range ss.requests {
			if r.asked == 0 && r.paused.Frame == f.id && f.tab.knows(r.paused) {
				s.disarm(&r.timer)
				s.askRequestHook(r)
			}
		}
	})
}

// askNavigate calls the navigate hook. If the plugin runtime misses its own deadline too, that is a fault, so a
// navigation never hangs. The frame is nil if it is not known.
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

// navigateEvent is the event for the module. The frame's own URL is that of the document before the navigation.
func (s *State) navigateEvent(n *navigation, f *frame) abi.NavigateEvent {
	tb, url := n.session.tab, n.paused.URL
	e := abi.NavigateEvent{
		Header: abi.Header{TaskID: tb.task.ID, Revision: uint64(n.asked)},
		URL:    pagetext.Shorten(url, maxNavigateURL), Origin: originOf(url), Method: n.paused.Method,
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

// noteRequest records a request as a redirect of a navigation in flight, or as the first request of a new one.
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

// chainOf finds the navigation whose latest request is the given one.
func (f *frame) chainOf(request fetch.RequestID) *requestChain {
	for _, j := range f.chains {
		if j.request == request {
			return j
		}
	}
	return nil
}

// committed compares the document that a frame is about to show with the requests that were paused. A document without
// one came another way: about:, data:, blob: or srcdoc, from a service worker, from a prefetch, or from the
// back/forward cache.
func (s *State) committed(f *frame, ss *session, info FrameInfo) {
	url := withoutFragment(info.URL)
	for i, j := range slices.Backward(f.chains) {
		if j.url == url && !info.Restored {
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

// endNavigation forgets a request that is about to be continued, failed or fulfilled.
func (s *State) endNavigation(n *navigation) {
	s.withdraw(n.asked)
	s.disarm(&n.timer)
	n.session.navigations = removeFrom(n.session.navigations, n)
}

// dropNavigations forgets the requests of a session that ended. The browser has continued them.
func (s *State) dropNavigations(ss *session) {
	for len(ss.navigations) > 0 {
		s.endNavigation(ss.navigations[0])
	}
}

// abortNavigations fails the requests of a frame that is gone. The browser has usually done so already.
func (s *State) abortNavigations(id cdproto.FrameID, tb *tab) {
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

// askLate asks about a document that commits without a paused request although it came over HTTP: a service worker
// supplied it, or the page had it prefetched. The document runs until the verdict. If it is denied, the frame navigates
// to about:blank. Documents from the back/forward cache were asked about when they were first loaded.
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

// A document whose scheme is not allowed cannot be stopped before it commits. Chromium does not let pages navigate to
// such URLs, so a person, another client or the browser itself opened it, and those navigations are not intercepted.
// The host replaces the document with about:blank, as it does with one that a module denied late. The documents below
// it are gone with it.
//
// A window that such a document opens inherits its origin, and so its powers, until it has a document of its own. Such
// a tab never runs: it is closed before it is resumed, and so is everything that was opened from it. An empty document
// can also get such an origin in other ways, as in a tab opened before the host listened, or in a named window that an
// earlier document opened. It is replaced like a document that has the URL itself.

// checkScheme replaces the document of a frame if its scheme is not allowed.
func (s *State) checkScheme(f *frame) {
	err := s.config.Schemes.CheckDocument(f.url, f == f.tab.root)
	switch {
	case f.session == nil:
	case err != nil:
		s.refuseDocument(f, err)
	case f == f.tab.root && f.tab.refused != nil:
		f.tab.refused = nil
		s.send(f.session.id, cdppage.CommandResetNavigationHistory, nil) // otherwise a page could go back to it
	}
}

// checkOrigin replaces a document whose URL is allowed, but not the origin that it inherited. Chromium reports that
// origin only with the main world; the origin it reports for a frame is that of the URL.
func (s *State) checkOrigin(f *frame, origin string) {
	if origin == opaque || s.config.Schemes.CheckDocument(f.url, true) != nil {
		return
	}
	if err := s.config.Schemes.CheckDocument(origin, true); err != nil {
		s.refuseDocument(f, err)
	}
}

func (s *State) refuseDocument(f *frame, err error) {
	if f == f.tab.root {
		f.tab.refused = err
	}
	count(&s.counters.Navigations, NavigationRefused)
	paused := RequestPaused{Session: f.session.id, Frame: f.id, URL: withoutFragment(f.url)}
	s.denyNavigation(&navigation{session: f.session, late: true, loader: f.loader, paused: paused}, Denial{Reason: err.Error()})
}

// checkOpener says why a new tab is not allowed: its opener is refused, or will be. The URL of a target comes from the
// browser itself, which reports it before anything that the document opens.
func (s *State) checkOpener(ss *session) error {
	opener := ss.info.OpenerID
	switch tb := s.tabOf(opener); {
	case ss.running:
		return nil
	case tb != nil && tb.refused != nil:
		return tb.refused
	}
	return s.config.Schemes.CheckDocument(s.targets[opener].URL, true)
}

// closeRefused closes a tab that was opened by a refused document. The tab is not resumed first, and its opener waits
// until it is.
func (s *State) closeRefused(tb *tab) {
	count(&s.counters.Navigations, NavigationRefused)
	s.noteDenial(tb.session, Denial{
		URL: tb.root.url, Frame: tb.root.id, Reason: "the tab was closed because its opener is refused: " + tb.refused.Error(),
	})
	s.send("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: tb.id})
}
