package sim

import (
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// pausedDocument is a navigation whose request is paused.
type pausedDocument struct {
	id      fetch.RequestID
	url     string
	frame   *Frame
	site    string
	session *session // nil: the browser's own
	told    uint64
	leaked  bool // its tab was closed while a session had paused it
}

// CanRequest reports whether a frame can begin a navigation that is intercepted.
func (b *Browser) CanRequest(f *Frame) bool {
	can := f.Parent != nil && b.CanNavigate(f) || f.Parent == nil && b.CanLeave(f.Tab) && !f.Tab.Crashed && f.Tab.native == nil
	return can && f.moving == nil && b.intercepting(f) != nil
}

// Request begins a navigation of a frame to a site, with a request that is paused. It replaces one that is in progress.
func (b *Browser) Request(f *Frame, site string) {
	b.documents = slices.DeleteFunc(b.documents, func(d *pausedDocument) bool { return d.frame == f })
	b.pauseDocument(f, site, "")
}

func (b *Browser) pauseDocument(f *Frame, site string, redirected fetch.RequestID) {
	s := b.intercepting(f)
	if s == nil {
		b.proceed(f, site)
		return
	}
	d := &pausedDocument{id: fetch.RequestID(b.newID("request")), url: "https://" + site + "/" + b.newID("asked"), frame: f, site: site, session: s}
	d.told = b.emit(supervise.RequestPaused{
		Session: s.id, Request: d.id, Frame: f.ID, URL: d.url, Method: "GET", Document: true, Redirected: redirected,
	})
	b.documents = append(b.documents, d)
}

// intercepting returns the session that pauses the requests of a frame.
func (b *Browser) intercepting(f *Frame) *session {
	for _, s := range b.sessionsShowing(f.localRoot()) {
		if s.documents {
			return s
		}
	}
	return nil
}

// Document returns the URL of a paused request for a document.
func (b *Browser) Document(id fetch.RequestID) (url string, ok bool) {
	if d := b.document(id); d != nil {
		return d.url, true
	}
	return "", false
}

// Documents returns how many requests for documents are paused.
func (b *Browser) Documents() int {
	b.dropDocuments()
	return len(b.documents)
}

func (b *Browser) document(id fetch.RequestID) *pausedDocument {
	b.dropDocuments()
	for _, d := range b.documents {
		if d.id == id {
			return d
		}
	}
	return nil
}

// dropDocuments forgets the requests whose frame or session is gone.
func (b *Browser) dropDocuments() {
	b.documents = slices.DeleteFunc(b.documents, func(d *pausedDocument) bool {
		t := d.frame.Tab
		if d.session == nil {
			return b.dead != "" || !b.gate
		}
		return b.dead != "" || t.Closed || t.Crashed || !slices.Contains(t.Frames(), d.frame) || !slices.Contains(b.sessions, d.session)
	})
}

// proceed loads the requested document, unless something else happened first.
func (b *Browser) proceed(f *Frame, site string) {
	b.soon(func() {
		switch {
		case f.Tab.Closed || !slices.Contains(f.Tab.Frames(), f):
		case f.Parent != nil && b.CanNavigate(f):
			b.Navigate(f, site, Usual)
		case f.Parent == nil && b.CanLeave(f.Tab) && f.Tab.native == nil:
			b.Leave(f.Tab, site)
		}
	})
}

// endDocument runs a command on a paused request; it returns false if there is no such request.
func (b *Browser) endDocument(c command, id fetch.RequestID) bool {
	d := b.document(id)
	if d == nil {
		return false
	}
	b.documents = slices.DeleteFunc(b.documents, func(other *pausedDocument) bool { return other == d })
	b.reply(c.Token, supervise.CommandReply{})
	switch c.Params.(type) {
	case *fetch.FulfillRequestParams:
		b.pauseDocument(d.frame, d.site, d.id)
	case *fetch.ContinueRequestParams:
		b.passOn(d, false)
	default:
		b.proceed(d.frame, d.site) // it loads an error page
	}
	return true
}

// documentsIn are the requests that are paused in a tab.
func (b *Browser) documentsIn(t *Tab) []*pausedDocument {
	b.dropDocuments()
	return slices.DeleteFunc(slices.Clone(b.documents), func(d *pausedDocument) bool { return d.session == nil || d.frame.Tab != t })
}

// passOn sends a request that has passed the session of its page on, to the browser's session if that one pauses
// requests.
func (b *Browser) passOn(d *pausedDocument, leaked bool) {
	if !b.gate {
		b.proceed(d.frame, d.site)
		return
	}
	at := &pausedDocument{id: fetch.RequestID(b.newID("request")), url: d.url, frame: d.frame, site: d.site, leaked: leaked}
	at.told = b.emit(supervise.RequestPaused{Request: at.id, Frame: d.frame.ID, URL: d.url, Method: "GET", Document: true})
	b.documents = append(b.documents, at)
}

// endAtGate runs a command on a request that the browser's session has paused.
func (b *Browser) endAtGate(c command, id fetch.RequestID) {
	d := b.document(id)
	if d == nil || d.session != nil {
		b.reply(c.Token, failure("Invalid InterceptionId."))
		return
	}
	_, goesOn := c.Params.(*fetch.ContinueRequestParams)
	if goesOn && d.leaked {
		b.violate("the request for %s of a tab that was closed goes on, on which nobody had decided", d.url)
	}
	b.documents = slices.DeleteFunc(b.documents, func(other *pausedDocument) bool { return other == d })
	b.reply(c.Token, supervise.CommandReply{})
	b.proceed(d.frame, d.site)
}

// setGate makes the browser's session pause requests, or continues those that it has paused.
func (b *Browser) setGate(c command, on bool) {
	for _, d := range slices.Clone(b.documents) {
		if d.session == nil && !on {
			b.proceed(d.frame, d.site)
		}
	}
	b.gate = on
	b.dropDocuments()
	b.reply(c.Token, supervise.CommandReply{})
}

// enableFetch replaces the patterns of a session.
func (s *session) enableFetch(p *fetch.EnableParams) {
	s.fetch, s.documents = false, false
	for _, pattern := range p.Patterns {
		switch {
		case pattern.ResourceType != "", pattern.URLPattern == "*":
			s.documents = true
		default:
			s.fetch = true
		}
	}
}

// disableFetch releases everything that is paused on a session.
func (b *Browser) disableFetch(c command, s *session) {
	s.fetch, s.documents = false, false
	b.dropDocuments()
	for _, d := range slices.Clone(b.documents) {
		if d.session != s {
			continue
		}
		if c.told(d.told) {
			b.violate("Fetch.disable on %s released the navigation to %s, on which nobody had decided", s.id, d.url)
		}
		b.documents = slices.DeleteFunc(b.documents, func(other *pausedDocument) bool { return other == d })
		b.proceed(d.frame, d.site)
	}
	b.reply(c.Token, supervise.CommandReply{})
}

// blankSite is the site of empty documents, which load without a request.
const blankSite = "blank"

// startSite returns the site that a navigation from outside loads.
func startSite(address string) string {
	if address == "about:blank" {
		return blankSite
	}
	return "start"
}

// navigateChild empties a frame below the top one.
func (b *Browser) navigateChild(c command, t *Tab, id cdproto.FrameID) {
	for _, f := range t.Frames() {
		if f.ID == id {
			b.reply(c.Token, supervise.CommandReply{})
			b.proceed(f, blankSite)
			return
		}
	}
	b.reply(c.Token, failure("No frame with given id found"))
}
