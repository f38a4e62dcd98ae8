package schedule

import (
	"slices"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Running is where the script of a call may still run; it is zero where the script is over.
type Running struct {
	Session target.SessionID
	On      target.SessionID   // that it was sent on, wherever it runs
	Since   time.Time          // when it was sent
	Paused  []target.SessionID // of the agent, whose debugger has paused what the call runs
}

// Running tells whether the script of a call may still run, and on which session.
func (s *State) Running(id CallID) Running {
	c, sent := s.sent[id]
	if !sent || c.Input {
		return Running{}
	}
	found := Running{On: c.session, Since: c.at, Paused: s.pausedBy(c)}
	if s.hasTurn(c.Op) {
		found.Session = c.session
	}
	return found
}

// pausedBy are the agent's sessions in the tab of a call that were paused after it had been sent.
func (s *State) pausedBy(c Call) (list []target.SessionID) {
	if !c.Begins || c.Harmless {
		return nil
	}
	for session, since := range s.debugging {
		switch task, page := s.browser.AgentPage(session); {
		case task == "":
			delete(s.debugging, session)
		case task == c.Task && page == c.page && since.After(c.at):
			list = append(list, session)
		}
	}
	slices.Sort(list)
	return list
}

// Suspects are main threads that a call waits for, by a session each.
type Suspects struct {
	Sessions []target.SessionID
	Since    time.Time // when the call was sent
}

// Suspects tells which main threads of some places a call may wait for: none where another operation has its turn there,
// and none while a dialog is open in the tab, whoever is to answer it.
func (s *State) Suspects(id CallID, places []supervise.Place) Suspects {
	c, sent := s.sent[id]
	if !sent || s.browser.Down() != "" || s.browser.Busy(c.Task, c.page) || len(s.browser.Holding(c.Task, c.page)) > 0 {
		return Suspects{}
	}
	found := Suspects{Since: c.at}
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

// Claim takes the turn of those of some main threads that the call of an operation still waits for: they are about to be
// freed, and no script of another operation may begin there meanwhile.
func (s *State) Claim(id CallID, places []supervise.Place) Suspects {
	found := s.Suspects(id, places)
	c := s.sent[id]
	for _, session := range found.Sessions {
		at := places[slices.IndexFunc(places, func(p supervise.Place) bool { return p.Session == session })]
		s.turns[s.thread(session)] = turn{c.Op, c.Task, at}
	}
	return found
}

// ToFree is the session of a tab whose main thread may be freed: empty while a dialog is open in the tab or the connection is
// down, and where a call in another tab, which nobody wants to leave, runs its script there.
func (s *State) ToFree(task string, tab target.ID) target.SessionID {
	page, session, ok := s.browser.Page(task, tab)
	if !ok || s.browser.Down() != "" || s.browser.Crashed(page) || s.browser.Busy(task, page) || len(s.browser.Holding(task, page)) > 0 {
		return ""
	}
	if holder, taken := s.turns[s.thread(session)]; taken && (holder.task != task || holder.at.Page != page) {
		return ""
	}
	return session
}

// Culprit is what keeps a main thread busy, as far as it is known.
type Culprit struct {
	Op        OpID      // whose script or input it is
	Page      target.ID // of that operation
	Elsewhere bool      // it is another task's
	Siblings  []target.ID
}

// Culprit names the tab whose script, sent by us, runs on the main thread of a place; else one whose input may have set off
// what runs there. Siblings are the tabs that share the main thread; where it is not known which thread that is, the calls of
// those that are taken to share it are as good.
func (s *State) Culprit(asks OpID, task string, at supervise.Place) Culprit {
	at.Isolate = s.browser.Isolate(at.Session)
	found := Culprit{Siblings: s.browser.Siblings(task, at)}
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
	s.each(func(c Call) {
		if found.Page != "" || found.Elsewhere || c.Op == 0 || c.Op == asks || !c.AfterAct || s.thread(c.session) != here {
			return
		}
		if found.Elsewhere = c.Task != task; !found.Elsewhere {
			found.Op, found.Page = c.Op, c.page
		}
	})
	return found
}
