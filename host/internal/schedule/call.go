package schedule

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// CallID names a call. The caller chooses it, above zero; those below are of calls that the schedule makes itself.
type CallID int64

// OpID names an operation: a caller's request that takes several calls, one after the other. Zero is none.
type OpID int64

// Step is what a call has to do with the turn of its operation.
type Step int

// The steps of a turn.
const (
	NoTurn     Step = iota
	TakesTurn       // a fence: its reply gives the operation the turn
	FencedOff       // it may wait for a promise: the fence that is sent behind it tells when its script is over
	ReturnTurn      // that fence
)

// Call is a command that somebody waits for, without what it says: that is the sender's.
type Call struct {
	ID   CallID
	Op   OpID
	Task string
	Tab  target.ID // whose page it is for; empty: the tab in use

	At        *supervise.Place // of an operation's call: exactly this place, instead of a tab; not changed any more
	Agent     target.SessionID // the agent's own session there; empty: the supervisor's
	OnBrowser bool             // it is sent on the browser's own session, and waits as one of its place does

	Turn     Step
	Begins   bool // once it is sent, something may have been done: a dialog then blocks the operation, and does not end it
	Input    bool // it may run the page's handlers, on other main threads than its session's too
	AfterAct bool // its operation has sent input before
	Harmless bool // its script is ours, calls none of the page's and ends at once: it is never terminated
	Commits  bool // a navigation: it ends when the document that its reply names is there
	Revives  bool // it is part of what revives a crashed tab, so it is sent to one

	// Once it is sent:
	page    target.ID
	session target.SessionID
	at      time.Time
	leaves  cdp.LoaderID // the document at the reply, of a navigation that has not committed; see committing
	commits bool
}

// patient tells whether a call waits for the end of a dialog, as its operation may have had an effect.
func (s *State) patient(c Call) bool {
	_, begun := s.begun[c.Op]
	return c.Op != 0 && begun
}
