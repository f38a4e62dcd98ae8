package schedule

import (
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// CallID identifies a call. Callers choose ids above zero; those below are for calls of the schedule's own.
type CallID int64

// OpID identifies an operation: a caller's request that takes several calls, one after the other. Zero means none.
type OpID int64

// Step is a call's part in the turn of its operation.
type Step int

// The steps of a turn.
const (
	NoTurn     Step = iota
	TakeTurn        // a fence whose reply gives the operation the turn
	FenceAfter      // it may wait for a promise; a fence sent right behind it shows when its script is over
	ReturnTurn      // that fence, whose reply returns the turn
)

// Call is a command that a caller waits for. Its method and parameters stay with the sender.
type Call struct {
	ID   CallID
	Op   OpID
	Task string
	Tab  target.ID // the tab it is for; empty: the tab in use

	At        *supervise.ScriptTarget // instead of a tab, for calls of operations: exactly this place; never modified
	Agent     target.SessionID        // the agent's own session there; empty: the supervisor's
	OnBrowser bool                    // it is sent on the browser's own session, but scheduled like a call to At

	Turn            Step
	HasEffect       bool // sending it may have an effect, so a dialog then blocks the operation instead of ending it
	Input           bool // it may run handlers of the page, also on other main threads than its session's
	AfterAct        bool // its operation has sent input before
	NeverTerminated bool // its script is ours, calls nothing of the page and ends at once, so it is never terminated
	Commits         bool // a navigation, which ends when the document named in the reply has committed
	Revives         bool // it is part of reviving a crashed tab, so it is sent to one

	// Set when it is sent:
	page        target.ID
	session     target.SessionID
	at          time.Time
	oldDocument cdproto.LoaderID // the document at the time of the reply, of a navigation that has not committed
	committing  bool
}

// mayWait reports whether a call waits for dialogs to close, because its operation may have had an effect.
func (s *State) mayWait(c Call) bool {
	return c.Op != 0 && s.Begun(c.Op)
}
