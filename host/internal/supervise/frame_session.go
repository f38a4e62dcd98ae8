package supervise

import (
	"cmp"
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"
)

// adoptFrameSession adds the session of a process that a frame is moving to. The session is announced when the
// navigation starts. A known frame keeps its session until its document has moved, because the navigation can still
// fail. An unknown frame is added at once, as a guess: it may still be in the process of its parent, which then says
// so.
func (s *State) adoptFrameSession(ss *session) {
	f := s.frameOf(ss, ss.frameID())
	switch {
	case f == nil:
		f = s.newFrame(ss.tab, ss.frameID(), ss.info.ParentFrameID, ss)
		f.url, f.isOOPIF, f.guessed = cmp.Or(ss.info.URL, blank), true, true
		if !ss.running {
			s.doubt(ss, f)
		}
	case f.session == nil:
		f.session, f.isOOPIF = ss, true
	}
	s.treeChanged(ss.tab)
	s.supervise(ss)
}

// doubt asks the parent's session whether it has an element for a frame that only the frame's own new session has
// announced, and removes the frame if it has none. Under load Chromium leaks frames whose element is removed while they
// move to another process: their session may be announced after their removal, answers, and never ends.
func (s *State) doubt(ss *session, f *frame) {
	parent := ss.parent
	s.sendThen(parent.id, dom.CommandGetFrameOwner, &dom.GetFrameOwnerParams{FrameID: f.id}, WantOwner, func(r CommandReply) {
		switch {
		case r.Err == nil || r.Err.Message != errNoFrame || !s.owns(parent):
		case s.frames[f.id] == f:
			s.removeFrameAndSessions(f)
		case s.frames[f.id] == nil && s.owns(ss): // it went with its parent's document, and its session would bring it back
			s.detached(Detached{Session: ss.id})
		}
	})
}

// errNoFrame is the error of DOM.getFrameOwner for a frame that has no element.
const errNoFrame = "Frame with the given id was not found."

// seed requests the frames that a session shows. Events before the reply are older than it, events after it newer. The
// reply only has frames of the session's own process.
func (s *State) seed(ss *session) {
	s.sendThen(ss.id, cdppage.CommandGetFrameTree, nil, WantFrames, func(r CommandReply) {
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
			// The renderer crashed, and may have been revived before the Page domain was enabled. No event announces
			// its document then.
			s.seed(ss)
		}
	})
}

// owns reports whether a session is still attached and part of a tab.
func (s *State) owns(ss *session) bool { return ss.tab != nil && s.sessions[ss.id] == ss }

// applyFrameTree makes the frames of a session equal to those that the browser reported.
func (s *State) applyFrameTree(ss *session, infos []FrameInfo) {
	present := make(map[cdproto.FrameID]bool, len(infos))
	for _, info := range infos {
		present[info.ID] = true
		s.seedFrame(ss, info)
	}
	for _, f := range s.framesOf(ss) {
		own := s.sessionShowing(f)
		switch {
		case present[f.id], f == ss.tab.root, s.frames[f.id] != f:
		case own != nil && own != ss: // it moved out while the Page domain was disabled, which announces nothing
			s.moveToOwnProcess(f)
		default:
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
		f.isOOPIF = ss != ss.tab.session && f.id == ss.frameID() // the parent's session may have reported it as gone
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

// dropForeignChildren drops the child frames of the document that a frame had in another process than that of the
// session. A nil session stands for one that is not attached yet.
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
	ss.tab.walk(func(f *frame) {
		if f.session == ss {
			list = append(list, f)
		}
	})
	return list
}

// frameSessionGone handles the end of an OOPIF's session. The sessions below it end as well, without events of their
// own. Either the frame returned to its parent's process, or its session is being replaced, or the parent's document is
// gone. The parent's session is asked which, if it is there: the document goes with it.
func (s *State) frameSessionGone(ss *session) {
	s.detachChildren(ss)
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
	if s.owns(ss.parent) {
		s.reconcile(ss.parent, f)
	} else {
		s.removeFrame(f) // the document that it was in has gone with the parent's session
	}
}

// frameCrashed handles the crash of an OOPIF's process. The frame keeps its session and can be navigated; its
// descendants are gone without an event. A dialog of the frame still blocks the tab, and cannot be answered.
func (s *State) frameCrashed(ss *session) {
	f := s.frameOf(ss, ss.frameID())
	if f == nil || f.session != ss {
		return
	}
	for _, h := range slices.Clone(ss.stops) {
		if h.paused.Document && h.dialog == nil {
			s.continueStop(h) // the request outlives the process if another one has begun the navigation
		}
	}
	s.endStops(ss, "its frame's process crashed")
	s.closeUnknownDialogs(ss, "its frame's process crashed")
	s.dropChildren(f)
	s.treeChanged(ss.tab)
	for _, d := range ss.tab.task.openIn(ss.tab) {
		if d.Frame == f.id && d.confirmed == nil && ss.tab.healing == notHealing {
			s.forceDismiss(d, "its frame's process crashed")
		}
	}
}

// reconcile asks the parent's session whether it shows the frame now, and removes the frame if no session does.
func (s *State) reconcile(parent *session, f *frame) {
	s.sendThen(parent.id, cdppage.CommandGetFrameTree, nil, WantFrames, func(r CommandReply) {
		if r.Err == nil && s.owns(parent) {
			s.applyFrameTree(parent, r.Frames)
		}
		if s.frames[f.id] == f && f.session == nil {
			s.removeFrame(f)
		}
	})
}
