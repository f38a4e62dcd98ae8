package supervise

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// armedExpiry is how long an armed answer waits for its dialog where nobody says.
const armedExpiry = 60 * time.Second

// Armed is an answer that an agent gave before the dialog opened: the next dialog of the task, of this type where one is
// named, is answered with it and no plugin is asked.
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

// answerArmed answers a dialog as its agent said before, once, and tells whether it did.
func (s *State) answerArmed(d *dialog) bool {
	t := d.tab.task
	a := t.armed
	if a == nil || a.Type != abi.DialogTypeUnspecified && a.Type != d.Type || !s.now.Before(a.ExpiresAt) {
		return false
	}
	s.disarmDialog(t)
	d.Decision, d.Action = Provenance{Rule: "armed"}, abi.DialogActionDismiss
	if a.Accept {
		d.Action = abi.DialogActionAccept
	}
	text := d.DefaultPrompt
	if a.Text != nil {
		text = *a.Text
	}
	s.answerDialog(d, answer{by: abi.ClosedByAgent, accept: a.Accept, text: text})
	return true
}
