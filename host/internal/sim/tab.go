package sim

import (
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Tab is a page target.
type Tab struct {
	ID      target.ID
	Context cdproto.BrowserContextID
	Opener  *Frame
	Root    *Frame
	Crashed bool
	Closed  bool
	// Private says that nobody asked to supervise this tab: the Page domain must never be enabled on it.
	Private bool

	group   int // tabs that can script each other share their processes
	native  *dialog
	history []document
	frozen  bool // a restored document is about to be announced
	waiting bool // a client detached from it without resuming it
	// unanswered: a navigation that was to free it got no reply, as it asked whether to leave.
	unanswered bool
}

// Frame is one node of a tab's frame tree.
type Frame struct {
	ID       cdproto.FrameID
	Tab      *Tab
	Parent   *Frame
	Children []*Frame
	Site     string // frames of one site share a process within a group of tabs
	URL      string
	// Sandboxed says that its element has a sandbox attribute that forbids dialogs.
	Sandboxed bool

	loader  cdproto.LoaderID
	crashed bool
	moving  *move
}

// move is a navigation of a frame into another process, whose session was announced.
type move struct {
	site     string
	sessions []*session
	task     *task
	commit   func()
}

// document is what the back/forward cache keeps.
type document struct {
	site, url string
	loader    cdproto.LoaderID
	children  []*Frame
}

// Tabs returns the open tabs, oldest first.
func (b *Browser) Tabs() []*Tab { return b.tabs }

// Tab finds an open tab.
func (b *Browser) Tab(id target.ID) *Tab {
	for _, t := range b.tabs {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// Frames returns the frames of the tab, parents before children.
func (t *Tab) Frames() []*Frame {
	var list []*Frame
	t.Root.walk(func(f *Frame) { list = append(list, f) })
	return list
}

func (f *Frame) walk(visit func(*Frame)) {
	visit(f)
	for _, c := range slices.Clone(f.Children) {
		c.walk(visit)
	}
}

// OOPIF reports whether the frame runs in another process than its parent.
func (f *Frame) OOPIF() bool { return f.Parent != nil && f.Site != f.Parent.Site }

// InOOPIF reports whether the frame runs in another process than the tab's page session shows.
func (f *Frame) InOOPIF() bool { return f.localRoot() != f.Tab.Root }

// localRoot returns the topmost frame that is connected to this one within its process: a session shows a local root.
func (f *Frame) localRoot() *Frame {
	for f.Parent != nil && !f.OOPIF() {
		f = f.Parent
	}
	return f
}

func (f *Frame) within(top *Frame) bool {
	for ; f != nil; f = f.Parent {
		if f == top {
			return true
		}
	}
	return false
}

// OpenTab opens a tab that waits for the debugger, as for a user or a popup. The opener may be nil.
func (b *Browser) OpenTab(context cdproto.BrowserContextID, opener *Frame) *Tab {
	t := b.makeTab(context, opener)
	if opener != nil {
		t.Private = opener.Tab.Private
	}
	b.attachNew(t, true, "")
	return t
}

// OpenTabBefore adds a tab that existed before the connection.
func (b *Browser) OpenTabBefore() *Tab {
	t := b.makeTab("", nil)
	b.attachNew(t, false, t.Root.URL)
	return t
}

func (b *Browser) makeTab(context cdproto.BrowserContextID, opener *Frame) *Tab {
	t := &Tab{ID: target.ID(b.newID("tab")), Context: context, Opener: opener}
	t.group = b.ids["tab"]
	site := "blank"
	if opener != nil {
		t.group, site, t.Context = opener.Tab.group, opener.Site, opener.Tab.Context
	}
	t.Root = &Frame{ID: cdproto.FrameID(t.ID), Tab: t}
	b.load(t.Root, site)
	b.tabs = append(b.tabs, t)
	b.emit(supervise.TargetChanged{Info: t.info()})
	return t
}

// load returns a frame a new document.
func (b *Browser) load(f *Frame, site string) {
	f.Site, f.crashed = site, false
	f.URL = "https://" + site + "/" + b.newID("page")
	if site == blankSite {
		f.URL = "about:" + site + "#" + b.newID("page")
	}
	f.loader = cdproto.LoaderID(b.newID("loader"))
}

func (t *Tab) info() target.Info {
	info := target.Info{TargetID: t.ID, Type: "page", URL: t.Root.URL, BrowserContextID: t.Context}
	if t.Opener != nil {
		info.OpenerID, info.OpenerFrameID, info.CanAccessOpener = t.Opener.Tab.ID, t.Opener.ID, true
	}
	return info
}

// attachNew attaches to a new tab, if the client has asked for that on its connection.
func (b *Browser) attachNew(t *Tab, waiting bool, url string) {
	if b.line == lineUp {
		b.attachTab(t, waiting, url)
	}
}

func (b *Browser) attachTab(t *Tab, waiting bool, url string) {
	s := &session{id: b.sessionID(), kind: "page", tab: t, root: t.Root, waiting: waiting}
	b.sessions = append(b.sessions, s)
	info := t.info()
	info.URL = url
	b.emit(supervise.Attached{Session: s.id, Info: info, Waiting: waiting})
}

// Close closes a tab as a user does.
func (b *Browser) Close(t *Tab) {
	b.dropChildren(t.Root, removal{announceLocal: true})
	b.dismissNative(t)
	t.Closed = true
	undecided := b.documentsIn(t)
	b.tabs = slices.DeleteFunc(b.tabs, func(other *Tab) bool { return other == t })
	for _, s := range b.sessionsShowing(t.Root) {
		b.end(s)
	}
	b.emit(supervise.TargetDestroyed{Target: t.ID})
	for _, d := range undecided {
		b.passOn(d, true)
	}
	b.settleLoss(t)
}

// frameInfo returns the frame as in the browser's replies.
func (f *Frame) frameInfo() supervise.FrameInfo {
	info := supervise.FrameInfo{ID: f.ID, Loader: f.loader, URL: f.URL, Origin: "https://" + f.Site}
	if f.Parent != nil {
		info.Parent = f.Parent.ID
	}
	return info
}
