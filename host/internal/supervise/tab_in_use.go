package supervise

import (
	"slices"

	"github.com/chromedp/cdproto/target"
)

// UseTab chooses the tab that a task uses where none is named. A tab that the task does not have changes nothing.
type UseTab struct {
	Task   string
	Target target.ID
}

func (UseTab) isEvent() {}

func (s *State) useTab(e UseTab) {
	tb := s.tabOf(e.Target)
	if tb == nil || tb.task.ID != e.Task || tb.info.Subtype != "" {
		s.counters.EventsIgnored++
		return
	}
	tb.task.use(tb)
}

// use makes a tab the one in use, and remembers the one that was: it may follow again. A popup is never used by itself, so
// the first tab stays in use until another is chosen.
func (t *task) use(tb *tab) {
	if last := t.inUse(); last != nil && !slices.Contains(t.used, last.id) {
		t.used = append(t.used, last.id)
	}
	t.used = append(removeFrom(t.used, tb.id), tb.id)
	t.dirty = true
}

// inUse is the tab that was chosen last of those that are there, else the first that is no prerendered document; nil where
// there is none.
func (t *task) inUse() *tab {
	if len(t.used) > 0 {
		for _, tb := range t.tabs {
			if tb.id == t.used[len(t.used)-1] {
				return tb
			}
		}
	}
	for _, tb := range t.tabs {
		if tb.info.Subtype == "" {
			return tb
		}
	}
	return nil
}

// unuse forgets a tab that is gone. Where it was in use its opener follows, else the one that was used before it.
func (s *State) unuse(tb *tab, was bool) {
	t := tb.task
	t.used = removeFrom(t.used, tb.id)
	if opener := s.tabOf(tb.info.OpenerID); was && opener != nil && opener.task == t && opener.info.Subtype == "" {
		t.use(opener)
	}
}
