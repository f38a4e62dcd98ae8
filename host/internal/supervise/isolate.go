package supervise

import (
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// Pages of one renderer process share a main thread, which the protocol names by the id of its JavaScript isolate. A page
// that does not answer can not tell it any more, so it is kept from the last time that the page did.

// IsolateKnown is a reply to Runtime.getIsolateId.
type IsolateKnown struct {
	Session target.SessionID
	Isolate string
	Loader  cdp.LoaderID // [State.RootLoader] when the command was sent
}

func (IsolateKnown) isEvent() {}

// isolateKnown keeps the isolate of a session, unless its document was replaced since: the new one may be in another
// process, and the reply may be the old one's.
func (s *State) isolateKnown(e IsolateKnown) {
	ss := s.sessions[e.Session]
	if ss == nil || ss.task == nil {
		s.counters.EventsIgnored++
		return
	}
	if s.RootLoader(e.Session) == e.Loader {
		ss.isolate = e.Isolate
	}
}

// RootLoader is the loader of the document that a session was attached for; empty for a worker.
func (s *State) RootLoader(session target.SessionID) cdp.LoaderID {
	ss := s.sessions[session]
	if ss == nil || ss.tab == nil {
		return ""
	}
	if f := s.frameOf(ss, ss.frameID()); f != nil {
		return f.loader
	}
	return ""
}

// Isolate is the main thread that serves a session; empty where it is not known.
func (s *State) Isolate(session target.SessionID) string {
	if ss := s.sessions[session]; ss != nil {
		return ss.isolate
	}
	return ""
}

// Siblings lists the tabs of a task that share the main thread of a page: as far as it is known, else by a guess.
func (s *State) Siblings(task string, p Place) []target.ID {
	t, tb := s.tasks[task], s.tabOf(p.Page)
	if t == nil || tb == nil {
		return nil
	}
	var list []target.ID
	for _, other := range t.tabs {
		shares := false
		other.session.walk(func(ss *session) { shares = shares || ss.isolate != "" && ss.isolate == p.Isolate })
		if p.Isolate == "" || other.session.isolate == "" {
			shares = shares || s.family(other) == s.family(tb) && sameSite(other.root.url, tb.root.url)
		}
		if other != tb && shares && !slices.Contains(list, other.id) {
			list = append(list, other.id)
		}
	}
	return list
}

// apart tells whether two sessions are known to run on different main threads.
func apart(a, b *session) bool {
	return a != nil && b != nil && a.isolate != "" && b.isolate != "" && a.isolate != b.isolate
}

// together tells whether two sessions are known to run on the same main thread.
func together(a, b *session) bool {
	return a != nil && b != nil && a.isolate != "" && a.isolate == b.isolate
}
