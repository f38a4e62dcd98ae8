package act

import (
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
)

// Task is a task of package engine with what its readings and actions remember.
type Task struct {
	*engine.Task
	Rules    *Rules
	readings *readings
	lastURL  *lastURL
	blocked  *blockedTabs
}

// NewTask adds readings and actions to a task.
func NewTask(t *engine.Task, r *Rules, last *lastURL) *Task {
	return &Task{Task: t, Rules: r, readings: newReadings(t), lastURL: last, blocked: newBlockedTabs()}
}

// Follow makes a task that has not begun continue the numbering of one with the same id that has ended. dialog is the
// highest dialog number of that one, and ended says how its browser ended.
func (t *Task) Follow(last *Task, dialog int, ended string) {
	tab, call := last.HighestNumbers()
	f := engine.Earlier{Ref: last.readings.refs.Next() - 1, Tab: tab, Call: call, Dialog: dialog, Reading: last.readings.refs.Readings(), Ended: ended}
	t.ContinueNumbering(f)
	t.readings.refs.After(f.Ref, f.Reading)
	t.lastURL.inherit(last.lastURL)
}
