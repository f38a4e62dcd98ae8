package page

import (
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/accessibility"
	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Element is an element of a frame. The backend node id is only unique within the frame's process.
type Element struct {
	Frame cdproto.FrameID
	ID    cdproto.BackendNodeID
}

// The errors of acting.
var (
	// ErrNotFound says that no element is as wanted.
	ErrNotFound = errors.New("nothing matches")
	// ErrUnread says that nothing was found because the page did not answer in time.
	ErrUnread = errors.New("the page did not answer")
	// ErrSelector says that a text is not a CSS selector.
	ErrSelector = errors.New("not a CSS selector")
	// ErrKey says that no key has a name.
	ErrKey = errors.New("unknown key")
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

// cssPath names an element as a person would in a style sheet.
const cssPath = `(e) => {
	const id = e.id ? "#" + e.id : "";
	const names = typeof e.className === "string" ? e.className.trim().split(/\s+/).filter(n => n).slice(0, 3) : [];
	return (e.localName + id + names.map(n => "." + n).join("")).slice(0, 200);
}`

// Name returns an element's role and name as assistive technology sees them, or else its tag.
func Name(d Actor, n Element) (string, error) {
	role, name, err := roleAndName(d, n)
	if err != nil || role != "" {
		return Describe(role, name), err
	}
	var path string
	err = d.Run(n.Frame, n.ID, cssPath, nil, &path)
	return Describe("element", path), err
}

// nameWithSelector returns the role, the name and the selector of an element.
func nameWithSelector(d Actor, n Element) (string, error) {
	role, name, err := roleAndName(d, n)
	if err != nil {
		return "", err
	}
	if role == "" {
		role = "element"
	}
	var path string
	if err := d.Run(n.Frame, n.ID, cssPath, nil, &path); err != nil {
		return "", err
	}
	path, _ = clip(path, maxDescribed)
	return fmt.Sprintf("%s (selector %s)", Describe(role, name), path), nil
}

// roleAndName returns the accessible role and name, as readings do; the role is empty if assistive technology ignores
// the element.
func roleAndName(d Actor, n Element) (role, name string, err error) {
	for _, named := range []string{
		"e => Object.hasOwn(globalThis, 'hermesWalker') ? hermesWalker.named(e) : []", "e => (" + install + ")().named(e)",
	} {
		var found []string
		err := d.Run(n.Frame, n.ID, named, nil, &found)
		switch {
		case err != nil && (d.Gone(err) || d.Context().Err() != nil):
			return "", "", err
		case len(found) == 2:
			return found[0], found[1], nil
		case err != nil || found == nil:
			return roleAndNameInTree(d, n)
		}
	}
	return roleAndNameInTree(d, n)
}

func roleAndNameInTree(d Actor, n Element) (role, name string, err error) {
	var tree struct {
		Nodes []axNode `json:"nodes"`
	}
	alone := false
	params := &accessibility.GetPartialAXTreeParams{BackendNodeID: n.ID, FetchRelatives: &alone}
	if err := d.Read(n.Frame, accessibility.CommandGetPartialAXTree, params, &tree); err != nil {
		return "", "", err
	}
	if len(tree.Nodes) == 0 || tree.Nodes[0].Ignored {
		return "", "", nil
	}
	return tree.Nodes[0].Role.text(), tree.Nodes[0].Name.text(), nil
}
