package act

import (
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// ErrNotActionable says that an element is not in a state to be acted on; see [NotActionableError].
var ErrNotActionable = page.ErrNotActionable

// NotActionableError says why an element can not be acted on: what covers it, hides or disables it, or that it moves, or is
// of another kind. It is [ErrNotActionable].
type NotActionableError = page.NotActionableError

// OptionError says that a select has no option of a value or label, and which it has. It is [ErrNotActionable].
type OptionError = page.OptionError

// The values of NotActionableError.Obstacle.
const (
	ObstacleCovered  = page.Covered
	ObstacleDisabled = page.Disabled
	ObstacleHidden   = page.Hidden
	ObstacleMoving   = page.Moving
	ObstacleOutside  = page.Outside
	ObstacleDetached = page.Detached
	ObstacleReadOnly = page.ReadOnly
	ObstacleUnfit    = page.Unfit
)

// ErrNotDelivered says that input did not arrive where it was meant to; see [NotDeliveredError].
var ErrNotDelivered = page.ErrNotDelivered

// NotDeliveredError says that the page did not get an input, or at another element than the one meant, and what is known
// of why. It is [ErrNotDelivered].
type NotDeliveredError = page.NotDeliveredError

// WaitError says that something did not come, or go, in time. It is [fault.ErrTimeout].
type WaitError struct{ text string }

// Error says what was waited for.
func (e *WaitError) Error() string { return e.text }

// Unwrap gives [fault.ErrTimeout].
func (e *WaitError) Unwrap() error { return fault.ErrTimeout }

// actError turns the errors of acting into those of this package.
func actError(err error) error {
	switch {
	case errors.Is(err, page.ErrNotFound):
		return fmt.Errorf("%w: %w", fault.ErrNoElement, err)
	case errors.Is(err, page.ErrSelector), errors.Is(err, page.ErrKey):
		return fmt.Errorf("%w: %w", fault.ErrBadCall, err)
	}
	return err
}
