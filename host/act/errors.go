package act

import (
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// NotActionableError says why an element cannot be acted on: what covers, hides or disables it, that it is moving, or
// that it is of another kind. It is [fault.ErrNotActionable].
type NotActionableError = page.NotActionableError

// OptionError says that a select has no option with a value or label, and which options it has. It is
// [fault.ErrNotActionable].
type OptionError = page.OptionError

// The values of NotActionableError.Obstacle.
const (
	ObstacleCovered  = page.Covered
	ObstacleBehind   = page.Behind
	ObstacleDisabled = page.Disabled
	ObstacleHidden   = page.Hidden
	ObstacleMoving   = page.Moving
	ObstacleOutside  = page.Outside
	ObstacleDetached = page.Detached
	ObstacleReadOnly = page.ReadOnly
	ObstacleUnfit    = page.Unfit
)

// NotDeliveredError says that input was not delivered to the page, or was delivered to another element, and what is
// known of the cause. It is [fault.ErrNotDelivered].
type NotDeliveredError = page.NotDeliveredError

// WaitError says that an element, or a text, did not appear or disappear in time. It is [fault.ErrTimeout].
type WaitError struct {
	Locator Locator
	State   WaitState
	before  string // the action that waited for it; empty: [Tab.Wait] did
}

// Error says what was awaited.
func (e *WaitError) Error() string {
	switch {
	case e.before != "":
		return fmt.Sprintf("wait_for_hidden(%s) timed out before %s", e.Locator.Selector, e.before)
	case e.Locator.Text != "":
		return fmt.Sprintf("the text %q did not become %s in time", e.Locator.Text, e.State)
	}
	return fmt.Sprintf("the selector %q did not become %s in time", e.Locator.Selector, e.State)
}

// Unwrap returns [fault.ErrTimeout].
func (e *WaitError) Unwrap() error { return fault.ErrTimeout }

// actError turns the errors of package page into those of this package.
func actError(err error) error {
	switch {
	case errors.Is(err, page.ErrNotFound):
		return fmt.Errorf("%w: %w", fault.ErrNoElement, err)
	case errors.Is(err, page.ErrSelector), errors.Is(err, page.ErrKey):
		return fmt.Errorf("%w: %w", fault.ErrBadArguments, err)
	}
	return err
}
