package supervise

import (
	"slices"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// A new connection has new sessions for the same targets. First all targets are announced (see Discovered), and tabs
// that are not among them are dropped. Then the targets are attached: a known tab gets its new session and keeps its
// frames, until the reply with the frame tree corrects them.
//
// Chromium does not announce open dialogs again. But a page that is blocked by a dialog does not reply to the request
// for its frames, so a page that does reply has no open dialog. A dialog that is still open can only be dismissed, by
// the navigation in release.go, because Chromium answers "No dialog is showing" to every answer on a new session.

// redialing counts an attempt to reconnect.
func (s *State) redialing(e Redialing) {
	if s.connection == connectionUp {
		return
	}
	s.attempt = e.Attempt
	for _, t := range s.taskOrder {
		t.dirty = true
	}
}

// discovered handles the new connection, whose targets are known now.
func (s *State) discovered() {
	if s.connection != connectionDown {
		return
	}
	s.connection = connectionReturning
	s.setGate()
	for _, id := range s.closeOnReturn {
		if _, there := s.targets[id]; there {
			s.send("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: id})
		}
	}
	s.closeOnReturn = nil
	for _, t := range s.taskOrder {
		s.emulateInBrowser(t.emulation.Set) // the browser undid it with the connection
	}
	for _, t := range slices.Clone(s.taskOrder) {
		had := len(t.tabs) > 0
		for _, tb := range slices.Clone(t.tabs) {
			if _, there := s.targets[tb.id]; !there {
				s.dropTab(tb, "its tab was closed while the connection was lost")
			}
		}
		if had && len(t.tabs) == 0 {
			s.abandonTask(t, "the new browser has none of the task's tabs")
		}
	}
}

// abandonTask ends a task without tabs: it is a different browser, or the tabs were closed.
func (s *State) abandonTask(t *task, reason string) {
	t.gone = reason
	s.setGate()
	s.endSupervision(t, reason)
	s.do(TaskGone{Task: t.ID, Reason: reason})
}

// reconnected ends the reconnection. All announced targets have been attached automatically, so a tab without a session
// must be attached explicitly.
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
	s.attachTo(tb.id, WantNothing, func(r CommandReply) {
		if r.Err != nil && s.tabOf(tb.id) == tb && !s.owns(tb.session) {
			s.dropTab(tb, "its tab could not be reattached: "+r.Err.Message)
		}
	})
}

// rebind gives a known tab its new session. If the tab was being healed, or the frame of an open dialog may have been
// removed during the outage, the dialog is dismissed before the Page domain is enabled: see [State.heal].
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
	if tb.healing == notHealing && !elsewhere {
		s.probe(ss)
		return
	}
	tb.healing = healingLost // no domain is enabled yet
	s.free(ss, s.config.AnswerTimeout, func() bool {
		s.closeReleased(tb)
		return true
	}, func() {
		tb.healing = notHealing
		s.closeReleased(tb)
		s.probe(ss)
	})
}

// closeReleased closes the dialogs that a navigation dismisses.
func (s *State) closeReleased(tb *tab) {
	for _, d := range tb.task.openIn(tb) {
		if d.maybeClosed {
			s.closeDialog(d, abi.ClosedByDisconnected, "the connection was lost while it was open, so it could only be dismissed")
		}
	}
}

// probe prepares a session again. Its reply with the frame tree, or the lack of one, shows whether a dialog blocks it.
func (s *State) probe(ss *session) {
	ss.tab.probing = true
	s.supervise(ss)
}

// tabAnswered is called when a reattached tab has replied with its frame tree: the native dialogs that were open are
// closed. For those of the bridge see [State.closeBridgedOf].
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

// sessionSilent is called when a reattached session has not replied with its frame tree in time: its dialog is still
// open. Native dialogs are attributed to the session of the page. The result says whether the bridge's script may still
// ask for a dialog again.
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

// dropUnannounced drops child frames that neither the session nor one of its children has announced again: they were
// removed during the outage.
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

// closeTabOf closes the tab of a beforeunload dialog that survived a lost connection, or of one that has taken the
// place of the known dialog meanwhile. Such a dialog keeps its page from being left, so only closing the tab ends it.
func (s *State) closeTabOf(d *dialog) {
	s.forgetCommand(d.answer.command)
	d.forceReason = "a beforeunload dialog that takes no answer any more can only be closed with its tab"
	d.answerTimer = s.after(s.config.AnswerTimeout, func() { s.answerFailed(d, "the browser did not close the tab in time") })
	s.send("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: d.tab.id})
}

// bridgeRetries is how long a script may ask again. The shipped one does so for 10 s.
const bridgeRetries = 15 * time.Second

// shows reports whether the frame of a dialog is in a session's process. A frame that was not announced again counts as
// being in its page's process.
func (s *State) shows(ss *session, d *dialog) bool {
	if f := s.frames[d.Frame]; f != nil && f.session != nil {
		return f.session == ss
	}
	return ss == ss.tab.session
}

// closeBridgedOf closes the bridge dialogs of a process that has replied with its frame tree: no script waits there any
// more.
func (s *State) closeBridgedOf(ss *session) {
	for _, d := range ss.tab.task.openIn(ss.tab) {
		if f := s.frames[d.Frame]; d.stop != nil && d.maybeClosed && f != nil && f.session == ss {
			s.closeDialog(d, abi.ClosedByDisconnected, "its page continued while the connection was lost")
		}
	}
}
