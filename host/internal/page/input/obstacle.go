package input

import (
	"errors"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// Obstacle is why an element cannot be acted on.
type Obstacle string

// The obstacles.
const (
	Covered  Obstacle = "covered"        // by another element, which the error names
	Behind   Obstacle = "behind a modal" // dialog, which the error names
	Disabled Obstacle = "disabled"       // or inert
	Hidden   Obstacle = "hidden"         // it takes no space, or its style hides it
	Moving   Obstacle = "moving"         // it was not at rest in time
	Outside  Obstacle = "outside"        // it cannot be scrolled into view
	Detached Obstacle = "detached"       // it is no longer in the document
	ReadOnly Obstacle = "read-only"      // it takes no text
	Unfit    Obstacle = "unfit"          // it is of the wrong kind for the action
)

// NotActionableError says why an element cannot be acted on. It is [fault.ErrNotActionable]. Element and By quote the
// page, escaped.
type NotActionableError struct {
	Obstacle Obstacle
	// Element is the role and the name of the element.
	Element string
	// By is the element that covers it, or why it is hidden, disabled or outside; it may be empty.
	By string
}

// Error says what is in the way, and what to do next.
func (e *NotActionableError) Error() string {
	text := e.Element + " is " + string(e.Obstacle)
	switch e.Obstacle {
	case Covered:
		return text + " by " + e.By + "; close or move that first, or use force"
	case Behind:
		return e.Element + " is behind the modal " + e.By + "; answer or close that first"
	case Hidden:
		return text + e.detail() + "; make it visible first, or use force"
	case Disabled:
		return text + e.detail() + "; first do what enables it, or use force"
	case Moving:
		return text + "; wait until it is at rest, or use force"
	case Outside:
		return text + " the visible part of the page" + e.detail() + " and cannot be scrolled into view"
	case Detached:
		return text + ": the page removed it; read the page again"
	case ReadOnly:
		return text + "; type somewhere else"
	case Unfit:
		return e.Element + " is " + e.By
	}
	return text + e.detail()
}

func (e *NotActionableError) detail() string {
	if e.By == "" {
		return ""
	}
	return " (" + e.By + ")"
}

// Unwrap returns [fault.ErrNotActionable].
func (e *NotActionableError) Unwrap() error { return fault.ErrNotActionable }

// WasReplaced reports whether an error says that an element is no longer in its document.
func WasReplaced(err error) bool {
	var not *NotActionableError
	return errors.Is(err, fault.ErrNoElement) || errors.As(err, &not) && not.Obstacle == Detached
}

// ObstacleOf returns why an element cannot be acted on as it is, or "", and the cause.
func ObstacleOf(d page.Driver, n page.Element) (Obstacle, string, error) {
	var found [2]string
	err := d.Run(n.Frame, n.ID, query.Condition, nil, &found)
	return Obstacle(found[0]), found[1], err
}
