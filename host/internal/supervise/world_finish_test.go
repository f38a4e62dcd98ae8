package supervise_test

import (
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/sim"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// drain lets the browser and the connection come to rest.
func (w *world) drain() {
	w.t.Helper()
	for range 100_000 {
		switch {
		case w.browser.Execute():
		case w.browser.Dead() == "" && w.browser.Later() > 0:
			w.browser.Finish(0)
		case w.deliver():
		case w.answerCallers():
		case w.reconnect():
		default:
			w.settle()
			if !w.browser.Waiting() {
				return
			}
		}
	}
	w.fail("the browser and the state machine never come to rest")
}

// finish ends a schedule: the browser answers everything at once, no agent and no plugin is there any more, and the
// clock runs from timer to timer. What is open closes by its deadline, and every request ends.
func (w *world) finish() {
	w.t.Helper()
	w.draining = w.now
	w.drain()
	w.checkTrees()
	w.waitForEnd()
	w.checkTrees()
	for len(w.tasks) > 0 {
		w.removeTask()
	}
	w.draining = w.now
	w.drain()
	w.waitForEnd()
	for _, token := range w.due() {
		w.now = w.timers[token]
		w.fire(token)
	}
	w.checkEnd()
	w.settle()
	w.checkCallers()
}

// waitForEnd runs the clock until no dialog is open and no request waits.
func (w *world) waitForEnd() {
	w.t.Helper()
	for range 1000 {
		if len(w.opened) == len(w.closed) && !w.requestsWait() && w.browser.Documents() == 0 && !slices.ContainsFunc(w.browser.Tabs(), w.released) {
			return
		}
		due := w.due()
		if len(due) == 0 {
			w.fail("%d dialogs are open, %d navigations paused, requests %v wait, and no timer is armed", len(w.opened)-len(w.closed), w.browser.Documents(), w.requests)
		}
		if at := w.timers[due[0]]; at.After(w.now) {
			w.now = at
		}
		w.fire(due[0])
		w.drain()
	}
	w.fail("after 1000 timers %d dialogs are open, requests: %v", len(w.opened)-len(w.closed), w.requests)
}

// freed reports whether a tab that is shown waits to be supervised again after a lost connection: the navigation that
// was to free it gets no answer if the browser asks whether to leave. The tab waits for as long as that dialog is open.
func (w *world) freed(tab *sim.Tab) bool {
	_, shown := w.findTarget(tab.ID)
	return w.browser.Dead() == "" && tab.Unanswered() && shown && !w.browser.Supervised(tab)
}

// released reports whether the next navigation frees such a tab.
func (w *world) released(tab *sim.Tab) bool { return w.freed(tab) && !w.browser.Held(tab) }

func (w *world) requestsWait() bool {
	for _, replies := range w.requests {
		if replies == 0 {
			return true
		}
	}
	return false
}

// checkTrees compares what the state machine shows of every tab with what the browser has.
func (w *world) checkTrees() {
	w.t.Helper()
	if w.browser.Dead() != "" {
		return
	}
	if waiting := w.browser.WaitingTargets(); len(waiting) > 0 {
		w.fail("%v wait for the debugger forever", waiting)
	}
	for _, tab := range w.browser.Tabs() {
		shown, ok := w.findTarget(tab.ID)
		if ok != w.browser.Supervised(tab) && !w.freed(tab) {
			w.fail("%s: shown %t, supervised %t", tab.ID, ok, w.browser.Supervised(tab))
		}
		// A renderer that a dialog holds does not answer.
		if ok && !tab.Crashed && !w.browser.Held(tab) && !w.freed(tab) && shown.Ready {
			w.compare(tab, shown)
		}
	}
}

func (w *world) compare(tab *sim.Tab, shown supervise.Target) {
	w.t.Helper()
	var have []sim.Node
	for _, f := range shown.Frames {
		have = append(have, sim.Node{ID: f.ID, Parent: f.Parent, URL: f.URL, OOPIF: f.Kind == abi.FrameKindOOPIF, Session: f.Session})
	}
	slices.SortFunc(have, func(x, y sim.Node) int { return strings.Compare(string(x.ID), string(y.ID)) })
	want := w.browser.Tree(tab)
	for i := range min(len(have), len(want)) {
		if want[i].Crashed && have[i].ID == want[i].ID {
			have[i].Crashed, have[i].URL = true, want[i].URL
		}
	}
	if !slices.Equal(have, want) {
		w.fail("the tree of %s differs:\nhave %+v\nwant %+v", tab.ID, have, want)
	}
}

// checkEnd holds the rule that a task which ended leaves nothing behind.
func (w *world) checkEnd() {
	w.t.Helper()
	if w.browser.Dead() == "" {
		if attached := w.browser.Attached(); len(attached) > 0 {
			w.fail("%v are still attached although every task has ended", attached)
		}
	}
	if stops := w.browser.Stops(); w.browser.Dead() == "" && stops > 0 {
		w.fail("%d documents are still stopped although every task has ended", stops)
	}
	if left := w.state.Left(); left != "" {
		w.fail("still held after the end: %s", left)
	}
	for id, d := range w.closed {
		if w.told[id] != 1 {
			w.fail("the plugins were told %d times that %s is closed: %+v", w.told[id], id, d)
		}
	}
}
