package supervise

import (
	"cmp"
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// The URL and the origin of the initial document of a frame.
const (
	blank  = "about:blank"
	opaque = "null"
)

// frame is one node of the frame tree of a tab. Its session changes when it moves to another process and back. The two
// sessions announce such a move in either order.
type frame struct {
	id        cdproto.FrameID
	tab       *tab
	parentID  cdproto.FrameID // empty for the top frame
	parent    *frame          // nil for the top frame, and while the parent is unknown
	children  []*frame
	session   *session // nil while it moves, or while its own session is being replaced
	url       string
	origin    string
	name      string
	loader    cdproto.LoaderID
	isOOPIF   bool
	judgement judgement
	guessed   bool // known only from the session of a process that it may move to; see [State.adoptFrameSession]

	sandbox sandboxState    // see bridge_sandbox.go
	tries   bucket          // rate limit of the bridge
	chains  []*requestChain // navigations in flight, oldest first; see navigate.go

	lateRewrites int // rewrites in a row of documents without a paused request; see [State.askLate]
}

// newFrame adds a frame with the initial empty document. Chromium reports no URL for that document until it is
// replaced, and no event when a javascript: URL writes into it.
//
// https://html.spec.whatwg.org/multipage/document-sequences.html#creating-a-new-browsing-context
func (s *State) newFrame(tb *tab, id, parentID cdproto.FrameID, ss *session) *frame {
	f := &frame{id: id, tab: tb, session: ss, url: blank, origin: opaque}
	s.frames[id] = f
	if parentID != "" {
		s.setParent(f, parentID)
	}
	for _, orphan := range slices.Clone(tb.orphans) {
		if orphan.parentID == id {
			s.setParent(orphan, id)
		}
	}
	s.treeChanged(tb)
	s.askWaiting(f)
	return f
}

// setParent puts a frame below its parent, or among the orphans of the tab until the parent is known.
func (s *State) setParent(f *frame, parentID cdproto.FrameID) {
	if f.parent != nil && f.parentID == parentID {
		return
	}
	f.clearParent()
	f.parentID = parentID
	if p := s.frames[parentID]; p != nil && p.tab == f.tab {
		f.parent = p
		p.children = append(p.children, f)
	} else {
		f.tab.orphans = append(f.tab.orphans, f)
	}
}

func (f *frame) clearParent() {
	if f.parent != nil {
		f.parent.children = removeFrom(f.parent.children, f)
		f.parent = nil
	} else {
		f.tab.orphans = removeFrom(f.tab.orphans, f)
	}
}

func (s *State) treeChanged(tb *tab) {
	tb.revision++
	tb.task.dirty = true
}

// frameOf returns a frame of the session's tab.
func (s *State) frameOf(ss *session, id cdproto.FrameID) *frame {
	if f := s.frames[id]; f != nil && f.tab == ss.tab {
		return f
	}
	return nil
}

// frameAttached adds a frame, or puts a frame back whose document returned to the process of its parent.
func (s *State) frameAttached(e FrameAttached) {
	ss := s.pageSession(e.Session)
	if ss == nil {
		return
	}
	f := s.frameOf(ss, e.Frame)
	switch {
	case s.hasLeft(ss, e.Parent):
		s.counters.EventsIgnored++
	case f == nil:
		s.newFrame(ss.tab, e.Frame, e.Parent, ss)
	case f != ss.tab.root:
		s.setParent(f, e.Parent)
		f.session, f.isOOPIF, f.guessed = ss, false, false
		s.treeChanged(ss.tab)
	}
}

// frameNavigated sets the document of a frame. The child frames of the previous document are gone with it.
func (s *State) frameNavigated(e FrameNavigated) {
	ss := s.pageSession(e.Session)
	if ss == nil {
		return
	}
	f := s.frameOf(ss, e.Frame.ID)
	switch {
	case e.Frame.ID != ss.frameID() && s.hasLeft(ss, e.Frame.Parent):
		s.counters.EventsIgnored++
		return
	case f == nil && e.Frame.Parent != "":
		f = s.newFrame(ss.tab, e.Frame.ID, e.Frame.Parent, ss)
	case f == nil, f.session != nil && f.session != ss && f.id != ss.frameID():
		// A late event of the process that the frame has left.
		s.counters.EventsIgnored++
		return
	}
	if f.loader != e.Frame.Loader {
		s.committed(f, ss, e.Frame)
		if f.id == ss.frameID() {
			ss.isolate = "" // the new document may be in another process
		}
		s.closeDialogsOfFrame(f, "its frame navigated")
		s.dropDocument(f, e.Frame.Restored)
	} else if e.Frame.Restored {
		s.dropForeignChildren(f, ss) // the tree was requested before this event and already has the loader
	}
	s.loginOver(ss, f.id)
	f.session, f.isOOPIF, f.guessed = ss, ss != ss.tab.session && f.id == ss.frameID(), false
	if f == ss.tab.root {
		s.endSurplus(ss.tab)
		ss.tab.crashed = false
	}
	s.setDocument(f, e.Frame)
	if e.Frame.Restored {
		s.seed(ss)
	}
}

// hasLeft reports whether a session speaks of children of a document that it no longer shows. A process reports the end
// of a document late after its frame has moved out.
func (s *State) hasLeft(ss *session, parent cdproto.FrameID) bool {
	p := s.frameOf(ss, parent)
	return p != nil && p.session != nil && p.session != ss && !p.guessed
}

// dropDocument drops the child frames of the previous document. A document restored from the back/forward cache keeps
// its OOPIFs, whose sessions were announced just before.
func (s *State) dropDocument(f *frame, restored bool) {
	for _, child := range slices.Clone(f.children) {
		if restored && child.isOOPIF && child.session != nil {
			continue
		}
		s.dropFrame(child)
	}
}

func (s *State) setDocument(f *frame, info FrameInfo) {
	if info.Parent != "" {
		s.setParent(f, info.Parent)
	}
	newDocument := f.loader != info.Loader
	f.tab.came(f.id, info.Loader)
	f.url, f.origin, f.name, f.loader = cmp.Or(info.URL, blank), info.Origin, info.Name, info.Loader
	s.inherit(f)
	if newDocument {
		s.readSandbox(f)
	}
	if f == f.tab.root {
		f.tab.info.URL = info.URL
		f.tab.task.origins.note(f.origin)
	}
	s.treeChanged(f.tab)
	if newDocument || f.session != nil && f.session.returning {
		s.checkScheme(f)
	}
	s.askWaiting(f)
}

func (s *State) navigatedWithinDocument(e NavigatedWithinDocument) {
	ss := s.pageSession(e.Session)
	if ss == nil {
		return
	}
	if f := s.frameOf(ss, e.Frame); f != nil && f.session == ss {
		f.url = e.URL
		if f == ss.tab.root {
			ss.tab.info.URL = e.URL
		}
		s.treeChanged(ss.tab)
	}
}

// frameDetached removes a frame, unless it lives on in another process.
func (s *State) frameDetached(e FrameDetached) {
	ss := s.pageSession(e.Session)
	if ss == nil {
		return
	}
	f := s.frameOf(ss, e.Frame)
	switch {
	case f == nil && !e.Swap:
		s.counters.EventsIgnored++
		delete(ss.tab.coming, e.Frame)
		s.closeDialogsOf(ss.tab, e.Frame, "its frame was removed")
		s.closeUnknownDialogsIn(ss.tab, "its frame was removed") // they may be of frames in that one
	case f == nil || f == ss.tab.root:
		s.counters.EventsIgnored++
	case e.Swap && f.session == ss:
		s.moveToOwnProcess(f)
	case e.Swap:
		// Its new session already shows it.
	default:
		s.removeFrameAndSessions(f)
	}
}

// removeFrameAndSessions removes a frame and forgets its session and those of its descendants. They end with the frame,
// but under load Chromium does not always say so: the session of a removed OOPIF was seen to stay attached and to
// answer. Whatever such a session still reports is ignored.
func (s *State) removeFrameAndSessions(f *frame) {
	removed := map[cdproto.FrameID]bool{}
	f.walk(func(each *frame) {
		removed[each.id] = true
		if each.isOOPIF && each.session == nil { // it moved to a process whose session, and frames, have not come yet
			s.closeUnknownDialogsIn(f.tab, "its frame was removed")
		}
	})
	var sessions []*session
	f.tab.session.walk(func(ss *session) {
		if ss != f.tab.session && removed[ss.frameID()] {
			sessions = append(sessions, ss)
		}
	})
	for _, ss := range sessions {
		s.closeUnknownDialogs(ss, "its frame was removed")
	}
	s.removeFrame(f)
	for _, ss := range sessions {
		if s.sessions[ss.id] == ss {
			s.detached(Detached{Session: ss.id})
		}
	}
}

// moveToOwnProcess hands a frame over to the process that it moved to, whose session may not be attached yet. The child
// frames of its old document are gone without an event.
func (s *State) moveToOwnProcess(f *frame) {
	f.session, f.isOOPIF, f.guessed = s.sessionShowing(f), true, false
	s.dropForeignChildren(f, f.session)
	if f.session != nil {
		s.seed(f.session)
	}
	s.treeChanged(f.tab)
}

// sessionShowing finds the newest session of a frame's own target.
func (s *State) sessionShowing(f *frame) *session {
	var newest *session
	f.tab.session.walk(func(ss *session) {
		if ss.tab == f.tab && ss.frameID() == f.id && ss != f.tab.session && (newest == nil || newest.number < ss.number) {
			newest = ss
		}
	})
	return newest
}

// removeFrame removes a frame with all its descendants.
func (s *State) removeFrame(f *frame) {
	s.dropFrame(f)
	s.treeChanged(f.tab)
}

func (s *State) dropFrame(f *frame) {
	s.closeDialogsOfFrame(f, "its frame was removed")
	s.abortNavigations(f.id, f.tab)
	s.dropChildren(f)
	f.clearParent()
	delete(f.tab.coming, f.id)
	delete(s.frames, f.id)
}

func (s *State) dropChildren(f *frame) {
	for _, child := range slices.Clone(f.children) {
		s.dropFrame(child)
	}
}

// walk visits all frames of a tab, parents before children.
func (tb *tab) walk(visit func(*frame)) {
	tb.root.walk(visit)
	for _, orphan := range tb.orphans {
		orphan.walk(visit)
	}
}

// walk visits a frame and all its descendants, parents before children.
func (f *frame) walk(visit func(*frame)) {
	visit(f)
	for _, child := range f.children {
		child.walk(visit)
	}
}
