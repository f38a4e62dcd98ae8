package supervise

import (
	"cmp"
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// tab is a page target of a task with its frame tree.
type tab struct {
	id           target.ID
	info         target.Info
	task         *task
	session      *session
	root         *frame
	orphans      []*frame // frames whose parent is not known yet
	crashed      bool
	ready        bool
	openedByTask bool    // opened by the task, or by a tab that it opened
	popup        bool    // opened by a page; see [State.openedByPage]
	surplus      bool    // one too many of these, which is about to be closed and which nobody is shown
	healing      healing // see [State.heal]
	healed       uint64  // how often its Page domain was disabled for that, and enabled again
	probing      bool    // reattached after a lost connection and silent so far; see reconnect.go

	coming map[cdproto.FrameID][]cdproto.LoaderID // documents that may be there already; see [State.navigationStarted]

	refused error // why its document, or the tab itself, is not allowed; see navigate.go

	settling int // fences in flight; see [State.settle]

	revision    uint64 // of the raw frame tree
	raw         []Frame
	rawRevision uint64

	asked            Token // the ask in flight; 0: none
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
	tb := &tab{id: ss.info.TargetID, info: ss.info, task: t, session: ss, coming: map[cdproto.FrameID][]cdproto.LoaderID{}}
	opener := s.tabOf(ss.info.OpenerID)
	tb.openedByTask = t.opened[tb.id] || t.Scope == ScopeContext || opener != nil && opener.openedByTask
	ss.tab = tb
	tb.root = s.newFrame(tb, ss.frameID(), "", ss)
	tb.root.url = cmp.Or(ss.info.URL, blank)
	t.tabs = append(t.tabs, tb)
	s.treeChanged(tb)
	tb.popup = s.openedByPage(tb)
	tb.surplus = s.isSurplus(tb)
	if tb.refused = s.checkOpener(ss); tb.refused == nil {
		s.supervise(ss)
		s.goToStart(tb)
	}
	s.do(Notify{Task: t.ID, Kind: NotifyTargetAttached, Target: s.targetView(tb)})
	switch {
	case tb.refused != nil:
		s.closeRefused(tb)
	case tb.surplus:
		s.closeSurplus(tb)
	case t.closingTabs():
		s.closeOrDetach(tb)
	}
}

// dropTab forgets a tab with its frames and dialogs. The session is forgotten first, because a task that is being
// removed may continue once the last dialog is closed, and must not send commands to this tab.
func (s *State) dropTab(tb *tab, reason string) {
	t := tb.task
	used := t.inUse() == tb
	s.forgetSession(tb.session)
	for _, d := range t.openIn(tb) {
		by := abi.ClosedByRemote
		if d.maybeClosed || d.dismissOnly {
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
	s.detachChildren(tb.session)
	t.tabs = removeFrom(t.tabs, tb)
	s.forgetUsed(tb, used)
	delete(t.adopted, tb.id)
	delete(t.opened, tb.id)
	delete(t.startURLs, tb.id)
	t.dirty = true
	s.do(Notify{Task: t.ID, Kind: NotifyTargetGone, Target: view})
	s.continueRemoval(t)
}

// targetCrashed handles a crashed renderer. Chromium replies to none of its pending commands. A navigation on the same
// session revives the tab.
func (s *State) targetCrashed(e TargetCrashed) {
	if tb := s.tabOf(e.Target); tb != nil {
		s.tabCrashed(tb)
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
		s.tabCrashed(ss.tab)
		return
	}
	s.failCommands(ss.id)
	s.frameCrashed(ss)
	s.do(Interrupt{Task: ss.task.ID, Page: ss.tab.id, Session: ss.id, Reason: InterruptCrashed})
}

func (s *State) tabCrashed(tb *tab) {
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

func (s *State) useTab(e UseTab) {
	tb := s.tabOf(e.Target)
	if tb == nil || tb.task.ID != e.Task || tb.info.Subtype != "" {
		s.counters.EventsIgnored++
		return
	}
	tb.task.use(tb)
}

// use makes a tab the one in use and remembers the previous one, which may become it again. Popups are never put to use
// automatically, so the first tab stays in use until another is selected.
func (t *task) use(tb *tab) {
	if last := t.inUse(); last != nil && !slices.Contains(t.used, last.id) {
		t.used = append(t.used, last.id)
	}
	t.used = append(removeFrom(t.used, tb.id), tb.id)
	t.dirty = true
}

// inUse is the tab that was selected last and is still there, else the first one that is not a prerendered page; nil if
// there is none.
func (t *task) inUse() *tab {
	if len(t.used) > 0 {
		for _, tb := range t.tabs {
			if tb.id == t.used[len(t.used)-1] {
				return tb
			}
		}
	}
	for _, tb := range t.tabs {
		if tb.info.Subtype == "" {
			return tb
		}
	}
	return nil
}

// forgetUsed forgets a tab that is gone. If it was in use, its opener takes its place, else the tab that was in use
// before.
func (s *State) forgetUsed(tb *tab, was bool) {
	t := tb.task
	t.used = removeFrom(t.used, tb.id)
	if opener := s.tabOf(tb.info.OpenerID); was && opener != nil && opener.task == t && opener.info.Subtype == "" {
		t.use(opener)
	}
}
