package schedule

import (
	"cmp"
	"slices"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// start sends a call, unless it could not be answered now.
func (s *State) start(c Call) {
	if reason := s.browser.EndedReason(c.Task); reason != "" {
		s.finish(c, Finish{End: EndBrowserGone, Reason: reason})
		return
	}
	if s.browser.DisconnectedReason() != "" {
		s.held = append(s.held, c) // nothing was sent, so it can wait for the connection
		return
	}
	page, session, end := s.destination(c)
	switch dialogs := s.browser.BlockingDialogs(c.Task, page); {
	case end != EndReplied:
		s.finish(c, Finish{End: end})
	case !c.Revives && s.browser.Crashed(page):
		s.finish(c, Finish{End: EndCrashed}) // there is no reply before a navigation revives the tab
	case len(dialogs) > 0 && s.mayWait(c):
		c.page = page
		s.block(c, dialogs)
		s.held = append(s.held, c)
	case len(dialogs) > 0:
		s.finish(c, Finish{End: EndBlocked, Dialogs: dialogs})
	case s.browser.MustWait(c.Task, page), c.Turn == TakeTurn && s.turnTaken(c):
		s.held = append(s.held, c)
	default:
		c.page, c.session = page, session
		s.send(c)
	}
}

// destination finds the page and the session of a call. The end is EndReplied if there is one.
func (s *State) destination(c Call) (target.ID, target.SessionID, End) {
	if c.At != nil {
		session := cmp.Or(c.Agent, c.At.Session)
		if !s.browser.Attached(c.Task, session) {
			return "", "", EndFrameGone
		}
		if c.OnBrowser {
			session = ""
		}
		return c.At.Page, session, EndReplied
	}
	page, session, ok := s.browser.Page(c.Task, c.Tab)
	switch {
	case ok:
		return page, session, EndReplied
	case c.Tab == "":
		return "", "", EndNoTab
	}
	return "", "", EndUnknownTab
}

func (s *State) send(c Call) {
	c.at = s.now
	s.sent[c.ID] = c
	if c.HasEffect && c.Op != 0 && !s.Begun(c.Op) {
		s.begun[c.Op] = c.ID
	}
	s.do(SendCall{Call: c, Session: c.session})
	if c.Turn == FenceAfter {
		s.fenceID--
		s.start(Call{ID: s.fenceID, Op: c.Op, Task: c.Task, At: c.At, Agent: c.Agent, Turn: ReturnTurn})
	}
}

// unsent undoes the sending of a call.
func (s *State) unsent(id CallID) {
	c, ok := s.sent[id]
	if !ok {
		return
	}
	delete(s.sent, id)
	if s.begun[c.Op] == id {
		delete(s.begun, c.Op)
	}
	if c.Turn != ReturnTurn { // the call before it is sent again, with another fence
		s.held = append(s.held, c)
	}
}

func (s *State) replied(e Replied) {
	c, ok := s.sent[e.Call]
	if !ok {
		return
	}
	switch c.Turn {
	case TakeTurn:
		s.fenced(c, e)
		return
	case ReturnTurn:
		s.returnTurn(c.Op)
	case NoTurn, FenceAfter:
	}
	if document := s.browser.Document(c.Task, c.page); c.Commits && !e.Refused && e.Loader != "" && e.Loader != document {
		c.committing, c.oldDocument = true, document
		s.sent[c.ID] = c
		return
	}
	s.finish(c, Finish{End: EndReplied})
}

// finishCommitted ends the navigations whose document, or one that replaced it, has committed. Chromium replies before
// that, and a command sent right after the reply could still run in the old document.
func (s *State) finishCommitted() {
	s.eachSent(func(c Call) {
		if c.committing && s.browser.Document(c.Task, c.page) != c.oldDocument {
			s.finish(c, Finish{End: EndReplied})
		}
	})
}

func (s *State) finish(c Call, f Finish) {
	delete(s.sent, c.ID)
	f.Call = c.ID
	s.do(f)
}

func (s *State) abandon(id CallID) {
	is := func(c Call) bool { return c.ID == id }
	delete(s.sent, id)
	s.held, s.blocked = slices.DeleteFunc(s.held, is), slices.DeleteFunc(s.blocked, is)
}

// find answers a search at once, or when the frame has its document.
func (s *State) find(f Find) {
	if reason := s.browser.EndedReason(f.Task); reason != "" {
		s.do(Found{Search: f.Search, Where: f.Where, Gone: reason})
		return
	}
	if s.browser.DisconnectedReason() != "" {
		s.searches = append(s.searches, f) // until the connection is back
		return
	}
	place, how := s.browser.Locate(f.Task, f.Where)
	if how == supervise.LocateNotYet {
		s.searches = append(s.searches, f)
		return
	}
	s.do(Found{Search: f.Search, Where: f.Where, Place: place, How: how})
}

func (s *State) stopFinding(id SearchID) {
	s.searches = slices.DeleteFunc(s.searches, func(f Find) bool { return f.Search == id })
}
