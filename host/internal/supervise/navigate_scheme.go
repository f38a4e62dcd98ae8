package supervise

import (
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

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
