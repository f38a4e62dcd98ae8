package sim

import (
	"slices"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// session is one attached target.
type session struct {
	id     target.SessionID
	kind   string // as in target.Info
	tab    *Tab   // nil for a worker that tabs share
	root   *Frame // the local root that it shows; nil for a worker
	worker target.ID
	parent *session // the one that announced it; nil: the browser's own

	waiting     bool // for the debugger
	resumed     bool
	pageEnabled bool
	everEnabled bool
	autoAttach  bool
	unanswered  []supervise.Token // commands to its main thread that a blocked or crashed renderer has not answered
	onResume    func()
	bridging
}

func (b *Browser) sessionID() target.SessionID { return target.SessionID(b.newID("session")) }

func (b *Browser) session(id target.SessionID) *session {
	for _, s := range b.sessions {
		if s.id == id {
			return s
		}
	}
	return nil
}

// sessionsShowing returns the sessions of a local root, except those of a process that the frame is still moving to.
func (b *Browser) sessionsShowing(f *Frame) []*session {
	var list []*session
	for _, s := range b.sessions {
		if s.root == f && (f.moving == nil || !slices.Contains(f.moving.sessions, s)) {
			list = append(list, s)
		}
	}
	return list
}

// tell emits an event on every session with the Page domain that shows a frame's process.
func (b *Browser) tell(f *Frame, event func(target.SessionID) supervise.Event) {
	for _, s := range b.sessionsShowing(f.localRoot()) {
		if s.pageEnabled {
			b.emit(event(s.id))
		}
	}
}

func (b *Browser) below(s *session) []*session {
	var list []*session
	for _, other := range b.sessions {
		for up := other.parent; up != nil; up = up.parent {
			if up == s {
				list = append(list, other)
				break
			}
		}
	}
	return list
}

// end ends a session, and silently all below it.
func (b *Browser) end(s *session) {
	gone := append([]*session{s}, b.below(s)...)
	b.sessions = slices.DeleteFunc(b.sessions, func(other *session) bool { return slices.Contains(gone, other) })
	ids := make([]target.SessionID, len(gone))
	for i, g := range gone {
		ids[i] = g.id
	}
	b.emit(supervise.Detached{Session: s.id}, ids...)
}

// release resumes what waits for a session's debugger, as Chromium does when the session ends.
func (s *session) release() {
	s.waiting = false
	if s.onResume != nil {
		s.onResume()
		s.onResume = nil
	}
}

// attachFrame announces the process of an out-of-process frame on a session of its parent.
func (b *Browser) attachFrame(parent *session, f *Frame, url string, waiting bool) *session {
	s := &session{id: b.sessionID(), kind: "iframe", tab: f.Tab, root: f, parent: parent, waiting: waiting}
	b.sessions = append(b.sessions, s)
	b.emit(supervise.Attached{Parent: parent.id, Session: s.id, Waiting: waiting, Info: target.Info{
		TargetID: target.ID(f.ID), Type: "iframe", URL: url, ParentFrameID: f.Parent.ID, BrowserContextID: f.Tab.Context,
	}})
	return s
}

// attachExisting announces the out-of-process children of a session that begins to auto-attach.
func (b *Browser) attachExisting(s *session) {
	if s.root == nil {
		return
	}
	s.root.walk(func(f *Frame) {
		if f == s.root || f.Parent.localRoot() != s.root {
			return
		}
		known := slices.ContainsFunc(b.sessions, func(other *session) bool { return other.parent == s && other.root == f })
		if f.OOPIF() && !known {
			b.attachFrame(s, f, f.URL, false)
		}
	})
}

// StartWorker starts a dedicated worker of a frame, or a shared worker if the frame is nil.
func (b *Browser) StartWorker(f *Frame) {
	id := target.ID(b.newID("worker"))
	if f == nil && b.line != lineUp {
		return
	}
	if f == nil {
		s := &session{id: b.sessionID(), kind: "shared_worker", worker: id, waiting: true}
		b.sessions = append(b.sessions, s)
		b.emit(supervise.Attached{Session: s.id, Waiting: true, Info: target.Info{TargetID: id, Type: s.kind}})
		return
	}
	for _, parent := range b.sessionsShowing(f.localRoot()) {
		if !parent.autoAttach {
			continue
		}
		s := &session{id: b.sessionID(), kind: "worker", tab: f.Tab, worker: id, parent: parent, waiting: true}
		b.sessions = append(b.sessions, s)
		b.emit(supervise.Attached{Parent: parent.id, Session: s.id, Waiting: true, Info: target.Info{TargetID: id, Type: "worker", ParentFrameID: f.ID}})
	}
}

// StopWorker ends the oldest worker, if there is one.
func (b *Browser) StopWorker() {
	for _, s := range b.sessions {
		if s.worker != "" {
			b.end(s)
			return
		}
	}
}

// Log writes to the console of a frame.
func (b *Browser) Log(f *Frame, text string) {
	for _, s := range b.sessionsShowing(f.localRoot()) {
		if s.pageEnabled {
			b.emit(supervise.ConsoleMessage{Session: s.id, Entry: supervise.ConsoleEntry{Type: "log", Text: text}})
		}
	}
}

// Answer queues the reply to a command that a caller of the client sent to a session, if its main thread can answer;
// the empty session is the browser's own. It reports whether it did.
func (b *Browser) Answer(on target.SessionID, reply supervise.Event) bool {
	if b.dead != "" || b.line != lineUp {
		return false
	}
	if on == "" {
		b.emit(reply)
		return true
	}
	s := b.session(on)
	if s == nil || s.waiting || s.tab != nil && s.tab.Crashed || s.root != nil && (s.root.crashed || b.blocked(s.root)) {
		return false
	}
	b.emit(reply)
	return true
}
