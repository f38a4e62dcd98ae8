package schedule

import (
	"slices"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Running is where the script of a call may still run. It is zero if the script is over.
type Running struct {
	Session target.SessionID
	On      target.SessionID   // the session that it was sent on
	Since   time.Time          // when it was sent
	Paused  []target.SessionID // sessions of the agent whose debugger has paused what the call runs
}

// Running reports whether the script of a call may still run, and on which session.
func (s *State) Running(id CallID) Running {
	c, sent := s.sent[id]
	if !sent || c.Input {
		return Running{}
	}
	found := Running{On: c.session, Since: c.at, Paused: s.pausedSessions(c)}
	if s.hasTurn(c.Op) {
		found.Session = c.session
	}
	return found
}

// pausedSessions lists the agent's sessions in the tab of a call that were paused after it was sent.
func (s *State) pausedSessions(c Call) (list []target.SessionID) {
	if !c.HasEffect || c.NeverTerminated {
		return nil
	}
	for session, since := range s.pausedSince {
		switch task, page := s.browser.AgentPage(session); {
		case task == "":
			delete(s.pausedSince, session)
		case task == c.Task && page == c.page && since.After(c.at):
			list = append(list, session)
		}
	}
	slices.Sort(list)
	return list
}

// paused notes that the debugger of an agent's session has paused.
func (s *State) paused(session target.SessionID) {
	if task, _ := s.browser.AgentPage(session); task != "" {
		s.pausedSince[session] = s.now
	}
}

// BusyCandidates are main threads that a call may be waiting for, each named by a session.
type BusyCandidates struct {
	Sessions []target.SessionID
	Since    time.Time // when the call was sent
}

// BusyCandidates says which main threads of some places a call may be waiting for. Those on which another operation has
// the turn are left out, and there are none while a dialog is open in the tab.
func (s *State) BusyCandidates(id CallID, places []supervise.ScriptTarget) BusyCandidates {
	c, sent := s.sent[id]
	if !sent || s.browser.DisconnectedReason() != "" || s.browser.MustWait(c.Task, c.page) || len(s.browser.BlockingDialogs(c.Task, c.page)) > 0 {
		return BusyCandidates{}
	}
	found := BusyCandidates{Since: c.at}
	seen := map[thread]bool{}
	for _, at := range places {
		on := s.thread(at.Session)
		holder, taken := s.turns[on]
		if seen[on] || taken && holder.op != c.Op || !s.browser.Attached(c.Task, at.Session) {
			continue
		}
		seen[on] = true
		found.Sessions = append(found.Sessions, at.Session)
	}
	return found
}

// TakeTurns takes the turn on the main threads that a call may be waiting for. Their script is about to be terminated,
// and no script of another operation may start there meanwhile.
func (s *State) TakeTurns(id CallID, places []supervise.ScriptTarget) BusyCandidates {
	found := s.BusyCandidates(id, places)
	c := s.sent[id]
	for _, session := range found.Sessions {
		at := places[slices.IndexFunc(places, func(p supervise.ScriptTarget) bool { return p.Session == session })]
		s.turns[s.thread(session)] = turn{c.Op, c.Task, at}
	}
	return found
}

// TerminableSession is the session of a tab on whose main thread script may be terminated. It is empty while a dialog
// is open in the tab or the connection is down, or if a call in another tab runs its script on that thread.
func (s *State) TerminableSession(task string, tab target.ID) target.SessionID {
	page, session, ok := s.browser.Page(task, tab)
	if !ok || s.browser.DisconnectedReason() != "" || s.browser.Crashed(page) || s.browser.MustWait(task, page) || len(s.browser.BlockingDialogs(task, page)) > 0 {
		return ""
	}
	if holder, taken := s.turns[s.thread(session)]; taken && (holder.task != task || holder.at.Page != page) {
		return ""
	}
	return session
}

// BusyWith is what keeps a main thread busy, as far as it is known.
type BusyWith struct {
	Op        OpID      // the operation whose script or input it is
	Page      target.ID // the tab of that operation
	Elsewhere bool      // the operation is another task's
	Siblings  []target.ID
}

// BusyWith finds the operation whose script runs on the main thread of a place, else one whose input may have started
// what runs there. If it is not known which main thread that is, tabs that are assumed to share it count as well.
func (s *State) BusyWith(asks OpID, task string, at supervise.ScriptTarget) BusyWith {
	at.Isolate = s.browser.Isolate(at.Session)
	found := BusyWith{Siblings: s.browser.Siblings(task, at)}
	shares := append([]target.ID{at.Page}, found.Siblings...)
	here := s.thread(at.Session)
	s.eachTurn(func(on thread, holder turn) {
		own := holder.task == task
		switch {
		case holder.op == asks: // it may have had a turn before
		case on == here && !own:
			found.Elsewhere = true
		case on == here, own && at.Isolate == "" && slices.Contains(shares, holder.at.Page):
			found.Op, found.Page = holder.op, holder.at.Page
		}
	})
	s.eachSent(func(c Call) {
		if found.Page != "" || found.Elsewhere || c.Op == 0 || c.Op == asks || !c.AfterAct || s.thread(c.session) != here {
			return
		}
		if found.Elsewhere = c.Task != task; !found.Elsewhere {
			found.Op, found.Page = c.Op, c.page
		}
	})
	return found
}
