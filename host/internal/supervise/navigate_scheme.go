package supervise

import (
	"github.com/chromedp/cdproto/page"
)

// A document whose scheme is not allowed cannot be stopped before it is there: Chromium refuses such addresses to pages, so
// that it comes from a person, another client or the browser itself, which ask nobody. It is left for an empty document, as
// one that a module denied late is.

// checkScheme leaves the document that a frame shows if its scheme is not allowed.
func (s *State) checkScheme(f *frame) {
	err := s.config.Schemes.CheckDocument(f.url, f == f.tab.root)
	switch {
	case f.session == nil:
	case err != nil:
		f.tab.refused = f.tab.refused || f == f.tab.root
		count(&s.counters.Navigations, NavigationRefused)
		paused := RequestPaused{Session: f.session.id, Frame: f.id, URL: withoutFragment(f.url)}
		s.denyNavigation(&navigation{session: f.session, late: true, loader: f.loader, paused: paused}, Denial{Reason: err.Error()})
	case f == f.tab.root && f.tab.refused:
		f.tab.refused = false
		s.send(f.session.id, page.CommandResetNavigationHistory, nil) // a page could go back to it
	}
}
