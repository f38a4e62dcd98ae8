package act

import (
	"errors"
	"fmt"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
)

// NotActionableError says why an element cannot be acted on: what covers, hides or disables it, that it is moving, or
// that it is of another kind. It is [fault.ErrNotActionable].
type NotActionableError = input.NotActionableError

// OptionError says that a select has no option with a value or label, and which options it has. It is
// [fault.ErrNotActionable].
type OptionError = input.OptionError

// The values of NotActionableError.Obstacle.
const (
	ObstacleCovered  = input.Covered
	ObstacleBehind   = input.Behind
	ObstacleDisabled = input.Disabled
	ObstacleHidden   = input.Hidden
	ObstacleMoving   = input.Moving
	ObstacleOutside  = input.Outside
	ObstacleDetached = input.Detached
	ObstacleReadOnly = input.ReadOnly
	ObstacleUnfit    = input.Unfit
)

// NotDeliveredError says that input was not delivered to the page, or was delivered to another element, and what is
// known of the cause. It is [fault.ErrNotDelivered].
type NotDeliveredError = input.NotDeliveredError

// WaitError says that what was awaited did not come in time: an element or a text in a state, a URL, or an expression.
// It is [fault.ErrTimeout].
type WaitError struct {
	Locator Locator
	State   WaitState
	// URL is the pattern of [Tab.WaitURL], and Expression that of [Tab.WaitTrue].
	URL, Expression string
	// Request says that it was a [Tab.WaitRequest].
	Request bool
	// Load is the state of [Tab.WaitLoad].
	Load WaitUntil
	// Pause is that of [Tab.Pause].
	Pause time.Duration
	// Seen is what was there at the last look, in words that may be the page's.
	Seen   string
	before string // the action that waited for it; empty: a wait of its own
}

// Error says what was awaited, and what was there instead.
func (e *WaitError) Error() string {
	seen := ""
	if e.Seen != "" {
		seen = "; at the last look it was: " + e.Seen
	}
	switch {
	case e.before != "":
		return fmt.Sprintf("wait_for_hidden(%s) timed out before %s", e.Locator.Selector, e.before)
	case e.Pause != 0:
		return fmt.Sprintf("the pause of %v did not end in time", e.Pause)
	case e.Request:
		return "no request that matches ended in time" + seen
	case e.Load != "":
		return fmt.Sprintf("the page did not reach %s in time%s", e.Load, seen)
	case e.URL != "":
		return fmt.Sprintf("the URL did not match %q in time%s", e.URL, seen)
	case e.Expression != "":
		return fmt.Sprintf("the expression did not become true in time%s", seen)
	case e.Locator.Text != "":
		return fmt.Sprintf("the text %q did not become %s in time%s", e.Locator.Text, e.State, seen)
	case e.Locator.Selector != "":
		return fmt.Sprintf("the selector %q did not become %s in time%s", e.Locator.Selector, e.State, seen)
	}
	return fmt.Sprintf("%s did not become %s in time%s", e.Locator, e.State, seen)
}

// Unwrap returns [fault.ErrTimeout].
func (e *WaitError) Unwrap() error { return fault.ErrTimeout }

// actError turns the errors of package page into those of this package.
func actError(err error) error {
	switch {
	case errors.Is(err, page.ErrNotFound):
		return fmt.Errorf("%w: %w", fault.ErrNoElement, err)
	case errors.Is(err, page.ErrSelector), errors.Is(err, input.ErrKey):
		return fmt.Errorf("%w: %w", fault.ErrBadArguments, err)
	}
	return err
}
