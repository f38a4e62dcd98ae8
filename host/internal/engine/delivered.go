package engine

import (
	"slices"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// An action whose handler does not return is not waited for until the end of its budget: its caller is told that it was
// delivered, and can do something else meanwhile. The operation goes on, and nothing is ended before its budget is over.

// delivery is what an operation knows of the input of its action.
type delivery struct {
	action string      // what it is called; empty: the operation does none
	tab    string      // whose page it is for
	has    func() bool // tells whether input arrived in it
	script bool        // its input is script from now on
	at     time.Time   // when its first input was sent
	asked  time.Time   // when the command was sent that has no answer yet; zero: there is none
	parked string      // the id that its caller was given
}

// Expect says which action the operation does, in which tab, and how to learn that its input arrived.
func (op *Operation) Expect(action, tab string, arrived func() bool) {
	op.mu.Lock()
	defer op.mu.Unlock()
	op.delivery.action, op.delivery.tab, op.delivery.has = action, tab, arrived
}

// ActsByScript says that script that runs from now on is what the action does, and no longer what leads to it: an element
// gets the focus, or a value, by script.
func (op *Operation) ActsByScript() {
	op.mu.Lock()
	defer op.mu.Unlock()
	op.delivery.script = true
}

// noteSent is called by the link when it has sent a call that may have an effect.
func (op *Operation) noteSent(c *Call) {
	op.mu.Lock()
	defer op.mu.Unlock()
	op.ran = op.ran || !c.Harmless
	if d := &op.delivery; d.action != "" && d.at.IsZero() && (c.Input || d.script) {
		d.at = c.sentAt
	}
}

// awaiting notes that an answer is waited for, until the function that it gives is called.
func (op *Operation) awaiting() (answered func()) {
	set := func(t time.Time) {
		op.mu.Lock()
		defer op.mu.Unlock()
		op.delivery.asked = t
	}
	set(time.Now())
	return func() { set(time.Time{}) }
}

// overdue tells in how long to look again whether the page is busy with what was delivered to it; 0: it is, as it has not
// answered for a while. A page that answers, if late, is not, nor is one that a dialog holds.
func (op *Operation) overdue(limit time.Duration) time.Duration {
	op.mu.Lock()
	since, asked, tab := op.delivery.at, op.delivery.asked, op.delivery.tab
	op.mu.Unlock()
	s := op.task.Snapshot()
	held := s.Disconnected != "" || slices.ContainsFunc(s.PendingDialogs, func(d view.Dialog) bool { return d.TargetID == tab })
	switch left := limit - time.Since(since); {
	case since.IsZero():
		return max(limit-sluggish, limit/2)
	case left > sluggish: // which is what asking takes
		return left - sluggish
	case held || asked.IsZero():
		return sluggish
	case time.Since(asked) < sluggish:
		return sluggish - time.Since(asked)
	case len(op.silentFor(op.ctx, sluggish, op.answeredSessions())) == 0: // it waits for something of the page's that takes time
		return sluggish
	}
	return 0
}

// answeredSessions are the sessions whose main threads answered the operation.
func (op *Operation) answeredSessions() (list []target.SessionID) {
	for _, at := range op.threads.locations() {
		list = append(list, at.Session)
	}
	return list
}

// leaveBusy keeps the operation for its caller, who is told that the page is busy.
func (op *Operation) leaveBusy() error {
	id := op.task.operations.park(op)
	op.mu.Lock()
	defer op.mu.Unlock()
	op.delivery.parked = id
	d := &op.delivery
	return &fault.DeliveredError{Action: d.action, CallID: id, TargetID: d.tab, Busy: time.Since(d.at), Arrived: d.has()}
}

// leftBusy is the id under which the operation was left to a busy page; empty where it was not.
func (op *Operation) leftBusy() string {
	op.mu.Lock()
	defer op.mu.Unlock()
	return op.delivery.parked
}

// IsDelivered tells whether the operation was left to a busy page.
func (op *Operation) IsDelivered() bool { return op.leftBusy() != "" }

// hasInput tells whether the action that the operation does has sent input.
func (op *Operation) hasInput() bool {
	op.mu.Lock()
	defer op.mu.Unlock()
	return !op.delivery.at.IsZero()
}

// isFor tells whether the operation does an action in a tab.
func (op *Operation) isFor(tab string) bool {
	op.mu.Lock()
	defer op.mu.Unlock()
	return op.delivery.tab != "" && op.delivery.tab == tab
}
