package supervise

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Some dialogs can not be answered, and hold their page all the same:
//
//   - one that a page opens while it is being left (in pagehide or visibilitychange, on a navigation that stays in its
//     process). Chromium refuses the answer with errNotActivePage, and detaching, Page.disable or a dropped connection
//     then aborts the whole browser;
//   - one that opens while the tab already shows another, from a frame in another process. Chromium closes the first by
//     itself and then knows nothing of the second;
//   - one whose frame's process crashed;
//   - one that opened on a connection that was lost. Chromium refuses the answer of another with errNoDialog.
//
// A navigation to an address that leads nowhere frees them: the browser closes the dialog as dismissed, and the page stays
// where it is, or goes on to where it wanted to go. The scheme is one of those that Chromium refuses to hand to another
// program without asking anybody (kDeniedSchemes in external_protocol_handler.cc). For any other that it does not know,
// such as chrome-error:, it asks in a dialog of its own over the tab, which no command sees or closes, and under which
// the tab loses all mouse and key input until it shows another site.
const nowhereURL = "vbscript:nowhere"

func (s *State) navigateNowhere(tb *tab, reply func(CommandReply)) {
	s.call(tb.session.id, page.CommandNavigate, &page.NavigateParams{URL: nowhereURL}, WantNothing, reply)
}

// freeDialog dismisses a dialog that can not be answered; nobody is asked.
func (s *State) forceDismiss(d *dialog, reason string) {
	s.forgetAsk(d)
	if d.Phase == PhasePending {
		d.Phase, d.answer = PhaseAnswering, answer{by: abi.ClosedByRemote}
	}
	s.forgetCommand(d.answer.command)
	s.disarm(&d.answerTimer)
	s.dismissByNavigation(d, reason)
}

// free frees the tab of a dialog that is being answered. The browser's closed event ends the dialog, else the reply to the
// navigation does: then there was no dialog any more.
func (s *State) dismissByNavigation(d *dialog, reason string) {
	d.forceReason = reason
	d.tab.task.dirty = true
	d.answerTimer = s.after(s.config.AnswerTimeout, func() {
		if d.dismissOnly {
			s.closeTabOf(d) // it is another dialog than we think
			return
		}
		s.answerFailed(d, "the browser did not free the tab in time")
	})
	s.navigateNowhere(d.tab, func(r CommandReply) {
		if d.Phase == PhaseAnswering && d.forceReason != "" {
			s.closeDialog(d, abi.ClosedByRemote, reason)
		}
	})
	d.answer.command = s.token
}

// freed ends a dialog that was freed. The page got what a dismissed dialog gives, whatever the answer was to be.
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

// loseDialogs closes the dialogs of a frame that is gone. They are never answered, and the tab is healed. A dialog that
// the browser has closed is not among them: only the reply to our answer is still awaited.
func (s *State) closeDialogsOfFrame(f *frame, reason string) { s.closeDialogsOf(f.tab, f.id, reason) }

func (s *State) closeDialogsOf(tb *tab, id cdp.FrameID, reason string) {
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

// loseUnknownDialogs closes the dialogs of frames that are not known, when a process goes of whose frames not all are.
// One that belongs elsewhere is dismissed by the healing, which is better than a browser that crashes.
func (s *State) closeUnknownDialogs(ss *session, reason string) {
	if ss == nil || ss.seeded || !ss.running {
		return
	}
	for _, d := range ss.tab.task.openIn(ss.tab) {
		if s.frames[d.Frame] == nil {
			s.closeDialogsOf(ss.tab, d.Frame, reason)
		}
	}
}

// heal takes a tab out of the state that the removal of a frame with an open dialog leaves it in. Chromium still shows
// that dialog, and whatever closes it (an answer, a navigation, another dialog, closing the tab) crashes the browser as
// long as a session with the Page domain enabled is there to be told of the dead frame. So the domain is disabled, the
// dialog is got rid of by a navigation that leads nowhere, and only after the reply to it the domain is enabled again.
func (s *State) heal(d *dialog) {
	tb := d.tab
	if tb.healing {
		return
	}
	tb.healing = true
	s.send(tb.session.id, page.CommandDisable, nil)
	s.setAgentsPageDomain(tb, false)
	s.navigateNowhere(tb, func(r CommandReply) {
		tb.healing = false
		if !s.owns(tb.session) {
			return
		}
		s.send(tb.session.id, page.CommandEnable, nil)
		s.setAgentsPageDomain(tb, true)
		s.seed(tb.session)
		s.continueRemoval(tb.task)
	})
}

// unstick frees a tab that a dialog holds which opened while nobody listened, as before this connection did, or while it
// was lost: Chromium announces such a dialog to nobody again, and knows nothing of it when it is answered; but its page
// waits for ever. A session that is held so does not answer the seeding, while one that only loads does.
func (s *State) unstick(ss *session, patience time.Duration) {
	ss.unstickTimer = s.after(patience, func() {
		ss.unstickTimer = 0
		if !s.owns(ss) {
			return
		}
		tb := ss.tab
		retrying := s.sessionSilent(ss)
		switch {
		case tb.crashed || tb.healing:
			tb.probing = false
		case !s.blockedByKnown(tb):
			s.counters.Unstuck++
			s.send(tb.session.id, page.CommandNavigate, &page.NavigateParams{URL: nowhereURL})
			// What does not come free by this is not waited for.
			ss.unstickTimer = s.after(s.config.StuckTimeout, func() { ss.unstickTimer, tb.probing = 0, false })
		case tb.probing || retrying:
			s.unstick(ss, 2*patience) // a dialog of another tab holds this one, or the bridge's script is not at its end
		}
	})
}
