package schedule

import (
	"maps"
	"slices"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// thread identifies the main thread of a renderer, or a session if its main thread is not known.
type thread string

// turn is the right of an operation to run script on a main thread.
type turn struct {
	op   OpID
	task string
	at   supervise.ScriptTarget
}

func (s *State) thread(session target.SessionID) thread {
	if isolate := s.browser.Isolate(session); isolate != "" {
		return thread(isolate)
	}
	return thread("session " + string(session))
}

// turnTaken reports whether another operation has the turn that a fence is for.
func (s *State) turnTaken(c Call) bool {
	holder, taken := s.turns[s.thread(c.At.Session)]
	return taken && holder.op != c.Op
}

// fenced gives the turn to an operation whose fence was answered. If another one was faster, the fence is sent again
// later.
func (s *State) fenced(c Call, e Replied) {
	switch {
	case e.Refused:
		s.finish(c, Finish{End: EndReplied})
	case s.turnTaken(c):
		delete(s.sent, c.ID)
		s.held = append(s.held, c)
	default:
		s.turns[s.thread(c.At.Session)] = turn{c.Op, c.Task, *c.At}
		s.finish(c, Finish{End: EndReplied})
	}
}

func (s *State) returnTurn(op OpID) {
	maps.DeleteFunc(s.turns, func(_ thread, holder turn) bool { return holder.op == op })
}

// forgetOp drops what is left of an operation, including a fence that has not been sent.
func (s *State) forgetOp(op OpID) {
	s.returnTurn(op)
	delete(s.begun, op)
	s.held = slices.DeleteFunc(s.held, func(c Call) bool { return c.Turn == ReturnTurn && c.Op == op })
}

func (s *State) hasTurn(op OpID) bool {
	for _, holder := range s.turns {
		if holder.op == op {
			return true
		}
	}
	return false
}

// eachTurn visits the turns, sorted by thread.
func (s *State) eachTurn(visit func(thread, turn)) {
	for _, on := range slices.Sorted(maps.Keys(s.turns)) {
		visit(on, s.turns[on])
	}
}
