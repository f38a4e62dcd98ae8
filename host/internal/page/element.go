package page

import (
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/accessibility"
	cdproto "github.com/chromedp/cdproto/cdp"
)

// Element is an element of a frame. The backend node id is only unique within the frame's process.
type Element struct {
	Frame cdproto.FrameID
	ID    cdproto.BackendNodeID
}

// The errors of finding.
var (
	// ErrNotFound says that no element is as wanted.
	ErrNotFound = errors.New("nothing matches")
	// ErrUnread says that nothing was found because the page did not answer in time.
	ErrUnread = errors.New("the page did not answer")
	// ErrSelector says that a text is not a CSS selector.
	ErrSelector = errors.New("not a CSS selector")
)

// cssPath names an element as a person would in a style sheet.
const cssPath = `(e) => {
	const id = e.id ? "#" + e.id : "";
	const names = typeof e.className === "string" ? e.className.trim().split(/\s+/).filter(n => n).slice(0, 3) : [];
	return (e.localName + id + names.map(n => "." + n).join("")).slice(0, 200);
}`

// Name returns an element's role and name as assistive technology sees them, or else its tag.
func Name(d Actor, n Element) (string, error) {
	role, name, err := RoleAndName(d, n)
	if err != nil || role != "" {
		return Describe(role, name), err
	}
	var path string
	err = d.Run(n.Frame, n.ID, cssPath, nil, &path)
	return Describe("element", path), err
}

// ownWords returns the text of an element that has little of it.
const ownWords = `(e) => { const text = of(Node, "textContent", e); return text.length > 200 ? "" : text.replace(/\s+/g, " ").trim() }`

// NameWithSelector returns the role, the name and the selector of an element; of one that assistive technology ignores,
// its text.
func NameWithSelector(d Actor, n Element) (string, error) {
	role, name, err := RoleAndName(d, n)
	if err != nil {
		return "", err
	}
	if role == "" {
		role = "element"
		if err := d.Run(n.Frame, n.ID, ownWords, nil, &name); err != nil {
			return "", err
		}
	}
	var path string
	if err := d.Run(n.Frame, n.ID, cssPath, nil, &path); err != nil {
		return "", err
	}
	path, _ = Clip(path, MaxDescribed)
	return fmt.Sprintf("%s (selector %s)", Describe(role, name), path), nil
}

// NamedOnceRead is a function that returns the role and the name of an element; an empty list if its document was not
// read yet.
const NamedOnceRead = "e => Object.hasOwn(globalThis, 'hermesWalker') ? hermesWalker.named(e) : []"

// RoleAndName returns the accessible role and name, as readings do; the role is empty if assistive technology ignores
// the element.
func RoleAndName(d Actor, n Element) (role, name string, err error) {
	for _, named := range []string{NamedOnceRead, "e => (" + install + ")().named(e)"} {
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
