package supervise

import (
	"cmp"
	"slices"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// tab is a page target of a task with its frame tree.
type tab struct {
	id      target.ID
	info    target.Info
	task    *task
	session *session
	root    *frame
	orphans []*frame // whose parent is not known yet
	crashed bool
	ready   bool
	ours    bool // the task opened it, or a tab that the task opened did
	healing bool // see heal.go
	probing bool // it came back after a loss of the connection and has not answered yet; see rebind.go

	refused error // why it may not show its document, or be there at all; see navigate_scheme.go

	settling int // fences after beforeunload dialogs; see settle

	revision    uint64 // of the raw tree
	raw         []Frame
	rawRevision uint64

	asked            Token // the ask in flight
	askTimer         Token
	askedRevision    uint64
	filtered         []Frame
	truncated        bool
	filteredRevision uint64
	filteredBy       Provenance
	filteredRecord   *FramesRecord
}

func (s *State) adoptTab(ss *session) {
	t := ss.task
	tb := &tab{id: ss.info.TargetID, info: ss.info, task: t, session: ss}
	opener := s.tabOf(ss.info.OpenerID)
	tb.ours = t.opened[tb.id] || t.Scope == ScopeContext || opener != nil && opener.ours
	ss.tab = tb
	tb.root = s.newFrame(tb, ss.frameID(), "", ss)
	tb.root.url = cmp.Or(ss.info.URL, blank)
	t.tabs = append(t.tabs, tb)
	s.treeChanged(tb)
	if tb.refused = s.checkOpener(ss); tb.refused == nil {
		s.supervise(ss)
		s.goToStart(tb)
	}
	s.do(Notify{Task: t.ID, Kind: NotifyTargetAttached, Target: s.targetView(tb)})
	switch {
	case tb.refused != nil:
		s.closeRefused(tb)
	case t.parting():
		s.partTab(tb)
	}
}

// dropTab forgets a tab, its frames and its dialogs. The session goes first: the end of the last dialog can be what a
// leaving task waits for, and this tab must get no command any more.
func (s *State) dropTab(tb *tab, reason string) {
	t := tb.task
	used := t.inUse() == tb
	s.forgetSession(tb.session)
	for _, d := range t.openIn(tb) {
		by := abi.ClosedByRemote
		if d.doubtful || d.rebound {
			by = abi.ClosedByDisconnected
		}
		s.closeDialog(d, by, reason)
	}
	s.do(Interrupt{Task: t.ID, Page: tb.id, Reason: InterruptGone})
	s.forgetAgents(t, tb.id)
	view := s.targetView(tb)
	s.dropChildren(tb.root)
	delete(s.frames, tb.root.id)
	for len(tb.orphans) > 0 {
		s.dropFrame(tb.orphans[0])
	}
	s.forgetFramesAsk(tb)
	for _, below := range slices.Clone(tb.session.below) {
		s.detached(Detached{Session: below.id})
	}
	t.tabs = removeFrom(t.tabs, tb)
	s.unuse(tb, used)
	delete(t.adopts, tb.id)
	delete(t.opened, tb.id)
	delete(t.starts, tb.id)
	t.dirty = true
	s.do(Notify{Task: t.ID, Kind: NotifyTargetGone, Target: view})
	s.leaveStep(t)
}

// targetCrashed ends what waits on a tab whose renderer is gone: Chromium answers none of its pending commands. A
// navigation on the same session revives the tab.
func (s *State) targetCrashed(e TargetCrashed) {
	if tb := s.tabOf(e.Target); tb != nil {
		s.crashed(tb)
	}
}

func (s *State) sessionCrashed(e SessionCrashed) {
	ss := s.sessions[e.Session]
	if ss != nil && ss.agent != nil {
		s.do(Interrupt{Task: ss.agent.task.ID, Page: ss.agent.page, Session: ss.id, Reason: InterruptCrashed})
	}
	if ss == nil || ss.tab == nil {
		s.counters.EventsIgnored++
		return
	}
	if ss.tab.session == ss {
		s.crashed(ss.tab)
		return
	}
	s.failCommands(ss.id)
	s.frameCrashed(ss)
	s.do(Interrupt{Task: ss.task.ID, Page: ss.tab.id, Session: ss.id, Reason: InterruptCrashed})
}

func (s *State) crashed(tb *tab) {
	tb.probing = false
	if tb.crashed {
		return
	}
	tb.crashed = true
	s.failCommands(tb.session.id)
	for _, d := range tb.task.openIn(tb) {
		s.closeDialog(d, abi.ClosedByRemote, "its renderer crashed")
	}
	s.dropChildren(tb.root)
	s.treeChanged(tb)
	s.do(Interrupt{Task: tb.task.ID, Page: tb.id, Reason: InterruptCrashed})
	s.do(Notify{Task: tb.task.ID, Kind: NotifyTargetCrashed, Target: s.targetView(tb)})
}

func (s *State) sessionRevived(e SessionRevived) {
	ss := s.pageSession(e.Session)
	if ss == nil || ss.tab.session != ss {
		return
	}
	ss.tab.crashed = false
	ss.tab.task.dirty = true
}
