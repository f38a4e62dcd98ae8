package supervise

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// armedExpiry is how long an armed answer waits for its dialog where nobody says.
const armedExpiry = 60 * time.Second

// Armed is an answer that an agent gave before the dialog opened: the next dialog of the task, of this type where one is
// named, is answered with it, unless the policy's verdict is final or [Config.DialogFailClosed] dismisses the dialog.
type Armed struct {
	Accept    bool
	Text      *string        // of an accepted prompt; nil: the page's default text
	Type      abi.DialogType // unspecified: any
	ExpiresAt time.Time
}

// ArmDialog arms an answer, in the place of one that is armed already. Its reply has it as it was armed.
type ArmDialog struct {
	Request RequestID
	Task    string
	Answer  Armed         // ExpiresAt is set by the state machine
	Expires time.Duration // 0: 60 s; at most [Config.MaxDialogTimeout]
}

// DisarmDialog takes the armed answer back; there may be none.
type DisarmDialog struct {
	Request RequestID
	Task    string
}

func (ArmDialog) isEvent()    {}
func (DisarmDialog) isEvent() {}

func (s *State) armDialog(e ArmDialog) {
	t := s.tasks[e.Task]
	if t == nil {
		s.do(Reply{Request: e.Request, Err: noTask(e.Task)})
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
		s.do(Reply{Request: e.Request, Err: noTask(e.Task)})
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

// takeArmed takes the armed answer for a dialog that it fits, and for no other: nil where none does.
func (s *State) takeArmed(d *dialog) *answer {
	t := d.tab.task
	a := t.armed
	if a == nil || a.Type != abi.DialogTypeUnspecified && a.Type != d.Type || !s.now.Before(a.ExpiresAt) {
		return nil
	}
	s.disarmDialog(t)
	text := d.DefaultPrompt
	if a.Text != nil {
		text = *a.Text
	}
	return &answer{by: abi.ClosedByAgent, accept: a.Accept, text: text}
}

// answerAhead answers a dialog as its agent said before the policy decided, and tells whether it did.
func (s *State) answerAhead(d *dialog) bool {
	a := d.ahead
	if a == nil {
		return false
	}
	d.ahead = nil
	if a.request == 0 {
		d.Decision, d.Action = Provenance{Rule: "armed"}, abi.DialogActionDismiss
		if a.accept {
			d.Action = abi.DialogActionAccept
		}
	}
	s.answerDialog(d, *a)
	return true
}

// refuseAhead tells the agent why what it said before the policy decided does not count.
func (s *State) refuseAhead(d *dialog, reason string) {
	a := d.ahead
	if a == nil {
		return
	}
	d.ahead = nil
	if a.request == 0 {
		d.ArmedUnused = reason
		return
	}
	s.do(Reply{Request: a.request, Dialog: d.Dialog, Err: &DialogError{Kind: DialogGone, ID: d.ID, Reason: reason}})
}

// heldFinally tells whether a final verdict leaves a dialog to an agent that has seen it, which who armed an answer has not.
func (d *dialog) heldFinally(v abi.DialogVerdict) bool {
	return v.Action == abi.DialogActionHold && d.ahead != nil && d.ahead.request != 0
}
