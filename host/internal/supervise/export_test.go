package supervise

import "fmt"

// Coming returns how many frames of all tabs are known to be loading a document.
func (s *State) Coming() (n int) {
	for _, t := range s.taskOrder {
		for _, tb := range t.tabs {
			n += len(tb.coming)
		}
	}
	return n
}

// Check looks for contradictions inside the state that a view does not show.
func (s *State) Check() error {
	for _, t := range s.taskOrder {
		for _, d := range t.open {
			if err := s.checkDialog(d); err != nil {
				return fmt.Errorf("task %s: dialog %s in phase %d: %w", t.ID, d.ID, d.Phase, err)
			}
		}
		for _, tb := range t.tabs {
			if err := s.checkTab(t, tb); err != nil {
				return fmt.Errorf("task %s: tab %s: %w", t.ID, tb.id, err)
			}
		}
		for _, worker := range t.workers {
			if s.sessions[worker.id] != worker {
				return fmt.Errorf("task %s: the worker %s is not attached", t.ID, worker.id)
			}
		}
	}
	for id, f := range s.frames {
		if f.id != id || !f.tab.known() {
			return fmt.Errorf("frame %s belongs to no tab", id)
		}
	}
	for _, ss := range s.sessions {
		for _, h := range ss.stops {
			if err := s.checkStop(h); err != nil {
				return fmt.Errorf("session %s: %w", ss.id, err)
			}
		}
	}
	for _, ss := range s.sessions {
		for _, n := range ss.navigations {
			if _, timed := s.timers[n.timer]; !timed || n.asked != 0 && s.navigateAsks[n.asked] != n {
				return fmt.Errorf("session %s: nothing ends the wait of a navigation", ss.id)
			}
		}
	}
	for token, a := range s.asks {
		if a.dialog != nil && a.dialog.asked != token || a.tab != nil && a.tab.asked != token {
			return fmt.Errorf("ask %d was forgotten by what it is about", token)
		}
	}
	return nil
}

func (s *State) checkDialog(d *dialog) error {
	_, watched := s.timers[d.watchdog]
	_, timed := s.timers[d.answerTimer]
	switch {
	case d.Phase == PhaseClosed:
		return fmt.Errorf("it is listed as open")
	case d.Phase == PhasePending && !watched:
		return fmt.Errorf("no timer ends it")
	case d.Phase == PhaseAnswering && d.maybeClosed && !watched:
		return fmt.Errorf("no timer ends the wait for its tab")
	case d.Phase == PhaseAnswering && !d.maybeClosed && !timed:
		return fmt.Errorf("no timer watches its answer")
	case d.Phase == PhaseAnswering && d.asked != 0:
		return fmt.Errorf("a plugin is still asked")
	case !d.tab.known():
		return fmt.Errorf("its tab is gone")
	}
	return nil
}

func (tb *tab) known() bool {
	for _, other := range tb.task.tabs {
		if other == tb {
			return true
		}
	}
	return false
}

func (s *State) checkTab(t *task, tb *tab) error {
	if tb.task != t || s.sessions[tb.session.id] != tb.session && tb.session.id != "" {
		return fmt.Errorf("its session %s is not attached", tb.session.id)
	}
	var err error
	tb.root.walk(func(f *frame) {
		switch {
		case s.frames[f.id] != f:
			err = fmt.Errorf("frame %s is in the tree but not known", f.id)
		case f.session != nil && s.sessions[f.session.id] != f.session:
			err = fmt.Errorf("frame %s has the session %s, which is gone", f.id, f.session.id)
		case f != tb.root && f.parent == nil:
			err = fmt.Errorf("frame %s has no parent", f.id)
		}
	})
	return err
}

// Awaited are the asks without an outcome.
func (s *State) Awaited() []Token { return s.awaited() }

// Left describes what the state still holds; empty if every task has ended and nothing is left.
func (s *State) Left() string {
	if len(s.taskOrder)+len(s.tasks)+len(s.sessions)+len(s.frames)+len(s.timers)+len(s.asks)+len(s.bridgeAsks)+len(s.navigateAsks)+len(s.undecided) == 0 {
		return ""
	}
	return fmt.Sprintf("%d tasks, %d sessions, %d frames, %d timers, %d asks, %d undecided",
		len(s.tasks), len(s.sessions), len(s.frames), len(s.timers), len(s.asks), len(s.undecided))
}

// checkStop holds the rule that a stopped page is a dialog's, or a timer lets it go on.
func (s *State) checkStop(h *bridgeStop) error {
	_, timed := s.timers[h.timer]
	switch {
	case h.dialog != nil && (h.dialog.stop != h || h.dialog.Phase == PhaseClosed):
		return fmt.Errorf("its hold for %s is left", h.dialog.ID)
	case h.dialog == nil && !timed:
		return fmt.Errorf("a page is held without a timer")
	}
	return nil
}
