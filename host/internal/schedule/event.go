package schedule

import (
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Event is something that happened.
type Event interface{ apply(s *State) }

// Begin is a new call.
type Begin struct{ Call Call }

// Unsent says that a call could not be sent because the connection was lost. The event for that follows.
type Unsent struct{ Call CallID }

// Replied is the browser's reply to a call.
type Replied struct {
	Call    CallID
	Refused bool // the browser returned an error
	// Loader identifies the document that a navigation is about to show; empty if there is none, or if it stays within
	// its document.
	Loader cdproto.LoaderID
}

// Abandon says that the caller no longer waits for a call.
type Abandon struct{ Call CallID }

// Find asks for the place of a frame. If the frame is being replaced, the answer waits for its new document.
type Find struct {
	Search SearchID
	Task   string
	Where  supervise.FrameSelector
}

// SearchID identifies a search for a place.
type SearchID int64

// StopFinding says that the caller no longer waits for a search.
type StopFinding struct{ Search SearchID }

// TurnOver says that an operation runs no more script for now.
type TurnOver struct{ Op OpID }

// OpOver says that an operation is over.
type OpOver struct{ Op OpID }

// Interrupted ends calls that the browser will not answer.
type Interrupted struct{ supervise.Interrupt }

// ConnectionLost ends every call in flight.
type ConnectionLost struct{}

// Paused and Resumed are events of the debugger of an agent's session.
type (
	Paused  struct{ Session target.SessionID }
	Resumed struct{ Session target.SessionID }
)

func (e Begin) apply(s *State)        { s.start(e.Call) }
func (e Unsent) apply(s *State)       { s.unsent(e.Call) }
func (e Replied) apply(s *State)      { s.replied(e) }
func (e Abandon) apply(s *State)      { s.abandon(e.Call) }
func (e Find) apply(s *State)         { s.find(e) }
func (e StopFinding) apply(s *State)  { s.stopFinding(e.Search) }
func (e TurnOver) apply(s *State)     { s.returnTurn(e.Op) }
func (e OpOver) apply(s *State)       { s.forgetOp(e.Op) }
func (e Interrupted) apply(s *State)  { s.interrupt(e) }
func (ConnectionLost) apply(s *State) { s.connectionLost() }
func (e Paused) apply(s *State)       { s.paused(e.Session) }
func (e Resumed) apply(s *State)      { delete(s.pausedSince, e.Session) }
