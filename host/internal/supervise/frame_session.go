package supervise

import (
	"cmp"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// adoptFrameSession takes in the session of a process that a frame moves to, and hangs the frame under its parent at
// once. The session is announced when the navigation starts. A frame that is known stays where it is until its document
// has moved, for the navigation may still come to nothing; one that is not known yet may be where its parent is, too, which
// then says so.
func (s *State) adoptFrameSession(ss *session) {
	f := s.frameOf(ss, ss.frameID())
	switch {
	case f == nil:
		f = s.newFrame(ss.tab, ss.frameID(), ss.info.ParentFrameID, ss)
		f.url, f.isOOPIF, f.guessed = cmp.Or(ss.info.URL, blank), true, true
	case f.session == nil:
		f.session, f.isOOPIF = ss, true
	}
	s.treeChanged(ss.tab)
	s.supervise(ss)
}

// seed asks for the frames that a session has now. Events before the reply are older than it, events after it newer.
// Only frames of the session's own process are in the reply.
func (s *State) seed(ss *session) {
	s.call(ss.id, page.CommandGetFrameTree, nil, WantFrames, func(r CommandReply) {
		s.disarm(&ss.unstickTimer)
		switch {
		case !s.owns(ss):
		case r.Err == nil:
			ss.seeded = true
			if ss == ss.tab.session {
				s.tabAnswered(ss.tab)
			}
			s.applyFrameTree(ss, r.Frames)
			s.closeBridgedOf(ss)
			s.dropUnannounced(ss)
		case r.Err.Message == errSessionGone:
			// It crashed, and may have been revived before the Page domain was enabled: no event tells its document then.
			s.seed(ss)
		}
	})
}

// owns tells whether a session is still attached and part of a tab.
func (s *State) owns(ss *session) bool { return ss.tab != nil && s.sessions[ss.id] == ss }

// seeded makes the frames of a session equal to what the browser said.
func (s *State) applyFrameTree(ss *session, infos []FrameInfo) {
	present := make(map[cdp.FrameID]bool, len(infos))
	for _, info := range infos {
		present[info.ID] = true
		s.seedFrame(ss, info)
	}
	for _, f := range s.framesOf(ss) {
		if !present[f.id] && f != ss.tab.root && s.frames[f.id] == f {
			s.removeFrame(f)
		}
	}
	if ss == ss.tab.session && !ss.tab.ready {
		ss.tab.ready = true
		ss.tab.task.dirty = true
		s.taskReady(ss.tab.task, ss.tab)
	}
}

func (s *State) seedFrame(ss *session, info FrameInfo) {
	f := s.frameOf(ss, info.ID)
	if f == nil {
		f = s.newFrame(ss.tab, info.ID, info.Parent, ss)
		f.isOOPIF = ss != ss.tab.session && f.id == ss.frameID() // its parent's session may have said first that it is gone
	}
	if f.session == nil || f.guessed && f.session != ss {
		f.session, f.isOOPIF, f.guessed = ss, ss != ss.tab.session && f.id == ss.frameID(), false
	}
	if f.session != ss {
		return
	}
	if f.loader != "" && f.loader != info.Loader {
		s.dropForeignChildren(f, ss)
	}
	s.setDocument(f, info)
}

// dropForeignChildren drops what belonged to the document that a frame had in another process than a session's; nil stands
// for a session that is yet to come.
func (s *State) dropForeignChildren(f *frame, ss *session) {
	for _, child := range slices.Clone(f.children) {
		if child.session == nil || child.session != ss && (ss == nil || child.session.parent != ss) {
			s.dropFrame(child)
		}
	}
}

// framesOf returns the frames that a session shows, parents before children.
func (s *State) framesOf(ss *session) []*frame {
	var list []*frame
	collect := func(f *frame) {
		if f.session == ss {
			list = append(list, f)
		}
	}
	ss.tab.root.walk(collect)
	for _, orphan := range ss.tab.orphans {
		orphan.walk(collect)
	}
	return list
}

// frameSessionGone handles the end of an OOPIF's session, and with it of all sessions below, which get no event of their
// own. The frame returned into its parent's process, or its session flaps, or the parent's document has gone: the parent
// is asked.
func (s *State) frameSessionGone(ss *session) {
	for _, below := range slices.Clone(ss.children) {
		s.detached(Detached{Session: below.id})
	}
	if ss.tab == nil {
		return
	}
	s.closeUnknownDialogs(ss, "its frame's process ended")
	f := s.frameOf(ss, ss.frameID())
	for _, shown := range s.framesOf(ss) {
		if shown != f && s.frames[shown.id] == shown {
			s.removeFrame(shown)
		}
	}
	if f == nil || f.session != ss {
		return
	}
	f.session = nil
	for _, child := range slices.Clone(f.children) {
		if child.session == nil || !s.owns(child.session) {
			s.dropFrame(child)
		}
	}
	s.closeDialogsOfFrame(f, "its frame's process ended")
	s.treeChanged(ss.tab)
	if ss.parent != nil && s.owns(ss.parent) {
		s.reconcile(ss.parent, f)
	}
}

// frameCrashed handles the crash of an OOPIF's process. The frame stays with its session and can be navigated; all below
// it is gone without a word. A dialog of the frame itself still holds the tab, and nobody can answer it.
func (s *State) frameCrashed(ss *session) {
	f := s.frameOf(ss, ss.frameID())
	if f == nil || f.session != ss {
		return
	}
	s.endStops(ss, "its frame's process crashed")
	s.closeUnknownDialogs(ss, "its frame's process crashed")
	s.dropChildren(f)
	s.treeChanged(ss.tab)
	for _, d := range ss.tab.task.openIn(ss.tab) {
		if d.Frame == f.id && d.confirmed == nil && !ss.tab.healing {
			s.forceDismiss(d, "its frame's process crashed")
		}
	}
}

// reconcile asks the parent's session whether it has the frame now, and drops the frame if nobody has it.
func (s *State) reconcile(parent *session, f *frame) {
	s.call(parent.id, page.CommandGetFrameTree, nil, WantFrames, func(r CommandReply) {
		if r.Err == nil && s.owns(parent) {
			s.applyFrameTree(parent, r.Frames)
		}
		if s.frames[f.id] == f && f.session == nil {
			s.removeFrame(f)
		}
	})
}
