package supervise

import (
	"slices"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// removal is the state of a task that is being removed. Detaching from a tab can crash the browser if a dialog that
// cannot be answered blocks the tab (see release.go), and otherwise leaves the page waiting for its dialog forever. So
// all dialogs are answered first, then fences are awaited, and only then are the tabs closed or detached.
type removal struct {
	request    RequestID
	fencesSent bool // the fences have been sent
	fencesOpen int  // fences without a reply
	closing    bool // the tabs are being closed or detached
	timer      Token
}

func (s *State) removeTask(e RemoveTask) {
	t := s.tasks[e.Task]
	if t == nil {
		s.fail(e.Request, noTask(e.Task))
		return
	}
	if t.removal != nil {
		s.fail(e.Request, &TaskError{Task: e.Task, Reason: "the task is already being removed"})
		return
	}
	s.failTask(t, &TaskError{Task: t.ID, Reason: "the task was removed before its tab was ready"})
	s.endBridge(t)
	t.removal = &removal{request: e.Request}
	if s.connection == connectionDown {
		s.endTaskOffline(t)
		return
	}
	t.removal.timer = s.after(s.config.LeaveTimeout, func() { s.closeTabs(t) })
	for _, d := range t.pendingDialogs() {
		s.answerDialog(d, answer{by: abi.ClosedByDisconnected})
	}
	s.continueRemoval(t)
}

// continueRemoval takes the next step once nothing stands in its way. There are no steps left after the connection has
// ended for good.
func (s *State) continueRemoval(t *task) {
	switch {
	case t.removal == nil, s.lost != "":
	case !t.removal.closing && len(t.open) == 0 && !t.healing():
		s.fenceTabs(t)
	case t.removal.closing && len(t.tabs) == 0:
		s.endTask(t)
	}
}

// fenceTabs waits for the end of the scripts that dialogs blocked, because they may open more dialogs. A fence is a
// command that a page answers on its main thread, so not before such a script is over, and not while another dialog is
// open.
func (s *State) fenceTabs(t *task) {
	l := t.removal
	if !l.fencesSent {
		l.fencesSent = true
		l.fencesOpen = 1 // until all are sent
		for _, tb := range t.tabs {
			if !tb.openedByTask && !tb.crashed && s.owns(tb.session) {
				tb.session.walk(func(ss *session) { s.fenceSession(t, ss) })
			}
		}
		l.fencesOpen--
	}
	if l.fencesOpen == 0 {
		s.closeTabs(t)
	}
}

func (s *State) fenceSession(t *task, ss *session) {
	if ss.tab == nil || isWorker(ss.info.Type) {
		return
	}
	t.removal.fencesOpen++
	l := t.removal
	s.sendThen(ss.id, cdppage.CommandGetFrameTree, nil, WantNothing, func(CommandReply) {
		l.fencesOpen--
		s.continueRemoval(t)
	})
}

// closeTabs closes the tabs that the task opened and detaches from the others.
func (s *State) closeTabs(t *task) {
	t.removal.closing = true
	for _, ss := range s.sessionsOf(t) {
		s.failGuarded(ss)
	}
	s.emulateInBrowser(t.emulation.Undo)
	s.disarm(&t.removal.timer)
	t.removal.timer = s.after(s.config.LeaveTimeout, func() { s.endTask(t) })
	for _, ss := range t.workers {
		if ss.parent == nil || s.sessions[ss.parent.id] == ss.parent { // otherwise it ended with its tab
			s.detach(ss)
		}
	}
	for _, tb := range t.tabs {
		s.closeOrDetach(tb)
	}
	if len(t.tabs) == 0 {
		s.endTask(t)
	}
}

// closingTabs reports whether the task has begun to close its tabs.
func (t *task) closingTabs() bool { return t.removal != nil && t.removal.closing }

func (t *task) healing() bool {
	return slices.ContainsFunc(t.tabs, func(tb *tab) bool { return tb.healing != notHealing })
}

// closeOrDetach closes a tab that the task opened, and any tab that a dialog still blocks: closing loses the tab, but
// detaching could crash the browser. Closing a tab under a dialog of an OOPIF would crash it too, so the dialog is
// dismissed just before. It is only safe to detach from a tab that could not be healed, or whose OOPIF has a dialog
// that rejects answers. A tab that was reattached after a lost connection may still have an unknown dialog of a removed
// frame. That dialog rejects answers too, and does no harm once the Page domain is disabled.
func (s *State) closeOrDetach(tb *tab) {
	if !s.owns(tb.session) || tb.healing == askingLost {
		return
	}
	open := tb.task.nativeIn(tb)
	unanswerable := slices.ContainsFunc(open, func(d *dialog) bool {
		f := s.frames[d.Frame]
		return d.forceReason != "" && f != nil && f.session != tb.session
	})
	if tb.healing == healingLost || unanswerable || !tb.openedByTask && len(open) == 0 && tb.healing == notHealing {
		s.detachAgents(tb)
		if !tb.session.prepared { // a popup that waits for the debugger is not announced as waiting when it is attached again
			s.resume(tb.session)
		}
		s.detach(tb.session)
		return
	}
	s.send(tb.session.id, cdppage.CommandHandleJavaScriptDialog, &cdppage.HandleJavaScriptDialogParams{})
	if tb.session.returning && len(open) == 0 {
		s.send(tb.session.id, cdppage.CommandDisable, nil)
		s.setAgentsPageDomain(tb, false)
	}
	s.send("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: tb.id})
}

// detach ends a session, on the session that announced it: no other one knows it.
func (s *State) detach(ss *session) {
	s.send(ss.announcedBy, target.CommandDetachFromTarget, &target.DetachFromTargetParams{SessionID: ss.id})
}

// endTask forgets a task, along with tabs whose end was not confirmed in time.
func (s *State) endTask(t *task) {
	s.disarm(&t.removal.timer)
	s.disarmDialog(t)
	request := t.removal.request
	t.removal = nil
	s.endBridge(t)
	for len(t.tabs) > 0 {
		s.dropTab(t.tabs[0], "its task ended")
	}
	for _, ss := range t.workers { // nobody waits for their end, after which no command is answered
		s.do(Interrupt{Task: t.ID, Page: ss.pageID(), Session: ss.id, Reason: InterruptGone})
	}
	s.forgetAgents(t, "")
	for _, ss := range s.sessions {
		if ss.task == t {
			ss.task, ss.tab = nil, nil
		}
	}
	delete(s.tasks, t.ID)
	s.taskOrder = removeFrom(s.taskOrder, t)
	s.setGate()
	s.do(Reply{Request: request})
}
