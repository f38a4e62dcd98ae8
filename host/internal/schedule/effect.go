package schedule

import (
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Effect is one thing to do.
type Effect interface{ isEffect() }

// Send sends the command of a call. A call whose Turn is [ReturnTurn] is the schedule's own: a fence of its place.
type Send struct {
	Call    Call
	Session target.SessionID // empty: the browser's own
}

// Finish ends a call, once. Nobody waits for the end of the schedule's own ones.
type Finish struct {
	Call CallID
	End  End
	// Reason says more of [EndBrowserGone] and [EndDisconnected].
	Reason string
	// Dialogs are those of [EndBlocked].
	Dialogs []supervise.Dialog
}

// End is how a call ended.
type End int

// The ends of a call.
const (
	EndReplied      End = iota // with what the browser replied
	EndBrowserGone             // the connection is lost for good
	EndDisconnected            // the connection was lost after the call had been sent
	EndNoTab                   // the task has no tab
	EndUnknownTab              // the task has no such tab
	EndTabGone
	EndFrameGone
	EndCrashed
	EndBlocked // by dialogs that wait for an agent
)

// Block tells an operation that dialogs hold its page, and Unblock that none does any more.
type (
	Block struct {
		Op      OpID
		Dialogs []supervise.Dialog
	}
	Unblock struct{ Op OpID }
)

// Found ends a search for a place.
type Found struct {
	Search SearchID
	Where  supervise.Where
	Place  supervise.Place
	How    supervise.Locating // never LocateNotYet
	Gone   string             // instead: why the browser of the task is gone
}

func (Send) isEffect()    {}
func (Finish) isEffect()  {}
func (Block) isEffect()   {}
func (Unblock) isEffect() {}
func (Found) isEffect()   {}
