package sim

import (
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Order selects one of the orders in which Chromium reports the two sides of a change.
type Order int

// The orders: the usual one, and others that were observed or are allowed. Late differs from Usual only where a frame
// moves home: its session ends last, and meanwhile announces the process of a frame of the document that is gone.
const (
	Usual Order = iota
	Other
	Late
)

// Orders is how many there are.
const Orders = 3

// AddFrame inserts an iframe into a running document. A frame of another site moves to its process after its insertion.
func (b *Browser) AddFrame(parent *Frame, site string, order Order) *Frame {
	f := &Frame{ID: cdproto.FrameID(b.newID("frame")), Tab: parent.Tab, Parent: parent}
	b.load(f, parent.Site)
	f.URL = "" // until its first navigation
	parent.Children = append(parent.Children, f)
	b.tell(parent, func(id target.SessionID) supervise.Event {
		return supervise.FrameAttached{Session: id, Frame: f.ID, Parent: parent.ID}
	})
	b.Navigate(f, site, order)
	return f
}

// CanNavigate reports whether a child frame can be navigated by its parent.
func (b *Browser) CanNavigate(f *Frame) bool {
	return f.Parent != nil && b.Running(f.Parent) && !b.blocked(f)
}

// Navigate navigates a child frame to a new document of a site. Into another process, it takes until the session of
// that process is resumed.
func (b *Browser) Navigate(f *Frame, site string, order Order) {
	b.Abort(f)
	if d := f.Tab.native; d != nil && d.frame == f && d.crashed {
		// The document that opened it is gone.
		b.lose(d)
	}
	if f.crashed {
		for _, s := range b.sessionsShowing(f) {
			b.failUnanswered(s)
		}
	}
	home := f.Parent.Site
	switch {
	case !f.OOPIF() && site != home:
		b.moveOut(f, site, order)
	case f.OOPIF() && site == home:
		b.moveHome(f, order)
	default:
		b.dropChildren(f, removal{detachFirst: true})
		b.load(f, site)
		b.tellNavigated(f)
	}
	b.settleLoss(f.Tab)
}

func (b *Browser) tellNavigated(f *Frame) {
	b.tell(f, func(id target.SessionID) supervise.Event {
		return supervise.FrameNavigated{Session: id, Frame: f.frameInfo()}
	})
	b.tell(f, func(id target.SessionID) supervise.Event { return contextCreated(id, f) })
}

// Abort ends a move that was not committed: the frame stays where it is.
func (b *Browser) Abort(f *Frame) {
	if f.moving == nil {
		return
	}
	m := f.moving
	cancelMove(f)
	for _, s := range m.sessions {
		b.end(s)
	}
}

// cancelMove forgets a move whose sessions end in another way.
func cancelMove(f *Frame) {
	if m := f.moving; m != nil {
		f.moving = nil
		if m.task != nil {
			m.task.canceled = true
		}
	}
}

// moveOut announces the new process on the sessions of the parent, and moves the frame when they are resumed.
func (b *Browser) moveOut(f *Frame, site string, order Order) {
	m := &move{site: site}
	f.moving = m
	commit := func() {
		if f.moving == m && m.task == nil {
			m.task = b.soon(func() { b.commitMove(f, order) })
		}
	}
	m.commit = commit
	for _, parent := range b.sessionsShowing(f.Parent.localRoot()) {
		if parent.autoAttach {
			s := b.attachFrame(parent, f, "", true)
			s.onResume = commit
			m.sessions = append(m.sessions, s)
		}
	}
	if len(m.sessions) == 0 {
		commit()
	}
}

// commitMove moves a frame, or waits while a dialog blocks its old document.
func (b *Browser) commitMove(f *Frame, order Order) {
	if b.blocked(f) {
		f.moving.task = nil
		b.held = append(b.held, f)
		return
	}
	site := f.moving.site
	parent := f.Parent
	b.dropChildren(f, removal{detachFirst: true})
	f.moving = nil
	b.load(f, site)
	for _, s := range b.sessionsShowing(parent.localRoot()) {
		if s.autoAttach {
			b.attachExisting(s) // it may have begun to auto-attach during the move
		}
	}
	swap := func() {
		b.tell(parent, func(id target.SessionID) supervise.Event {
			return supervise.FrameDetached{Session: id, Frame: f.ID, Swap: true}
		})
	}
	if order == Other {
		swap()
		b.tellNavigated(f)
	} else {
		b.tellNavigated(f)
		swap()
	}
	b.settleLoss(f.Tab)
}

// moveHome moves an out-of-process frame back into its parent's process. Only the end of its own session is reported.
func (b *Browser) moveHome(f *Frame, order Order) {
	sessions := b.sessionsShowing(f)
	f.walk(cancelMove)
	f.Children = nil
	end := func() {
		for _, s := range sessions {
			b.end(s)
		}
	}
	if order == Usual {
		end()
	}
	b.load(f, f.Parent.Site)
	b.tell(f, func(id target.SessionID) supervise.Event {
		return supervise.FrameAttached{Session: id, Frame: f.ID, Parent: f.Parent.ID}
	})
	if order == Other {
		end()
	}
	b.tellNavigated(f)
	if order == Late {
		b.announceGone(f, sessions)
		end()
	}
}

// Remove removes a child frame from its parent's document.
func (b *Browser) Remove(f *Frame, order Order) {
	b.remove(f, removal{detachFirst: order == Other, announceLocal: true})
	f.Parent.Children = slices.DeleteFunc(f.Parent.Children, func(c *Frame) bool { return c == f })
	b.settleLoss(f.Tab)
}

// removal is how a removal is reported.
type removal struct {
	detachFirst   bool // detachedFromTarget before frameDetached
	announceLocal bool // frames of the same process get a frameDetached
}

func (b *Browser) dropChildren(f *Frame, how removal) {
	for _, c := range f.Children {
		b.remove(c, how)
	}
	f.Children = nil
}

// remove reports the end of a frame, innermost first.
func (b *Browser) remove(f *Frame, how removal) {
	b.Abort(f)
	if f.OOPIF() {
		b.dropChildren(f, removal{detachFirst: how.detachFirst, announceLocal: how.announceLocal})
	} else {
		b.dropChildren(f, how)
	}
	if d := f.Tab.native; d != nil && d.frame == f {
		b.lose(d)
	}
	if !f.OOPIF() && !how.announceLocal {
		return
	}
	sessions := b.sessionsShowing(f)
	end := func() {
		for _, s := range sessions {
			if f.OOPIF() {
				b.end(s)
			}
		}
	}
	if how.detachFirst {
		end()
	}
	b.tell(f.Parent, func(id target.SessionID) supervise.Event {
		return supervise.FrameDetached{Session: id, Frame: f.ID}
	})
	if !how.detachFirst {
		end()
	}
}

// GoWithin changes the URL of a document without leaving it.
func (b *Browser) GoWithin(f *Frame) {
	f.URL = "https://" + f.Site + "/" + b.newID("page") + "#fragment"
	b.tell(f, func(id target.SessionID) supervise.Event {
		return supervise.NavigatedWithinDocument{Session: id, Frame: f.ID, URL: f.URL}
	})
}

// RepeatDetached emits a late removal of a frame that may be forgotten, or a swap that was already reported.
func (b *Browser) RepeatDetached(t *Tab, frame cdproto.FrameID) {
	for _, f := range t.Frames() {
		if f.ID == frame {
			return
		}
	}
	b.tell(t.Root, func(id target.SessionID) supervise.Event { return supervise.FrameDetached{Session: id, Frame: frame} })
}

// LeakFrame announces the process of a frame that was removed while it moved there, after its removal was reported.
// Chromium does so under load: the session answers, and does not end before that of the parent.
func (b *Browser) LeakFrame(parent *Frame) {
	b.announceGone(parent, b.sessionsShowing(parent.localRoot()))
}

// announceGone announces the process of a frame that is in no document any more.
func (b *Browser) announceGone(parent *Frame, on []*session) {
	f := &Frame{ID: cdproto.FrameID(b.newID("frame")), Tab: parent.Tab, Parent: parent}
	b.load(f, "leaked")
	for _, s := range on {
		if s.autoAttach {
			b.attachFrame(s, f, "", true)
		}
	}
}
