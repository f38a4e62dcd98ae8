package supervise

import (
	"slices"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// After a connection was lost, a new one shows the same targets on new sessions. First all of them are announced (see
// Discovered): the tabs that are not among them are gone. Then they are attached, and a tab that is known gets its new
// session, with the frames that it had; the seeding of its sessions puts these right.
//
// Whether a dialog is still open nobody says: Chromium announces it to nobody again. But a page that a dialog holds does
// not answer the seeding. One that does answer has no dialog any more. Where a dialog is still open, it can only be
// dismissed, by the release in free.go, for a new session is told "No dialog is showing" about every answer.

// redialing tells how often the connection was tried to be had back.
func (s *State) redialing(e Redialing) {
	if s.connection == connectionUp {
		return
	}
	s.attempt = e.Attempt
	for _, t := range s.taskOrder {
		t.dirty = true
	}
}

// discovered begins the return: the targets of the new connection are known.
func (s *State) discovered() {
	if s.connection != connectionDown {
		return
	}
	s.connection = connectionReturning
	for _, id := range s.closeOnReturn {
		if _, there := s.targets[id]; there {
			s.send("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: id})
		}
	}
	s.closeOnReturn = nil
	for _, t := range slices.Clone(s.taskOrder) {
		had := len(t.tabs) > 0
		for _, tb := range slices.Clone(t.tabs) {
			if _, there := s.targets[tb.id]; !there {
				s.dropTab(tb, "its tab was closed while the connection was lost")
			}
		}
		if had && len(t.tabs) == 0 {
			s.abandonTask(t, "the browser that is there now has none of the task's tabs")
		}
	}
}

// abandonTask ends a task of whose tabs none is left: it is another browser, or the tabs were closed.
func (s *State) abandonTask(t *task, reason string) {
	t.gone = reason
	s.endSupervision(t, reason)
	s.do(TaskGone{Task: t.ID, Reason: reason})
}

// reconnected ends the return: every target that was announced has been attached by itself, so that a tab without a
// session has to be asked for.
func (s *State) reconnected() {
	if s.connection != connectionReturning {
		return
	}
	s.connection, s.down, s.attempt = connectionUp, "", 0
	for _, t := range s.taskOrder {
		t.dirty = true
		if t.gone != "" {
			continue
		}
		s.do(Notify{Task: t.ID, Kind: NotifyReconnected})
		for _, tb := range t.tabs {
			if !s.owns(tb.session) {
				s.reattach(tb)
			}
		}
	}
}

func (s *State) reattach(tb *tab) {
	flatten := true
	s.call("", target.CommandAttachToTarget, &target.AttachToTargetParams{TargetID: tb.id, Flatten: &flatten}, WantNothing, func(r CommandReply) {
		if r.Err != nil && s.tabOf(tb.id) == tb && !s.owns(tb.session) {
			s.dropTab(tb, "its tab could not be attached again: "+r.Err.Message)
		}
	})
}

// rebind gives a known tab its new session. Where the frame of an open dialog can have been removed meanwhile, and where
// the tab was being healed, the tab is freed first: see heal.go for what closes such a dialog once the Page domain is
// enabled.
func (s *State) rebind(tb *tab, ss *session) {
	ss.task, ss.tab, ss.returning = tb.task, tb, true
	tb.session, tb.info, tb.root.session = ss, ss.info, ss
	for _, d := range tb.task.openIn(tb) {
		d.Session = ss.id
	}
	s.treeChanged(tb)
	if tb.task.closingTabs() {
		s.closeOrDetach(tb)
		return
	}
	elsewhere := slices.ContainsFunc(tb.task.openIn(tb), func(d *dialog) bool { return d.process == processOther })
	if !tb.healing && !elsewhere {
		s.probe(ss)
		return
	}
	tb.healing = true
	var timer Token
	done := false
	healed := func() {
		if done || !s.owns(ss) {
			return
		}
		done, tb.healing = true, false
		s.disarm(&timer)
		for _, d := range tb.task.openIn(tb) {
			if d.maybeClosed {
				s.closeDialog(d, abi.ClosedByDisconnected, "the connection was lost while it was open, so it could only be dismissed")
			}
		}
		s.probe(ss)
	}
	timer = s.after(s.config.AnswerTimeout, func() { timer = 0; healed() })
	s.navigateNowhere(tb, func(CommandReply) { healed() })
}

// probe prepares a session again, and finds out by its answer to the seeding whether a dialog holds it.
func (s *State) probe(ss *session) {
	ss.tab.probing = true
	s.supervise(ss)
}

// answersAgain is called when a tab that came back has answered the seeding: the native dialogs that were open
// are closed. For those of the bridge see bridge_lost.go.
func (s *State) tabAnswered(tb *tab) {
	if !tb.probing {
		return
	}
	tb.probing, tb.crashed = false, false
	tb.task.dirty = true
	for _, d := range tb.task.openIn(tb) {
		if d.maybeClosed && d.stop == nil {
			s.closeDialog(d, abi.ClosedByDisconnected, "it was closed while the connection was lost")
		}
	}
}

// heldAgain is called when a session that came back has not answered the seeding in time: the dialog that it had is still
// open. Native ones are those of the page's session. It tells whether the bridge's script may still ask for one again.
func (s *State) sessionSilent(ss *session) (retrying bool) {
	tb := ss.tab
	for _, d := range tb.task.openIn(tb) {
		switch {
		case !d.maybeClosed, d.stop == nil && ss != tb.session, d.stop != nil && !s.shows(ss, d):
			continue
		case d.stop != nil && s.now.Before(d.retriesUntil):
			retrying = true
			continue
		}
		tb.probing = false
		d.maybeClosed, d.dismissOnly = false, true
		if d.Phase == PhaseAnswering {
			s.sendAnswer(d)
		} else if d.asked == 0 {
			s.interruptBlocked(d)
		}
	}
	tb.task.dirty = true
	return retrying
}

// dropUnclaimed drops the frames below those of a session that neither the session nor one of a process below it has
// announced again: they went while nobody listened.
func (s *State) dropUnannounced(ss *session) {
	if !ss.returning || !ss.seeded || !ss.childrenAnnounced {
		return
	}
	for _, f := range s.framesOf(ss) {
		for _, child := range slices.Clone(f.children) {
			if child.session == nil {
				s.removeFrame(child)
			}
		}
	}
	if ss == ss.tab.session {
		for _, orphan := range slices.Clone(ss.tab.orphans) {
			if orphan.session == nil {
				s.removeFrame(orphan)
			}
		}
	}
}

// closeUnder closes the tab of a beforeunload dialog that came back, or of one that opened meanwhile in the place of the
// dialog that is known. It keeps its page from being left, so that nothing but the end of the tab ends it.
func (s *State) closeTabOf(d *dialog) {
	s.forgetCommand(d.answer.command)
	d.forceReason = "only the end of the tab ends a beforeunload dialog of a lost connection"
	d.answerTimer = s.after(s.config.AnswerTimeout, func() { s.answerFailed(d, "the browser did not close the tab in time") })
	s.send("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: d.tab.id})
}

// supersede closes what was open in a tab that came back, now that a frame of it opens a dialog: the one that holds a
// process does not let it open another.
func (s *State) closeSuperseded(tb *tab, f *frame) {
	for _, d := range tb.task.openIn(tb) {
		if d.maybeClosed && (f == nil || f.session == tb.session) {
			s.closeDialog(d, abi.ClosedByDisconnected, "it was closed while the connection was lost")
		}
	}
}

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
func (s *State) closeBridgedOf(ss *session) {
	for _, d := range ss.tab.task.openIn(ss.tab) {
		if f := s.frames[d.Frame]; d.stop != nil && d.maybeClosed && f != nil && f.session == ss {
			s.closeDialog(d, abi.ClosedByDisconnected, "its page went on while the connection was lost")
		}
	}
}
