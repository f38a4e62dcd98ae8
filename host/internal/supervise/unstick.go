package supervise

import (
	"time"

	"github.com/chromedp/cdproto/page"
)

// unstick frees a tab that a dialog holds which opened while nobody listened, as before this connection did, or while it
// was lost: Chromium announces such a dialog to nobody again, and knows nothing of it when it is answered; but its page
// waits for ever. A session that is held so does not answer the seeding, while one that only loads does.
func (s *State) unstick(ss *session, patience time.Duration) {
	ss.stuck = s.after(patience, func() {
		ss.stuck = 0
		if !s.owns(ss) {
			return
		}
		tb := ss.tab
		retrying := s.heldAgain(ss)
		switch {
		case tb.crashed || tb.healing:
			tb.probing = false
		case !s.held(tb):
			s.counters.Unstuck++
			s.send(tb.session.id, page.CommandNavigate, &page.NavigateParams{URL: nowhere})
			// What does not come free by this is not waited for.
			ss.stuck = s.after(s.config.StuckTimeout, func() { ss.stuck, tb.probing = 0, false })
		case tb.probing || retrying:
			s.unstick(ss, 2*patience) // a dialog of another tab holds this one, or the bridge's script is not at its end
		}
	})
}
