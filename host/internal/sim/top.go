package sim

import (
	"slices"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// CanLeave reports whether a tab can be navigated from outside without crashing the browser.
func (b *Browser) CanLeave(t *Tab) bool {
	if t.Closed || t.frozen || t.Poisoned() {
		return false
	}
	for _, s := range b.sessionsShowing(t.Root) {
		if s.waiting {
			return false
		}
	}
	return true
}

// Leave navigates a tab to a new document of a site. Of the sessions below the page, only the end of the first level is
// reported.
func (b *Browser) Leave(t *Tab, site string) {
	crashed := slices.ContainsFunc(t.Frames(), func(f *Frame) bool { return f.crashed })
	if t.native == nil && !t.Crashed && !crashed {
		t.history = append(t.history, document{t.Root.Site, t.Root.URL, t.Root.loader, slices.Clone(t.Root.Children)})
	}
	b.leave(t, site)
}

func (b *Browser) leave(t *Tab, site string) {
	if t.Closed || t.frozen {
		return
	}
	b.abandon(t)
	b.load(t.Root, site)
	b.revive(t)
	b.tellNavigated(t.Root)
	b.emit(supervise.TargetChanged{Info: t.info()})
}

// abandon ends what belongs to the document that a tab leaves.
func (b *Browser) abandon(t *Tab) {
	b.dismissNative(t)
	t.Root.walk(cancelMove)
	for _, page := range b.sessionsShowing(t.Root) {
		for _, s := range b.below(page) {
			if s.parent == page {
				b.end(s)
			}
		}
	}
	t.Root.Children = nil
}

func (b *Browser) revive(t *Tab) {
	t.Crashed = false
	for _, s := range b.sessionsShowing(t.Root) {
		b.failUnanswered(s)
	}
}

func (b *Browser) failUnanswered(s *session) {
	for _, token := range s.unanswered {
		b.reply(token, failure("Target crashed"))
	}
	s.unanswered = nil
}

// Reload loads a tab's document again.
func (b *Browser) Reload(t *Tab) {
	b.dismissNative(t)
	b.dropChildren(t.Root, removal{detachFirst: true, announceLocal: true})
	b.leave(t, t.Root.Site)
}

// Back restores the previous document of a tab from the back/forward cache: its frames have their old ids and new
// sessions, and the sessions are announced before the navigation. It returns false if there is no previous document.
func (b *Browser) Back(t *Tab) bool {
	if len(t.history) == 0 || t.Crashed || t.native != nil {
		return false
	}
	d := t.history[len(t.history)-1]
	t.history = t.history[:len(t.history)-1]
	b.abandon(t)
	t.Root.Site, t.Root.URL, t.Root.loader, t.Root.Children = d.site, d.url, d.loader, d.children
	t.frozen = true
	for _, page := range b.sessionsShowing(t.Root) {
		if page.autoAttach {
			b.attachExisting(page)
		}
	}
	b.soon(func() {
		t.frozen = false
		if t.Closed {
			return
		}
		b.tell(t.Root, func(id target.SessionID) supervise.Event {
			info := t.Root.frameInfo()
			info.Restored = true
			return supervise.FrameNavigated{Session: id, Frame: info}
		})
		b.emit(supervise.TargetChanged{Info: t.info()})
	})
	return true
}

// Crash ends the process of a frame, and with it every frame of its site in the tabs that share the process.
func (b *Browser) Crash(f *Frame) {
	for _, t := range slices.Clone(b.tabs) {
		if t.group == f.Tab.group {
			b.crashIn(t, f.Site)
		}
	}
}

// CanCrash reports whether the browser survives a crash of a frame's process.
func (b *Browser) CanCrash(f *Frame) bool {
	for _, t := range b.tabs {
		if t.group == f.Tab.group && (t.Poisoned() || t.frozen) {
			return false
		}
	}
	return !f.Tab.Crashed && !f.localRoot().crashed
}

func (b *Browser) crashIn(t *Tab, site string) {
	if t.Crashed {
		return
	}
	if t.Root.Site == site {
		b.crashTab(t)
		return
	}
	for _, f := range t.Frames() {
		if f.OOPIF() && f.Site == site && !f.crashed && f.within(t.Root) {
			b.crashFrame(f)
		}
	}
}

func (b *Browser) crashTab(t *Tab) {
	d := t.native
	b.dropChildren(t.Root, removal{})
	if d != nil {
		d.lost = false
		b.closeNative(t, false, "")
	}
	t.Crashed = true
	for _, s := range b.sessionsShowing(t.Root) {
		b.emit(supervise.SessionCrashed{Session: s.id})
	}
	b.emit(supervise.TargetCrashed{Target: t.ID})
}

// crashFrame ends the process of an OOPIF, which stays in the tree with its session.
func (b *Browser) crashFrame(f *Frame) {
	b.Abort(f)
	b.dropChildren(f, removal{})
	f.crashed = true
	if d := f.Tab.native; d != nil && d.frame == f {
		d.crashed = true
	}
	for _, s := range b.sessionsShowing(f) {
		told := b.emit(supervise.SessionCrashed{Session: s.id})
		if d := f.Tab.native; d != nil && d.frame == f {
			d.crashing = told
		}
	}
	b.settleLoss(f.Tab)
	b.unblocked()
}
