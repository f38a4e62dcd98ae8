package schedule

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Browser is what the schedule has to know of the browser's state. [*supervise.State] implements it.
type Browser interface {
	EndedReason(task string) (reason string)
	DisconnectedReason() (reason string)
	Page(task string, tab target.ID) (target.ID, target.SessionID, bool)
	Crashed(page target.ID) bool
	Document(task string, page target.ID) cdproto.LoaderID
	Attached(task string, session target.SessionID) bool
	BlockingDialogs(task string, page target.ID) []supervise.Dialog
	MustWait(task string, page target.ID) bool
	Isolate(session target.SessionID) string
	Siblings(task string, at supervise.ScriptTarget) []target.ID
	Locate(task string, w supervise.FrameSelector) (supervise.ScriptTarget, supervise.LocateResult)
	AgentPage(session target.SessionID) (task string, page target.ID)
}

// State is everything in flight on one connection. It holds no function, channel or clock, so a copy made by
// [State.Clone] is independent.
type State struct {
	browser Browser
	now     time.Time
	effects []Effect
	fenceID CallID // the id of the latest call of the schedule's own

	sent        map[CallID]Call
	held        []Call // waiting for a page that is busy, or for a turn; oldest first
	blocked     []Call // of operations that were told about dialogs; also in sent or held
	searches    []Find // for places that do not exist yet
	turns       map[thread]turn
	begun       map[OpID]CallID // operations that may have had an effect, with the first call that may have
	pausedSince map[target.SessionID]time.Time
}

// New returns the state of a connection with nothing in flight.
func New(browser Browser) *State {
	return &State{
		browser: browser, sent: map[CallID]Call{}, turns: map[thread]turn{}, begun: map[OpID]CallID{},
		pausedSince: map[target.SessionID]time.Time{},
	}
}

// Clone copies the state for use with a copy of the browser's state.
func (s *State) Clone(browser Browser) *State {
	out := *s
	out.browser, out.effects = browser, slices.Clone(s.effects)
	out.sent, out.turns, out.begun, out.pausedSince = maps.Clone(s.sent), maps.Clone(s.turns), maps.Clone(s.begun), maps.Clone(s.pausedSince)
	out.held, out.blocked, out.searches = slices.Clone(s.held), slices.Clone(s.blocked), slices.Clone(s.searches)
	return &out
}

// Apply applies an event and returns the effects in order.
func (s *State) Apply(now time.Time, event Event) []Effect {
	s.now = now
	event.apply(s)
	return s.take()
}

// Settle continues what the browser's state has made possible since the last time. It is called after each batch of
// events.
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

// Waiting is how many calls are in flight, and how many are waiting to be sent.
func (s *State) Waiting() (sent, held int) { return len(s.sent), len(s.held) }

// Begun reports whether an operation may have had an effect.
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

// eachSent visits the calls in flight, oldest first.
func (s *State) eachSent(visit func(Call)) {
	for _, c := range slices.SortedFunc(maps.Values(s.sent), func(a, b Call) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.ID, b.ID))
	}) {
		visit(c)
	}
}

// String describes what is in flight, for a log or a failed test; "idle" if there is nothing.
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
