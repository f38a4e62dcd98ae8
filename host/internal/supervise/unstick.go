package supervise

import "github.com/chromedp/cdproto/page"

// unstick frees an adopted tab that a dialog holds which opened before this connection did, as after a connection that was
// lost: Chromium announces such a dialog to nobody again, and knows nothing of it when it is answered; but its page waits
// for ever. A session that is held so does not answer the seeding, while one that only loads does.
func (s *State) unstick(ss *session) {
	ss.stuck = s.after(s.config.StuckTimeout, func() {
		ss.stuck = 0
		if !s.owns(ss) || ss.tab.crashed || ss.tab.healing || len(ss.tab.task.openIn(ss.tab)) > 0 {
			return
		}
		s.counters.Unstuck++
		s.send(ss.tab.session.id, page.CommandNavigate, &page.NavigateParams{URL: nowhere})
	})
}
