package supervise

import (
	"slices"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// leaving is the way out of a task. Detaching from a tab that is wedged by a dialog aborts the whole browser (see
// free.go), and from one that shows a plain dialog leaves its page waiting for ever. So first every dialog is answered,
// then a fence is awaited, and only then are tabs closed or detached.
type removal struct {
	request    RequestID
	fencesSent bool // the fences were sent
	fencesOpen int  // of them, those that still stand
	closing    bool // the dialogs are gone and the tabs are being closed or detached
	timer      Token
}

func (s *State) removeTask(e RemoveTask) {
	t := s.tasks[e.Task]
	if t == nil {
		s.do(Reply{Request: e.Request, Err: &TaskError{Task: e.Task, Reason: "no such task is supervised"}})
		return
	}
	if t.removal != nil {
		s.do(Reply{Request: e.Request, Err: &TaskError{Task: e.Task, Reason: "the task is already ending"}})
		return
	}
	s.failTask(t, &TaskError{Task: t.ID, Reason: "the task was ended before its tab was ready"})
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

// leaveStep goes on as soon as nothing holds the task any more. After the loss of the connection there is nothing to do
// step by step.
func (s *State) continueRemoval(t *task) {
	switch {
	case t.removal == nil, s.lost != "":
	case !t.removal.closing && len(t.open) == 0 && !t.healing():
		s.fenceTabs(t)
	case t.removal.closing && len(t.tabs) == 0:
		s.endTask(t)
	}
}

// fence waits until the scripts that dialogs held have come to an end: they may open more. The command is one that a page
// answers on its main thread, so not before such a script is over, and not while another dialog is open.
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
	s.call(ss.id, page.CommandGetFrameTree, nil, WantNothing, func(CommandReply) {
		l.fencesOpen--
		s.continueRemoval(t)
	})
}

// part closes the tabs that the task opened and detaches from the others.
func (s *State) closeTabs(t *task) {
	t.removal.closing = true
	s.disarm(&t.removal.timer)
	t.removal.timer = s.after(s.config.LeaveTimeout, func() { s.endTask(t) })
	for _, ss := range t.workers {
		if ss.parent == nil || s.sessions[ss.parent.id] == ss.parent { // else it ends with its tab, which just closed
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

// parting tells whether the task has begun to let go of what it has.
func (t *task) closingTabs() bool { return t.removal != nil && t.removal.closing }

func (t *task) healing() bool {
	return slices.ContainsFunc(t.tabs, func(tb *tab) bool { return tb.healing })
}

// partTab closes a tab of the task's own, and also one that a dialog still holds: that loses the tab, but detaching could
// lose the browser. Closing a tab under the dialog of an OOPIF would crash it too, so an answer goes just before. A tab
// that could not be healed, or whose OOPIF has a dialog that takes no answer, is only safe to detach from. In a tab that came
// back after a loss of the connection the dialog of a frame that is gone may be left, of which nobody was told: it takes no
// answer, and does no harm once the Page domain is disabled.
func (s *State) closeOrDetach(tb *tab) {
	if !s.owns(tb.session) {
		return
	}
	open := tb.task.nativeIn(tb)
	unanswerable := slices.ContainsFunc(open, func(d *dialog) bool {
		f := s.frames[d.Frame]
		return d.forceReason != "" && f != nil && f.session != tb.session
	})
	if tb.healing || unanswerable || !tb.openedByTask && len(open) == 0 {
		s.detachAgents(tb)
		s.detach(tb.session)
		return
	}
	s.send(tb.session.id, page.CommandHandleJavaScriptDialog, &page.HandleJavaScriptDialogParams{})
	if tb.session.returning && len(open) == 0 {
		s.send(tb.session.id, page.CommandDisable, nil)
		s.setAgentsPageDomain(tb, false)
	}
	s.send("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: tb.id})
}

// detach ends a session. Only the session that announced it knows it.
func (s *State) detach(ss *session) {
	s.send(ss.announcedBy, target.CommandDetachFromTarget, &target.DetachFromTargetParams{SessionID: ss.id})
}

// endTask forgets a task. Tabs that did not confirm their end in time are forgotten with it.
func (s *State) endTask(t *task) {
	s.disarm(&t.removal.timer)
	s.disarmDialog(t)
	request := t.removal.request
	t.removal = nil
	s.endBridge(t)
	for len(t.tabs) > 0 {
		s.dropTab(t.tabs[0], "its task ended")
	}
	s.forgetAgents(t, "")
	for _, ss := range s.sessions {
		if ss.task == t {
			ss.task, ss.tab = nil, nil
		}
	}
	delete(s.tasks, t.ID)
	s.taskOrder = removeFrom(s.taskOrder, t)
	s.do(Reply{Request: request})
}
