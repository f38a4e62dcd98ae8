package schedule

import (
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Effect is something to do.
type Effect interface{ isEffect() }

// SendCall sends the command of a call. A call whose Turn is [ReturnTurn] is one of the schedule's own: a fence on the
// main thread of its place.
type SendCall struct {
	Call    Call
	Session target.SessionID // empty: the browser's own
}

// Finish ends a call, once. The ends of the schedule's own calls can be ignored.
type Finish struct {
	Call CallID
	End  End
	// Reason explains an [EndBrowserGone] or [EndDisconnected].
	Reason string
	// Dialogs are the dialogs of an [EndBlocked].
	Dialogs []supervise.Dialog
}

// End is how a call ended.
type End int

// The ends of a call.
const (
	EndReplied      End = iota // the browser replied
	EndBrowserGone             // the connection is lost for good
	EndDisconnected            // the connection was lost after the call was sent
	EndNoTab                   // the task has no tab
	EndUnknownTab              // the task has no such tab
	EndTabGone
	EndFrameGone
	EndCrashed
	EndBlocked // by dialogs that wait for an agent
)

// Block tells an operation that dialogs block its page. Unblock tells it that none does any more.
type (
	Block struct {
		Op      OpID
		Dialogs []supervise.Dialog
	}
	Unblock struct{ Op OpID }
)

// Found is the result of a search for a place.
type Found struct {
	Search SearchID
	Where  supervise.FrameSelector
	Place  supervise.ScriptTarget
	How    supervise.LocateResult // never LocateNotYet
	Gone   string                 // if set, there is no result: the browser of the task is gone for this reason
}

func (SendCall) isEffect() {}
func (Finish) isEffect()   {}
func (Block) isEffect()    {}
func (Unblock) isEffect()  {}
func (Found) isEffect()    {}
