package supervise

import (
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// connectionLost closes every dialog and ends every request: nothing will be confirmed any more.
func (s *State) connectionLost(e ConnectionLost) {
	s.lost = e.Reason
	if s.lost == "" {
		s.lost = "the connection was closed"
	}
	for _, t := range s.taskOrder {
		for _, d := range slices.Clone(t.open) {
			s.closeDialog(d, abi.ClosedByDisconnected, s.lost)
		}
		s.failTask(t, &TaskError{Task: t.ID, Reason: "the connection to the browser was lost: " + s.lost})
		for _, tb := range t.tabs {
			s.do(Interrupt{Task: t.ID, Page: tb.id, Reason: InterruptGone})
		}
		t.tabs, t.workers, t.dirty = nil, nil, true
		s.do(Notify{Task: t.ID, Kind: NotifyDisconnected, Fault: s.lost})
	}
	for _, token := range sortedKeys(s.timers) {
		s.do(Disarm{Timer: token})
	}
	clear(s.timers)
	clear(s.commands)
	clear(s.inFlight)
	clear(s.asks)
	clear(s.sessions)
	clear(s.frames)
	clear(s.targets)
	s.undecided = nil
	for _, t := range slices.Clone(s.taskOrder) {
		if t.leaving != nil {
			s.endTask(t)
		}
	}
}

// applyLost serves what still can be asked of a connection that is gone.
func (s *State) applyLost(event Event) {
	gone := &TaskError{Reason: "the connection to the browser was lost: " + s.lost}
	switch e := event.(type) {
	case AddTask:
		gone.Task = e.Settings.ID
		s.do(Reply{Request: e.Request, Err: gone})
	case RemoveTask:
		if t := s.tasks[e.Task]; t != nil {
			delete(s.tasks, e.Task)
			s.taskOrder = removeFrom(s.taskOrder, t)
		}
		s.do(Reply{Request: e.Request})
	case Respond:
		s.do(Reply{Request: e.Request, Err: &DialogError{Kind: DialogNone, ID: e.Dialog, Reason: gone.Reason}})
	case DialogVerdict, FramesVerdict:
		s.counters.VerdictsDropped++
	default:
		s.counters.EventsIgnored++
	}
}
