package schedule

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Browser is what the rules ask of the browser's state. [*supervise.State] is one.
type Browser interface {
	Lost(task string) (reason string)
	Down() (reason string)
	Page(task string, tab target.ID) (target.ID, target.SessionID, bool)
	Crashed(page target.ID) bool
	Document(task string, page target.ID) cdp.LoaderID
	Attached(task string, session target.SessionID) bool
	Holding(task string, page target.ID) []supervise.Dialog
	Busy(task string, page target.ID) bool
	Isolate(session target.SessionID) string
	Siblings(task string, at supervise.Place) []target.ID
	Locate(task string, w supervise.Where) (supervise.Place, supervise.Locating)
	AgentPage(session target.SessionID) (task string, page target.ID)
}

// State is what is under way on one connection. It is a value: nothing in it is a function, a channel or a clock, and its
// copy by [State.Clone] lives on its own.
type State struct {
	browser Browser
	now     time.Time
	effects []Effect
	fences  CallID // the newest of our own calls

	sent      map[CallID]Call
	held      []Call // for a page that has to be left alone for a moment, or for a turn; oldest first
	blocked   []Call // of operations that were told that dialogs hold them; sent, or held as well
	searches  []Find // for places that are not there yet
	turns     map[thread]turn
	begun     map[OpID]CallID // operations that may have had an effect, with the first call of theirs that may have
	debugging map[target.SessionID]time.Time
}

// New is the state of a connection on which nothing is under way.
func New(browser Browser) *State {
	return &State{
		browser: browser, sent: map[CallID]Call{}, turns: map[thread]turn{}, begun: map[OpID]CallID{},
		debugging: map[target.SessionID]time.Time{},
	}
}

// Clone copies the state for another copy of the browser's.
func (s *State) Clone(browser Browser) *State {
	out := *s
	out.browser, out.effects = browser, slices.Clone(s.effects)
	out.sent, out.turns, out.begun, out.debugging = maps.Clone(s.sent), maps.Clone(s.turns), maps.Clone(s.begun), maps.Clone(s.debugging)
	out.held, out.blocked, out.searches = slices.Clone(s.held), slices.Clone(s.blocked), slices.Clone(s.searches)
	return &out
}

// Apply takes an event and returns what is to be done, in order.
func (s *State) Apply(now time.Time, event Event) []Effect {
	s.now = now
	switch e := event.(type) {
	case Begin:
		s.start(e.Call)
	case Unsent:
		s.unsent(e.Call)
	case Replied:
		s.replied(e)
	case Abandon:
		s.abandon(e.Call)
	case Find:
		s.find(e)
	case StopFinding:
		s.searches = slices.DeleteFunc(s.searches, func(f Find) bool { return f.Search == e.Search })
	case TurnOver:
		s.returnTurn(e.Op)
	case OpOver:
		s.forget(e.Op)
	case Interrupted:
		s.interrupt(e)
	case ConnectionLost:
		s.connectionLost()
	case Paused:
		if task, _ := s.browser.AgentPage(e.Session); task != "" {
			s.debugging[e.Session] = now
		}
	case Resumed:
		delete(s.debugging, e.Session)
	}
	return s.take()
}

// Settle lets go on what the browser's state has made possible since. It is called after each batch of events.
func (s *State) Settle(now time.Time) []Effect {
	s.now = now
	s.finishCommitted()
	searches := s.searches
	s.searches = nil
	for _, f := range searches {
		s.find(f)
	}
	held := s.held
	s.held = nil
	for _, c := range held {
		s.start(c)
	}
	s.unblock()
	return s.take()
}

// Waiting is how many calls were sent, and how many wait to be.
func (s *State) Waiting() (sent, held int) { return len(s.sent), len(s.held) }

// Begun tells whether an operation may have had an effect.
func (s *State) Begun(op OpID) bool {
	_, begun := s.begun[op]
	return begun
}

func (s *State) do(e Effect) { s.effects = append(s.effects, e) }

func (s *State) take() []Effect {
	list := s.effects
	s.effects = nil
	return list
}

// each visits what was sent, oldest first.
func (s *State) each(visit func(Call)) {
	for _, c := range slices.SortedFunc(maps.Values(s.sent), func(a, b Call) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.ID, b.ID))
	}) {
		visit(c)
	}
}

// String is what is under way, for a log or a failed test: "idle" where nothing is.
func (s *State) String() string {
	var text []string
	add := func(what string, n int, list any) {
		if n > 0 {
			text = append(text, fmt.Sprintf("%s: %v", what, list))
		}
	}
	ids := func(calls []Call) (list []CallID) {
		for _, c := range calls {
			list = append(list, c.ID)
		}
		return list
	}
	add("sent", len(s.sent), slices.Sorted(maps.Keys(s.sent)))
	add("held", len(s.held), ids(s.held))
	add("blocked", len(s.blocked), ids(s.blocked))
	add("searches", len(s.searches), len(s.searches))
	add("begun", len(s.begun), slices.Sorted(maps.Keys(s.begun)))
	s.eachTurn(func(on thread, holder turn) {
		text = append(text, fmt.Sprintf("turn on %s: operation %d", on, holder.op))
	})
	if text == nil {
		return "idle"
	}
	return strings.Join(text, "; ")
}
