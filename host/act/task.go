package act

import (
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
)

// Task is a task with what its readings and actions remember.
type Task struct {
	*engine.Task
	Rules    *Rules
	readings *readings
	lastURL  *lastURL
	blocked     blockedTabs
}

func NewTask(t *engine.Task, r *Rules, visited *lastURL) *Task {
	return &Task{Task: t, Rules: r, readings: newReadings(t), lastURL: visited}
}

// Follow makes a task that has not begun go on where one of the same id, which has ended, stopped counting. dialog is the
// highest number of a dialog of that one, and ended how its browser did.
func (t *Task) Follow(last *Task, dialog int, ended string) {
	tab, call := last.Given()
	f := engine.Former{Ref: last.readings.refs.Next() - 1, Tab: tab, Call: call, Dialog: dialog, Reading: last.readings.refs.Readings(), Ended: ended}
	t.GoOn(f)
	t.readings.refs.After(f.Ref, f.Reading)
	t.lastURL.inherit(last.lastURL)
}
