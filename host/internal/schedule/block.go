package schedule

import (
	"slices"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// block tells an operation that dialogs block the page of its call. It goes on when none does any more.
func (s *State) block(c Call, by []supervise.Dialog) {
	s.do(Block{Op: c.Op, Dialogs: by})
	if !slices.ContainsFunc(s.blocked, func(other Call) bool { return other.ID == c.ID }) {
		s.blocked = append(s.blocked, c)
	}
}

// unblock continues the operations that are no longer blocked.
func (s *State) unblock() {
	s.blocked = slices.DeleteFunc(s.blocked, func(c Call) bool {
		unblocked := len(s.browser.BlockingDialogs(c.Task, c.page)) == 0
		if unblocked {
			s.do(Unblock{Op: c.Op})
		}
		return unblocked
	})
}

// interrupt ends the calls that will not be answered.
func (s *State) interrupt(e Interrupted) {
	s.finishCommitted()
	s.eachSent(func(c Call) {
		switch dialogs := s.browser.BlockingDialogs(e.Task, e.Page); {
		case c.page != e.Page || e.Session != "" && c.session != e.Session:
		case e.Reason == supervise.InterruptDialog && s.mayWait(c):
			s.block(c, dialogs)
		default:
			s.finish(c, s.interruption(c, e, dialogs))
		}
	})
}

func (s *State) interruption(c Call, e Interrupted, dialogs []supervise.Dialog) Finish {
	switch e.Reason {
	case supervise.InterruptCrashed:
		return Finish{End: EndCrashed}
	case supervise.InterruptGone:
		if c.At != nil && c.At.Target != c.At.Page {
			return Finish{End: EndFrameGone}
		}
		return Finish{End: EndTabGone}
	case supervise.InterruptDisconnected:
		if reason := s.browser.EndedReason(e.Task); reason != "" {
			return Finish{End: EndBrowserGone, Reason: reason}
		}
		return Finish{End: EndDisconnected, Reason: s.browser.DisconnectedReason()}
	default:
		return Finish{End: EndBlocked, Dialogs: dialogs}
	}
}

// connectionLost ends all calls in flight. Calls to shared workers, which belong to no tab, are not interrupted
// otherwise.
func (s *State) connectionLost() {
	s.eachSent(func(c Call) {
		reason := s.browser.EndedReason(c.Task)
		if reason != "" {
			s.finish(c, Finish{End: EndBrowserGone, Reason: reason})
			return
		}
		s.finish(c, Finish{End: EndDisconnected, Reason: s.browser.DisconnectedReason()})
	})
}
