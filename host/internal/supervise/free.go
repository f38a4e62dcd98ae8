package supervise

import (
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
const nowhere = "vbscript:nowhere"

func (s *State) navigateNowhere(d *dialog, reply func(CommandReply)) { s.release(d.tab, reply) }

func (s *State) release(tb *tab, reply func(CommandReply)) {
	s.call(tb.session.id, page.CommandNavigate, &page.NavigateParams{URL: nowhere}, WantNothing, reply)
}

// freeDialog dismisses a dialog that can not be answered; nobody is asked.
func (s *State) freeDialog(d *dialog, reason string) {
	s.forgetAsk(d)
	if d.Phase == PhasePending {
		d.Phase, d.answer = PhaseAnswering, answer{by: abi.ClosedByRemote}
	}
	s.forgetCommand(d.answer.command)
	s.disarm(&d.answerTimer)
	s.free(d, reason)
}

// free frees the tab of a dialog that is being answered. The browser's closed event ends the dialog, else the reply to the
// navigation does: then there was no dialog any more.
func (s *State) free(d *dialog, reason string) {
	d.freeing = reason
	d.tab.task.dirty = true
	d.answerTimer = s.after(s.config.AnswerTimeout, func() {
		if d.rebound {
			s.closeUnder(d) // it is another dialog than we think
			return
		}
		s.answerFailed(d, "the browser did not free the tab in time")
	})
	s.navigateNowhere(d, func(r CommandReply) {
		if d.Phase == PhaseAnswering && d.freeing != "" {
			s.closeDialog(d, abi.ClosedByRemote, reason)
		}
	})
	d.answer.command = s.token
}

// freed ends a dialog that was freed. The page got what a dismissed dialog gives, whatever the answer was to be.
func (s *State) freed(d *dialog, e DialogClosed) {
	d.Accepted, d.Text = e.Accepted, e.UserInput
	by := d.answer.by
	if d.answer.accept {
		by = abi.ClosedByRemote
		if d.rebound {
			by = abi.ClosedByDisconnected
		}
	}
	s.closeDialog(d, by, d.freeing)
}
