package supervise

import (
	"slices"
	"strings"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// respond handles an agent's answer. An answer that cannot be sent is refused and changes nothing. While the policy is
// being asked, the answer waits for the verdict, which may be final.
func (s *State) respond(e Respond) {
	d, err := s.findDialog(e)
	if err != nil {
		s.fail(e.Request, err)
		return
	}
	a := answer{by: abi.ClosedByAgent, accept: e.Accept, request: e.Request, text: d.DefaultPrompt}
	if e.Text != nil {
		a.text = *e.Text
	}
	if d.asked != 0 {
		d.early = &a
		return
	}
	s.answerDialog(d, a)
}

func (s *State) findDialog(e Respond) (*dialog, error) {
	t := s.tasks[e.Task]
	if t == nil {
		return nil, noTask(e.Task)
	}
	fail := func(kind DialogErrorKind) error {
		err := &DialogError{Kind: kind, ID: e.Dialog}
		for _, d := range t.open {
			err.Open = append(err.Open, d.Dialog)
		}
		return err
	}
	if e.Dialog == "" {
		pending := t.pendingDialogs()
		switch {
		case len(pending) == 1 && pending[0].early != nil:
			return nil, fail(DialogBusy)
		case len(pending) == 1:
			return pending[0], nil
		case len(pending) > 1:
			return nil, fail(DialogAmbiguous)
		case len(t.open) > 0:
			return nil, fail(DialogBusy)
		}
		return nil, fail(DialogNone)
	}
	for _, d := range t.open {
		if d.ID == e.Dialog && (d.Phase == PhaseAnswering || d.early != nil) {
			return nil, fail(DialogBusy)
		} else if d.ID == e.Dialog {
			return d, nil
		}
	}
	if len(t.open) == 0 {
		return nil, fail(DialogNone)
	}
	return nil, fail(DialogUnknown)
}

func (t *task) pendingDialogs() []*dialog {
	var list []*dialog
	for _, d := range t.open {
		if d.Phase == PhasePending {
			list = append(list, d)
		}
	}
	return list
}

// answerDialog sends an answer. A verdict that arrives from now on is too late.
func (s *State) answerDialog(d *dialog, a answer) {
	if d.Phase != PhasePending {
		return
	}
	s.forgetAsk(d)
	s.refuseEarlyAnswer(d, "it was answered before the policy decided")
	d.Phase, d.answer = PhaseAnswering, a
	d.tab.task.dirty = true
	d.note(func(r *DialogRecord) { r.AnsweredAt = s.now })
	s.sendAnswer(d)
}

func (s *State) sendAnswer(d *dialog) {
	switch {
	case d.maybeClosed:
		return // until it is known whether the dialog is still open
	case d.dismissOnly && d.Type == abi.DialogTypeBeforeUnload:
		s.closeTabOf(d)
		return
	case d.dismissOnly:
		s.dismissByNavigation(d, "the connection was lost while it was open, so it could only be dismissed")
		return
	case d.stop != nil:
		s.answerBridged(d)
		return
	}
	s.afterRemovals(d, func() { s.sendNativeAnswer(d) })
}

// removalTimeout is how long the processes around the frame of a dialog have to say that they removed it.
const removalTimeout = time.Second

// afterRemovals runs send once the processes around the frame of an answered dialog have told of what they did before.
// The whole browser ends when it gets an answer to the dialog of a frame that another process has removed, and the host
// may not have read of that yet.
func (s *State) afterRemovals(d *dialog, send func()) {
	around := s.processesAround(s.frames[d.Frame])
	if len(around) == 0 {
		send()
		return
	}
	attempt, left := s.nextToken(), len(around)
	d.answer.command, d.answer.waits = attempt, true
	d.answerTimer = s.after(s.config.AnswerTimeout, func() {
		s.answerFailed(d, "the processes around its frame ended while it waited for them")
	})
	for _, ss := range around {
		s.sendWithin(removalTimeout, ss, runtime.CommandGetIsolateID, nil, func() {
			left--
			if left == 0 && d.Phase == PhaseAnswering && d.answer.command == attempt && s.sessions[d.Session] != nil {
				s.disarm(&d.answerTimer)
				d.answer.waits = false
				send()
			}
		})
	}
}

// processesAround has a session of each process that embeds a frame of another one. That of a frame of the same site is
// left out: the dialog holds its process.
func (s *State) processesAround(of *frame) (around []*session) {
	for f := of; f != nil && f.parent != nil; f = f.parent {
		ss := f.parent.session
		if ss != nil && ss != f.session && !slices.Contains(around, ss) && !sameSite(f.parent.url, of.url) {
			around = append(around, ss)
		}
	}
	return around
}

func (s *State) sendNativeAnswer(d *dialog) {
	d.answerTimer = s.after(s.config.AnswerTimeout, func() {
		s.answerFailed(d, "the browser did not confirm the answer in time")
	})
	d.answer.command = s.sendThen(d.Session, cdppage.CommandHandleJavaScriptDialog, handleParams(d), WantNothing, func(r CommandReply) {
		s.answerReply(d, r)
	})
}

// Chromium says only in the error text why it rejected an answer.
const (
	errNoDialog      = "No dialog is showing"
	errNotActivePage = "Not attached to an active page"
)

// answerReply handles the reply to an answer. Success means that our answer closed the dialog.
func (s *State) answerReply(d *dialog, r CommandReply) {
	s.disarm(&d.answerTimer)
	switch {
	case r.Err == nil:
		d.Accepted = d.answer.accept
		if d.confirmed != nil {
			d.Accepted, d.Text = d.confirmed.Accepted, d.confirmed.UserInput
		} else if d.Type == abi.DialogTypePrompt && d.Accepted {
			d.Text = d.answer.text
		}
		s.closeDialog(d, d.answer.by, "")
	case d.confirmed != nil:
		d.Accepted, d.Text = d.confirmed.Accepted, d.confirmed.UserInput
		s.closeDialog(d, abi.ClosedByRemote, "another client answered first")
	case r.Err.Message == errSessionGone:
		s.closeDialog(d, abi.ClosedByRemote, "its tab ended")
	case strings.Contains(r.Err.Message, errNotActivePage):
		s.dismissByNavigation(d, "the page was being unloaded, so the dialog could only be dismissed")
	case strings.Contains(r.Err.Message, errNoDialog):
		// The closed event would have come before this reply, so the dialog is open and the browser has lost track of
		// it.
		s.dismissByNavigation(d, "the browser lost track of the dialog, so it could only be dismissed")
	default:
		s.answerFailed(d, r.Err.Message)
	}
}

// answerFailed makes the dialog pending again and tells the agent. If its deadline has passed, the watchdog tries
// again. A dialog that fails closed is answered again by the host itself.
func (s *State) answerFailed(d *dialog, reason string) {
	s.forgetCommand(d.answer.command)
	s.disarm(&d.answerTimer)
	if d.confirmed != nil {
		s.closeDialog(d, d.answer.by, "")
		return
	}
	d.forceReason, d.tab.task.dirty = "", true
	s.counters.AnswerRetries++
	if d.failClosed {
		d.answerTimer = s.after(s.config.AnswerTimeout, func() { s.sendAnswer(d) })
		return
	}
	d.Phase = PhasePending
	s.interruptBlocked(d)
	if request := d.answer.request; request != 0 {
		d.answer.request = 0
		s.do(Reply{Request: request, Dialog: d.Dialog, Err: &DialogError{Kind: DialogRefused, ID: d.ID, Reason: reason}})
	}
	if d.watchdog == 0 {
		d.watchdog = s.after(s.config.AnswerTimeout, func() { s.watchdogFired(d) })
	}
}

// replyToAgent tells the agent whose answer was in flight how the dialog closed.
func (s *State) replyToAgent(d *dialog) {
	request := d.answer.request
	if request == 0 {
		return
	}
	d.answer.request = 0
	reply := Reply{Request: request, Dialog: d.Dialog}
	if d.ClosedBy != abi.ClosedByAgent {
		reply.Err = &DialogError{Kind: DialogGone, ID: d.ID, Reason: d.CloseReason}
	}
	s.do(reply)
}

// armedExpiry is how long an armed answer waits for its dialog by default.
const armedExpiry = 60 * time.Second

func (s *State) armDialog(e ArmDialog) {
	t := s.tasks[e.Task]
	if t == nil {
		s.fail(e.Request, noTask(e.Task))
		return
	}
	s.disarmDialog(t)
	setDefault(&e.Expires, armedExpiry)
	e.Expires = min(e.Expires, s.config.MaxDialogTimeout)
	a := e.Answer
	a.ExpiresAt = s.now.Add(e.Expires)
	t.armed, t.dirty = &a, true
	t.armedTimer = s.after(e.Expires, func() { s.disarmDialog(t) })
	s.do(Reply{Request: e.Request, Armed: &a})
}

func (s *State) disarmRequest(e DisarmDialog) {
	t := s.tasks[e.Task]
	if t == nil {
		s.fail(e.Request, noTask(e.Task))
		return
	}
	reply := Reply{Request: e.Request, Armed: t.armed}
	s.disarmDialog(t)
	s.do(reply)
}

func (s *State) disarmDialog(t *task) {
	s.disarm(&t.armedTimer)
	if t.armed != nil {
		t.armed, t.dirty = nil, true
	}
}

// takeArmed uses up the armed answer, unless it is for more than one, if it fits a dialog; otherwise it returns nil.
func (s *State) takeArmed(d *dialog) *answer {
	t := d.tab.task
	a := t.armed
	if a == nil || a.Type != abi.DialogTypeUnspecified && a.Type != d.Type || !s.now.Before(a.ExpiresAt) {
		return nil
	}
	if !a.Repeat {
		s.disarmDialog(t)
	}
	text := d.DefaultPrompt
	if a.Text != nil {
		text = *a.Text
	}
	return &answer{by: abi.ClosedByAgent, accept: a.Accept, text: text}
}

// giveEarlyAnswer sends the answer that waited for the verdict, and reports whether there was one.
func (s *State) giveEarlyAnswer(d *dialog) bool {
	a := d.early
	if a == nil {
		return false
	}
	d.early = nil
	if a.request == 0 {
		d.Decision, d.Action = Provenance{Rule: "armed"}, abi.DialogActionDismiss
		if a.accept {
			d.Action = abi.DialogActionAccept
		}
	}
	s.answerDialog(d, *a)
	return true
}

// refuseEarlyAnswer tells the agent why the answer that waited for the verdict has no effect.
func (s *State) refuseEarlyAnswer(d *dialog, reason string) {
	a := d.early
	if a == nil {
		return
	}
	d.early = nil
	if a.request == 0 {
		d.ArmedUnused = reason
		return
	}
	s.do(Reply{Request: a.request, Dialog: d.Dialog, Err: &DialogError{Kind: DialogGone, ID: d.ID, Reason: reason}})
}

// finallyHeld reports whether a final verdict leaves a dialog to the agent that has just answered it. An agent that
// armed an answer has not seen the dialog.
func (d *dialog) finallyHeld(v abi.DialogVerdict) bool {
	return v.Action == abi.DialogActionHold && d.early != nil && d.early.request != 0
}
