package engine

import (
	"slices"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// If a handler of an action does not return, the caller does not wait until the end of the budget: it is told that the
// action was delivered, and can do something else in the meantime. The operation continues, and no script is terminated
// before its budget has run out.

// delivery is what an operation knows about the input of its action.
type delivery struct {
	action  string      // its name; empty: the operation does no action
	tab     string      // the tab that it is meant for
	arrived func() bool // reports whether input arrived in the tab
	script  bool        // script that is sent from now on is its input
	at      time.Time   // when its first input was sent
	asked   time.Time   // when the command that is still unanswered was sent; zero: there is none
	parked  string      // the call id that its caller was given
}

// Expect announces which action the operation does, in which tab, and how to find out whether its input arrived.
func (op *Operation) Expect(action, tab string, arrived func() bool) {
	op.mu.Lock()
	defer op.mu.Unlock()
	op.delivery.action, op.delivery.tab, op.delivery.arrived = action, tab, arrived
}

// ActsByScript announces that script which runs from now on is the action itself and no longer its preparation: the
// action focuses an element or sets a value by script.
func (op *Operation) ActsByScript() {
	op.mu.Lock()
	defer op.mu.Unlock()
	op.delivery.script = true
}

// noteSent is called by the owner when it has sent a call that may have an effect.
func (op *Operation) noteSent(c *Call) {
	op.mu.Lock()
	defer op.mu.Unlock()
	op.ran = op.ran || !c.NeverTerminated
	if d := &op.delivery; d.action != "" && d.at.IsZero() && (c.Input || d.script) {
		d.at = c.sentAt
	}
}

// trackReply notes that a reply is awaited, until the returned function is called.
func (op *Operation) trackReply() (answered func()) {
	set := func(t time.Time) {
		op.mu.Lock()
		defer op.mu.Unlock()
		op.delivery.asked = t
	}
	set(time.Now())
	return func() { set(time.Time{}) }
}

// busyCheckIn returns how long to wait before checking again whether the page is busy with the input that was delivered
// to it. Zero means that it is busy: it has not answered for a while. A page that answers late is not busy, nor is one
// that is held by a dialog.
func (op *Operation) busyCheckIn(limit time.Duration) time.Duration {
	op.mu.Lock()
	since, asked, tab := op.delivery.at, op.delivery.asked, op.delivery.tab
	op.mu.Unlock()
	s := op.task.Snapshot()
	held := s.Disconnected != "" || slices.ContainsFunc(s.PendingDialogs, func(d view.Dialog) bool { return d.TargetID == tab })
	switch left := limit - time.Since(since); {
	case since.IsZero():
		return max(limit-slowAnswer, limit/2)
	case left > slowAnswer: // the check itself takes that long
		return left - slowAnswer
	case held || asked.IsZero():
		return slowAnswer
	case time.Since(asked) < slowAnswer:
		return slowAnswer - time.Since(asked)
	case len(op.silentFor(op.ctx, slowAnswer, op.answeredSessions())) == 0:
		return slowAnswer // the page answers: the action waits for something slow in it
	}
	return 0
}

// answeredSessions returns the sessions whose main threads have answered the operation.
func (op *Operation) answeredSessions() (list []target.SessionID) {
	for _, at := range op.threads.locations() {
		list = append(list, at.Session)
	}
	return list
}

// leaveBusy parks the operation for its caller, who is told that the page is busy.
func (op *Operation) leaveBusy() error {
	id := op.task.operations.park(op)
	op.mu.Lock()
	defer op.mu.Unlock()
	op.delivery.parked = id
	d := &op.delivery
	return &fault.DeliveredError{Action: d.action, CallID: id, TargetID: d.tab, Busy: time.Since(d.at), Arrived: d.arrived()}
}

// busyCallID is the id under which the operation was parked because its page was busy; empty if it was not.
func (op *Operation) busyCallID() string {
	op.mu.Lock()
	defer op.mu.Unlock()
	return op.delivery.parked
}

// IsDelivered reports whether the operation was parked because its page was busy.
func (op *Operation) IsDelivered() bool { return op.busyCallID() != "" }

// hasInput reports whether the action of the operation has sent input.
func (op *Operation) hasInput() bool {
	op.mu.Lock()
	defer op.mu.Unlock()
	return !op.delivery.at.IsZero()
}

// isFor reports whether the operation does an action in the given tab.
func (op *Operation) isFor(tab string) bool {
	op.mu.Lock()
	defer op.mu.Unlock()
	return op.delivery.tab != "" && op.delivery.tab == tab
}
