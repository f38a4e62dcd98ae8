package supervise

import (
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Some dialogs cannot be answered, but block their page all the same:
//
//   - one that opens while its page is being left (in pagehide or visibilitychange, during a same-process navigation).
//     Chromium rejects the answer with errNotActivePage, and detaching, Page.disable or closing the connection then
//     crashes the browser;
//   - one that opens in a frame of another process while the tab already shows a dialog. Chromium closes the first one
//     itself and then loses track of the second;
//   - one whose frame's process crashed;
//   - one that opened on an earlier connection. Chromium rejects an answer on a new one with errNoDialog.
//
// A navigation to a URL that leads nowhere releases them: the browser dismisses the dialog, and the page stays where it
// is or finishes the navigation that it had begun. Chromium blocks the scheme of this URL without asking anyone
// (kDeniedSchemes in external_protocol_handler.cc). For other unknown schemes, such as chrome-error:, it asks in a
// dialog of its own over the tab. No command sees or closes that dialog, and the tab gets no mouse or key input until
// it shows another site.
const nowhereURL = "vbscript:nowhere"

func (s *State) navigateNowhere(tb *tab, reply func(CommandReply)) Token {
	return s.sendThen(tb.session.id, cdppage.CommandNavigate, &cdppage.NavigateParams{URL: nowhereURL}, WantNothing, reply)
}

// forceDismiss dismisses a dialog that cannot be answered, without asking anyone.
func (s *State) forceDismiss(d *dialog, reason string) {
	s.forgetAsk(d)
	if d.Phase == PhasePending {
		d.Phase, d.answer = PhaseAnswering, answer{by: abi.ClosedByRemote}
	}
	s.forgetCommand(d.answer.command)
	s.disarm(&d.answerTimer)
	s.dismissByNavigation(d, reason)
}

// dismissByNavigation dismisses a dialog that is being answered by a navigation that leads nowhere. The closed event
// closes it. If there is none before the reply to the navigation, the dialog was gone already.
func (s *State) dismissByNavigation(d *dialog, reason string) {
	d.forceReason = reason
	d.tab.task.dirty = true
	d.answerTimer = s.after(s.config.AnswerTimeout, func() {
		if d.dismissOnly {
			s.closeTabOf(d) // the tab shows another dialog than the known one
			return
		}
		s.answerFailed(d, "the browser did not release the tab in time")
	})
	d.answer.command = s.navigateNowhere(d.tab, func(r CommandReply) {
		if d.Phase == PhaseAnswering && d.forceReason != "" {
			s.closeDialog(d, abi.ClosedByRemote, reason)
		}
	})
}

// dismissed closes a dialog that was dismissed by force. The page got what a dismissed dialog returns, whatever the
// answer was.
func (s *State) dismissed(d *dialog, e DialogClosed) {
	d.Accepted, d.Text = e.Accepted, e.UserInput
	by := d.answer.by
	if d.answer.accept {
		by = abi.ClosedByRemote
		if d.dismissOnly {
			by = abi.ClosedByDisconnected
		}
	}
	s.closeDialog(d, by, d.forceReason)
}

// closeDialogsOfFrame closes the dialogs of a frame that is gone, and heals the tab: they must not be answered. Dialogs
// that the browser has already closed are left out, because only the reply to our answer is missing.
func (s *State) closeDialogsOfFrame(f *frame, reason string) { s.closeDialogsOf(f.tab, f.id, reason) }

func (s *State) closeDialogsOf(tb *tab, id cdproto.FrameID, reason string) {
	for _, d := range tb.task.openIn(tb) {
		switch {
		case d.Frame != id || d.confirmed != nil:
		case d.stop != nil:
			s.closeBridged(d, reason)
		default:
			s.heal(d)
			s.closeDialog(d, abi.ClosedByRemote, reason)
		}
	}
}

// closeUnknownDialogs closes the dialogs of unknown frames when a process ends whose frames are not all known. A dialog
// that belongs to another process is dismissed by the healing too, which is better than a crashed browser.
func (s *State) closeUnknownDialogs(ss *session, reason string) {
	if ss != nil && !ss.seeded && ss.running {
		s.closeUnknownDialogsIn(ss.tab, reason)
	}
}

func (s *State) closeUnknownDialogsIn(tb *tab, reason string) {
	for _, d := range tb.task.openIn(tb) {
		if s.frames[d.Frame] == nil {
			s.closeDialogsOf(tb, d.Frame, reason)
		}
	}
}

// healing is how far the healing of a tab has come; see [State.heal].
type healing int

const (
	notHealing  healing = iota
	askingLost          // whether its dialog is lost, or that of a page that is being left
	healingLost         // the dialog is lost, and the Page domain disabled
	healingLeft         // the page is being left, and the Page domain must stay enabled
)

// heal repairs a tab in which a frame with an open dialog was removed. Chromium still shows that dialog. Closing it in
// any way (an answer, a navigation, another dialog, closing the tab) crashes the browser while a session with an
// enabled Page domain would be told about the dead frame. So the domain is disabled, a navigation that leads nowhere
// dismisses the dialog, and the domain is enabled again after the reply.
//
// A dialog of a frame that was never known may belong to a page that is being left instead, where disabling the domain
// crashes the browser. Chromium tells: it refuses harmless commands to such a page.
func (s *State) heal(d *dialog) {
	tb := d.tab
	switch {
	case tb.healing != notHealing:
	case s.frames[d.Frame] != nil:
		s.healAs(healingLost, tb)
	default:
		tb.healing = askingLost
		s.sendThen(tb.session.id, cdppage.CommandGetNavigationHistory, nil, WantNothing, func(r CommandReply) {
			how := healingLost
			if r.Err != nil && r.Err.Message == errNotActivePage {
				how = healingLeft
			}
			if s.owns(tb.session) {
				s.healAs(how, tb)
			}
		})
	}
}

// maxFreePatience bounds the time between two navigations that are to free a tab.
const maxFreePatience = time.Minute

// free dismisses the dialog of a tab by a navigation, and calls freed once it is gone. Only the reply proves that, so
// however long it takes, the Page domain stays disabled. Chromium never replies if it asks meanwhile whether to leave
// the page, so the navigation is repeated until one has a reply. Before each repetition late is called, which can say
// that there shall be none.
func (s *State) free(ss *session, patience time.Duration, late func() (again bool), freed func()) {
	navigation := s.navigateNowhere(ss.tab, func(CommandReply) {
		s.disarm(&ss.freeTimer)
		if s.owns(ss) {
			freed()
		}
	})
	ss.freeTimer = s.after(patience, func() {
		ss.freeTimer = 0
		s.forgetCommand(navigation)
		if s.owns(ss) && late() {
			s.free(ss, min(2*patience, maxFreePatience), late, freed)
		}
	})
}

func (s *State) healAs(how healing, tb *tab) {
	s.healWithin(how, tb, s.config.AnswerTimeout, func() bool { return true })
}

// healWithin is healAs with the patience of [State.free], and what happens when it is over.
func (s *State) healWithin(how healing, tb *tab, patience time.Duration, late func() (again bool)) {
	tb.healing = how
	if how == healingLost {
		s.send(tb.session.id, cdppage.CommandDisable, nil)
		s.setAgentsPageDomain(tb, false)
	}
	if tb.task.closingTabs() { // they waited for the answer
		s.closeOrDetach(tb)
		return
	}
	s.free(tb.session, patience, late, func() {
		if how == healingLost {
			s.closeUntold(tb)
		}
		s.endHealing(tb)
	})
}

// closeUntold closes the dialogs of a tab that a navigation has dismissed while its Page domain was disabled, so that
// no event tells of it. They opened just before. A beforeunload dialog is not dismissed by a navigation.
func (s *State) closeUntold(tb *tab) {
	for _, d := range tb.task.openIn(tb) {
		if d.stop == nil && d.confirmed == nil && d.Type != abi.DialogTypeBeforeUnload {
			s.closeDialog(d, abi.ClosedByRemote, "it opened while its tab was repaired, which dismissed it")
		}
	}
}

// endHealing enables the Page domain again, and all that has gone with it.
func (s *State) endHealing(tb *tab) {
	how := tb.healing
	tb.healing = notHealing
	if how == notHealing || !s.owns(tb.session) {
		return
	}
	if how == healingLost {
		s.send(tb.session.id, cdppage.CommandEnable, nil)
		s.reportLifecycle(tb.session)
		s.setAgentsPageDomain(tb, true)
		tb.session.bridged = false
		s.bridgeSession(tb.session)
		tb.healed++
		tb.task.dirty = true
	}
	s.seed(tb.session)
	s.continueRemoval(tb.task)
}

// unstick releases a tab blocked by a dialog that opened while no one listened: before this connection, or while it was
// lost. Chromium does not announce such a dialog again and rejects answers to it, but its page waits for it. A blocked
// session does not reply to the request for its frames; a session that is only loading does.
//
// A tab that is only slow must not be taken for blocked: the navigation makes a page that listens for beforeunload ask
// whether to leave it, in a dialog that no command answers while the Page domain is disabled. So a dialog that nobody
// knows of takes three times the silence of one that was open on the connection before.
func (s *State) unstick(ss *session, patience time.Duration) {
	ss.unstickTimer = s.after(patience, func() {
		ss.unstickTimer = 0
		if !s.owns(ss) {
			return
		}
		tb := ss.tab
		retrying := s.sessionSilent(ss)
		switch {
		case tb.crashed || tb.healing != notHealing:
			tb.probing = false
		case !s.blockedByKnown(tb) && patience == s.config.StuckTimeout:
			s.unstick(ss, 2*patience)
		case !s.blockedByKnown(tb):
			s.counters.Unstuck++
			// The frame of the dialog may be gone. If this does not help, calls stop waiting for it: nothing may be wrong with
			// a tab that is slow.
			s.healWithin(healingLost, tb, s.config.StuckTimeout, func() bool {
				tb.probing = false
				s.endHealing(tb)
				return false
			})
		case tb.probing || retrying:
			// A dialog of another tab blocks this one, or the bridge's script may still ask again.
			s.unstick(ss, 2*patience)
		}
	})
}
