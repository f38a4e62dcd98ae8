package fault

import (
	"errors"
	"fmt"
	"time"
)

// ErrDelivered says that a page has got an action and has been busy since; see [DeliveredError].
var ErrDelivered = errors.New("delivered")

// DeliveredError says that an action went to its page, which has been busy since: a handler of it has not returned.
// Task.Resume waits for what comes of it, Task.Stop ends it, and so does leaving or closing the page. It is
// [ErrDelivered].
type DeliveredError struct {
	// Action is what was done, such as click.
	Action string
	// CallID is what Task.Resume and Task.Stop take.
	CallID string
	// TargetID is the tab whose page is busy.
	TargetID string
	// Busy is how long it has been.
	Busy time.Duration
	// Arrived says that the page is known to have got the input; else it was sent, right after the page had answered.
	Arrived bool
}

// Error says what to do next.
func (e *DeliveredError) Error() string {
	how := "was sent to"
	if e.Arrived {
		how = "reached"
	}
	return fmt.Sprintf("%v: the input of the %s %s the page, which has been busy since (%s); it goes on by itself, do not repeat it: its result is that of the call %s",
		ErrDelivered, e.Action, how, Seconds(e.Busy.Round(100*time.Millisecond)), e.CallID)
}

// Unwrap gives [ErrDelivered].
func (e *DeliveredError) Unwrap() error { return ErrDelivered }
