package supervise

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// settleTimeout bounds what a tab's commands wait for a beforeunload handler to end.
const settleTimeout = 5 * time.Second

// loseDialogs closes the dialogs of a frame that is gone. They are never answered, and the tab is healed. A dialog that
// the browser has closed is not among them: only the reply to our answer is still awaited.
func (s *State) loseDialogs(f *frame, reason string) { s.loseDialogsOf(f.tab, f.id, reason) }

func (s *State) loseDialogsOf(tb *tab, id cdp.FrameID, reason string) {
	for _, d := range tb.task.openIn(tb) {
		switch {
		case d.Frame != id || d.confirmed != nil:
		case d.hold != nil:
			s.loseBridged(d, reason)
		default:
			s.heal(d)
			s.closeDialog(d, abi.ClosedByRemote, reason)
		}
	}
}

// loseUnknownDialogs closes the dialogs of frames that are not known, when a process goes of whose frames not all are.
// One that belongs elsewhere is dismissed by the healing, which is better than a browser that crashes.
func (s *State) loseUnknownDialogs(ss *session, reason string) {
	if ss == nil || ss.seeded || !ss.running {
		return
	}
	for _, d := range ss.tab.task.openIn(ss.tab) {
		if s.frames[d.Frame] == nil {
			s.loseDialogsOf(ss.tab, d.Frame, reason)
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
	s.blindAgents(tb, true)
	s.navigateNowhere(d, func(r CommandReply) {
		tb.healing = false
		if !s.owns(tb.session) {
			return
		}
		s.send(tb.session.id, page.CommandEnable, nil)
		s.blindAgents(tb, false)
		s.seed(tb.session)
		s.leaveStep(tb.task)
	})
}

// settle holds back commands to a tab until the script that a beforeunload dialog held is over. A navigation that starts
// before would be aborted by the end of the one that the dialog belonged to. The fence is a command that a page answers
// on its main thread; a page that does not answer in time is not waited for.
func (s *State) settle(tb *tab) {
	tb.settling++
	var timer Token
	done := false
	settled := func() {
		if !done {
			done = true
			tb.settling--
			s.disarm(&timer)
		}
	}
	timer = s.after(settleTimeout, settled)
	s.call(tb.session.id, page.CommandGetFrameTree, nil, WantNothing, func(CommandReply) { settled() })
}
