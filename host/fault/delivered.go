package fault

import (
	"fmt"
	"time"
)

// DeliveredError says that an action reached its page, which has been busy since: one of its handlers has not returned.
// Task.Resume waits for the outcome. Task.Stop ends the action, and so does leaving or closing the page. It matches
// [ErrDelivered].
type DeliveredError struct {
	// Action is the name of the action, such as click.
	Action string
	// CallID is the id for Task.Resume and Task.Stop.
	CallID string
	// TargetID is the tab whose page is busy.
	TargetID string
	// Busy is how long the page has been busy.
	Busy time.Duration
	// Arrived says that the input is known to have reached the page. Otherwise it was sent right after the page had
	// answered.
	Arrived bool
}

// Error says what to do next.
func (e *DeliveredError) Error() string {
	how := "was sent to"
	if e.Arrived {
		how = "reached"
	}
	return fmt.Sprintf("%v: the input of the %s %s the page, which has been busy since (%s); the action continues by itself, do not repeat it; call %s will have its result",
		ErrDelivered, e.Action, how, Seconds(e.Busy.Round(100*time.Millisecond)), e.CallID)
}

// Unwrap returns [ErrDelivered].
func (e *DeliveredError) Unwrap() error { return ErrDelivered }
