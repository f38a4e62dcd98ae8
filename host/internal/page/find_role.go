package page

import (
	"fmt"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// maxNamed is how many of several elements an error names.
const maxNamed = 5

// FindRole returns the only element that has a role and a name in a reading of the tab, or of one frame of it. The name
// may be shortened, as readings show it; without a name the role is enough. If no element has the name, one without a
// name is found by what it shows, as a link around an article is. It reads the tab until there is such an
// element, and waits as [Find] does. Errors: ErrNotFound, fault.ErrAmbiguousElement, and the driver's.
func FindRole(d interface {
	Actor
	Reader
}, refs *Refs, role, name string, frame cdproto.FrameID,
) (Element, error) {
	return awaitFound(d, func() (Element, error) { return FindRoleNow(d, refs, role, name, frame) })
}

// FindRoleNow is one search of FindRole.
func FindRoleNow(d interface {
	Actor
	Reader
}, refs *Refs, role, name string, frame cdproto.FrameID,
) (Element, error) {
	wanted := collapseSpace(name)
	tree, err := Read(d, refs, d.WaitLimit())
	if err != nil {
		return Element{}, err
	}
	find := func(is func(*Node) bool) (found []*Node) {
		for _, n := range tree.nodes {
			if n.Role == role && n.Key.Node != 0 && (frame == "" || n.Key.Frame == frame) && is(n) {
				found = append(found, n)
			}
		}
		return found
	}
	found := find(func(n *Node) bool { return wanted == "" || n.isNamed(wanted) })
	if len(found) == 0 {
		found = find(func(n *Node) bool { return n.Name == "" && n.shows(wanted) })
	}
	switch len(found) {
	case 0:
		if tree.Root.Note != "" {
			return Element{}, fmt.Errorf("%w %s: %w", ErrNotFound, Describe(role, name), ErrUnread)
		}
		return Element{}, fmt.Errorf("%w %s", ErrNotFound, Describe(role, name))
	case 1:
		return found[0].element(d)
	}
	var named []string
	for _, n := range found[:min(len(found), maxNamed)] {
		named = append(named, fmt.Sprintf("@e%d", refs.Give(d.Target(), tree, n)))
	}
	return Element{}, fmt.Errorf("%w: %d are a %s, such as %s; use a ref", fault.ErrAmbiguousElement, len(found), Describe(role, name), strings.Join(named, ", "))
}

// element asks for the element of a node.
func (n *Node) element(d Reader) (Element, error) {
	if n.Key.Node < walkedKey {
		return Element{n.Key.Frame, n.Key.Node}, nil
	}
	list, err := describe(d.Context(), d, n.Key.Frame, []cdproto.BackendNodeID{n.Key.Node - walkedKey})
	if err == nil && list[0].ID == 0 {
		err = fmt.Errorf("%w %s any more", ErrNotFound, Describe(n.Role, n.Name))
	}
	if err != nil {
		return Element{}, err
	}
	return Element{n.Key.Frame, list[0].ID}, nil
}

// isNamed reports whether a node has a name, which may be shortened to its beginning and an ellipsis.
func (n *Node) isNamed(wanted string) bool {
	name := collapseSpace(n.Name)
	begin, short := strings.CutSuffix(wanted, "…")
	return name == wanted || short && strings.HasPrefix(name, begin)
}

// shows reports whether a text is all that is below a node, or the name or the value of something there.
func (n *Node) shows(text string) bool {
	all := n.Value
	var within func(*Node) bool
	within = func(n *Node) bool {
		for _, child := range n.Children {
			all += " " + child.Name + " " + child.Value
			if collapseSpace(child.Name) == text || collapseSpace(child.Value) == text || within(child) {
				return true
			}
		}
		return false
	}
	return within(n) || collapseSpace(all) == text
}
