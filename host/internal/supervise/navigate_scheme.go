package supervise

import (
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// A document whose scheme is not allowed cannot be stopped before it is there: Chromium refuses such addresses to pages, so
// that it comes from a person, another client or the browser itself, which ask nobody. It is left for an empty document, as
// one that a module denied late is. What is below it goes with it.
//
// What it opens has its origin, and so its powers, until another document is there. Such a tab never runs: it is closed
// before it is resumed, and so is whatever was opened by it. An empty document that came to such an origin otherwise, as in a
// tab that was opened before anybody listened, or that an earlier document opened under a name, is left like a document that
// has the address itself.

// checkScheme leaves the document that a frame shows if its scheme is not allowed.
func (s *State) checkScheme(f *frame) {
	err := s.config.Schemes.CheckDocument(f.url, f == f.tab.root)
	switch {
	case f.session == nil:
	case err != nil:
		s.refuseDocument(f, err)
	case f == f.tab.root && f.tab.refused != nil:
		f.tab.refused = nil
		s.send(f.session.id, page.CommandResetNavigationHistory, nil) // a page could go back to it
	}
}

// checkOrigin leaves a document whose address is allowed, but not the origin that it has from another. Chromium tells it by
// the page's own world alone: what it calls the origin of a frame is that of the address.
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

// checkOpener tells why a tab may not be there: it is new, and what opened it is refused, or will be. The address of a target
// comes from the browser itself, which tells it before anything that the document opens.
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

// closeRefused closes a tab that a refused document opened. It is not resumed before: whoever opened it waits for that.
func (s *State) closeRefused(tb *tab) {
	count(&s.counters.Navigations, NavigationRefused)
	s.noteDenial(tb.session, Denial{
		URL: tb.root.url, Frame: tb.root.id, Reason: "the tab was closed, as what opened it is refused: " + tb.refused.Error(),
	})
	s.send("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: tb.id})
}
