package query

import (
	"fmt"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// maxNamed is how many of several elements an error names.
const maxNamed = 5

// FindRole returns the only element that has a role and a name in a reading of the tab, or of one frame of it. The name
// may be shortened, as readings show it; without a name the role is enough. If no element has the name, one without a
// name is found by what it shows, as a link around an article is. It reads the tab until there is such an
// element, and waits as [Find] does. Errors: ErrNotFound, fault.ErrAmbiguousElement, and the driver's.
func FindRole(d Tab, refs *page.Refs, role, name string, frame cdproto.FrameID) (page.Element, error) {
	return awaitFound(d, func() (page.Element, error) { return FindRoleNow(d, refs, role, name, frame) })
}

// FindRoleNow is one search of FindRole.
func FindRoleNow(d Tab, refs *page.Refs, role, name string, frame cdproto.FrameID) (page.Element, error) {
	tree, err := page.Read(d, refs, d.WaitLimit())
	if err != nil {
		return page.Element{}, err
	}
	found := tree.Named(role, name, frame)
	switch len(found) {
	case 0:
		nothing := fmt.Errorf("%w %s", page.ErrNotFound, page.Describe(role, name))
		if tree.Root.Note != "" {
			return page.Element{}, fmt.Errorf("%w: %w", nothing, page.ErrUnread)
		}
		if like := tree.Like(role, name, frame); len(like) > 0 {
			return page.Element{}, fmt.Errorf("%w (there is %s)", nothing, strings.Join(described(d, refs, tree, like), ", "))
		}
		if modal := tree.Modal(); modal != nil {
			return page.Element{}, fmt.Errorf("%w (the modal %s is open, and what is behind it is not read)", nothing, page.Describe(modal.Role, modal.Name))
		}
		return page.Element{}, nothing
	case 1:
		return found[0].Element(d)
	}
	return page.Element{}, fmt.Errorf("%w: %d are a %s: %s; use a ref", fault.ErrAmbiguousElement, len(found), page.Describe(role, name), toldApart(d, refs, tree, found))
}

// toldApart are the refs of the first of some nodes, and where each is.
func toldApart(d Tab, refs *page.Refs, tree *page.Tree, nodes []*page.Node) string {
	var list []string
	for i, where := range tree.Apart(nodes) {
		if i == maxNamed {
			list = append(list, fmt.Sprintf("and %d more", len(nodes)-maxNamed))
			break
		}
		list = append(list, strings.TrimSpace(fmt.Sprintf("@e%d %s", refs.Give(d.Target(), tree, nodes[i]), where)))
	}
	return strings.Join(list, ", ")
}

// described are the roles, the names and the refs of the first of some nodes.
func described(d Tab, refs *page.Refs, tree *page.Tree, nodes []*page.Node) (list []string) {
	for _, n := range nodes[:min(len(nodes), maxNamed)] {
		list = append(list, fmt.Sprintf("%s @e%d", n.Describe(), refs.Give(d.Target(), tree, n)))
	}
	return list
}
