package supervise

import (
	"fmt"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/target"
)

// No blocker keeps pages from opening windows while nobody acts on them, because agents need what such windows show. A
// page that goes on opening them would take all memory of the machine, so a task has only so many that pages opened.

// openedByPage reports whether a page has opened a new tab. One that a page opened by a click with Control, which its
// script can make, names no opener; in a browser context of the task's own only this host opens others, and it knows of
// them, but for those whose Target.createTarget is in flight.
func (s *State) openedByPage(tb *tab) bool {
	if tb.session.running || tb.info.OpenerID != "" {
		return !tb.session.running
	}
	return tb.task.Scope == ScopeContext && !tb.task.opened[tb.id] && s.creating == 0
}

// isSurplus reports whether pages have opened too many tabs with this one.
func (s *State) isSurplus(tb *tab) bool {
	popups := 0
	for _, other := range tb.task.tabs {
		if other.popup && !other.surplus {
			popups++
		}
	}
	return tb.popup && popups > s.config.MaxPopups
}

// surplusLimit is how long a tab that is one too many may take to load what it was opened for.
const surplusLimit = time.Second

// closeSurplus closes a tab that is one too many, but not at once: its opener waits until it runs, and may never go on
// if the tab closes meanwhile. And Chromium continues the requests of a tab that closes, whoever has paused them. So
// the tab is supervised like any other, its first request fails, and it is closed after that; without interception once
// it has a document, and if it was opened for none after a while.
func (s *State) closeSurplus(tb *tab) {
	count(&s.counters.Navigations, NavigationRefused)
	s.noteDenial(tb.session, Denial{URL: tb.root.url, Frame: tb.root.id, Reason: fmt.Sprintf(
		"the tab was closed because pages of the task have opened %d that are still open, which is the limit; close those that are not needed", s.config.MaxPopups)})
	s.after(surplusLimit, func() { s.endSurplus(tb) })
}

// failSurplus fails a request of a tab that is one too many.
func (s *State) failSurplus(ss *session, e RequestPaused) {
	s.send(ss.id, fetch.CommandFailRequest, &fetch.FailRequestParams{RequestID: e.Request, ErrorReason: deniedReason})
	s.endSurplus(ss.tab)
}

func (s *State) endSurplus(tb *tab) {
	if tb.surplus && s.tabOf(tb.id) == tb {
		s.send("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: tb.id})
	}
}
