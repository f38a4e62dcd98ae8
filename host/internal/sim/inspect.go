package sim

import (
	"cmp"
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// Node is a frame as a client must know it.
type Node struct {
	ID, Parent cdproto.FrameID
	URL        string
	OOPIF      bool
	Session    target.SessionID
	Crashed    bool // its process crashed: its URL is known only if it was reported before
}

// Tree returns the frames of a tab, each with the client's session for it, sorted by id.
func (b *Browser) Tree(t *Tab) []Node {
	var list []Node
	for _, f := range t.Frames() {
		n := Node{ID: f.ID, URL: f.URL, OOPIF: f.OOPIF(), Crashed: f.crashed}
		if f.Parent != nil {
			n.Parent = f.Parent.ID
		}
		if n.URL == "" {
			n.URL = "about:blank" // Chromium does not report the initial document of a frame
		}
		for _, s := range b.sessionsShowing(f.localRoot()) {
			n.Session = s.id
		}
		list = append(list, n)
	}
	slices.SortFunc(list, func(x, y Node) int { return cmp.Compare(x.ID, y.ID) })
	return list
}

// Supervised reports whether the client listens to a tab's page.
func (b *Browser) Supervised(t *Tab) bool { return b.pageEnabled(t) }

// WaitingTargets returns the targets that wait for the debugger: sessions that hold one, and tabs that were left
// waiting.
func (b *Browser) WaitingTargets() []string {
	var list []string
	for _, s := range b.sessions {
		if s.waiting {
			list = append(list, string(s.id))
		}
	}
	for _, t := range b.tabs {
		if t.waiting {
			list = append(list, string(t.ID))
		}
	}
	return list
}

// Attached returns the attached sessions.
func (b *Browser) Attached() []target.SessionID {
	var list []target.SessionID
	for _, s := range b.sessions {
		list = append(list, s.id)
	}
	return list
}
