package supervise

import (
	"cmp"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// The loss of the connection lets a page go on that stopped for the bridge. Its script knows that there was somebody, and
// asks again for a while, with the same key, before it falls back to the native function. A page whose main thread has not
// been free since before the new connection can not be heard: Chromium takes both the debugger and the way of intercepted
// requests to it there. So what comes is mostly the native dialog, and the agent's answer goes to that one.

// bridgeRetries is how long a script may ask again. The shipped one does for 10 s.
const bridgeRetries = 15 * time.Second

// shows tells whether the frame of a dialog is in a session's process. One that was not announced again is looked for in
// its page's.
func (s *State) shows(ss *session, d *dialog) bool {
	if f := s.frames[d.Frame]; f != nil && f.session != nil {
		return f.session == ss
	}
	return ss == ss.tab.session
}

// goesOn closes the dialogs whose process has answered the seeding after a loss: no script waits there any more.
func (s *State) goesOn(ss *session) {
	for _, d := range ss.tab.task.openIn(ss.tab) {
		if f := s.frames[d.Frame]; d.hold != nil && d.doubtful && f != nil && f.session == ss {
			s.closeDialog(d, abi.ClosedByDisconnected, "its page went on while the connection was lost")
		}
	}
}

// fellBack finds the dialog of the bridge that a native one stands for, now that its script has nobody else to ask.
func (s *State) fellBack(ss *session, e DialogOpening) *dialog {
	for _, d := range ss.tab.task.openIn(ss.tab) {
		if d.hold != nil && (d.doubtful || d.rebound) && d.freeing == "" &&
			d.Type == e.Type && d.Frame == cmp.Or(e.Frame, ss.tab.root.id) {
			return d
		}
	}
	return nil
}

// moveToNative makes a dialog of the bridge a native one. An answer that waited for it is given.
func (s *State) moveToNative(d *dialog, ss *session) {
	second := d.tab.showsDialog()
	d.hold.dialog, d.hold = nil, nil
	d.doubtful, d.rebound = false, false
	d.Session, d.Via = ss.id, viaNative
	d.tab.task.dirty = true
	switch {
	case second:
		s.freeDialog(d, "it opened while another frame's dialog was open, so it could only be dismissed")
	case d.Phase == PhaseAnswering:
		s.sendAnswer(d)
	case d.asked == 0:
		s.hold(d)
	}
}
