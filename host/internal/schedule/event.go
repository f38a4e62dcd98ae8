package schedule

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Event is one thing that happened.
type Event interface{ isEvent() }

// Begin is a call that somebody waits for.
type Begin struct{ Call Call }

// Unsent says that a call could not be sent, as the connection is lost: that is about to be told.
type Unsent struct{ Call CallID }

// Replied is the browser's reply to a call.
type Replied struct {
	Call    CallID
	Refused bool // it did not do what was asked
	// Loader is the document that a navigation is about to show; empty where it stays, or goes on within its document.
	Loader cdp.LoaderID
}

// Abandon says that nobody waits for a call any more.
type Abandon struct{ Call CallID }

// Find asks for the place of a frame. Where the frame is just being replaced, the answer waits for its document.
type Find struct {
	Search SearchID
	Task   string
	Where  supervise.Where
}

// SearchID names a search for a place.
type SearchID int64

// StopFinding says that nobody waits for a search any more.
type StopFinding struct{ Search SearchID }

// TurnOver says that an operation runs no more script for now.
type TurnOver struct{ Op OpID }

// OpOver says that an operation is over.
type OpOver struct{ Op OpID }

// Interrupted ends the calls that the browser will not answer.
type Interrupted struct{ supervise.Interrupt }

// ConnectionLost ends every call that was sent.
type ConnectionLost struct{}

// Paused and Resumed tell of an agent's debugger.
type (
	Paused  struct{ Session target.SessionID }
	Resumed struct{ Session target.SessionID }
)

func (Begin) isEvent()          {}
func (Unsent) isEvent()         {}
func (Replied) isEvent()        {}
func (Abandon) isEvent()        {}
func (Find) isEvent()           {}
func (StopFinding) isEvent()    {}
func (TurnOver) isEvent()       {}
func (OpOver) isEvent()         {}
func (Interrupted) isEvent()    {}
func (ConnectionLost) isEvent() {}
func (Paused) isEvent()         {}
func (Resumed) isEvent()        {}
