package page

import (
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
)

// rootOf gives a function that finds the shadow root of an element, for a person sees into all of them: open ones are asked
// for, and the closed ones are handed in, as no script but their own can find them. A form control named shadowRoot hides
// the property of its form.
const rootOf = `(closed) => {
	const known = new Map(closed.map(root => [root.host, root]));
	return e => known.get(e) ?? (e.shadowRoot instanceof ShadowRoot ? e.shadowRoot : null);
}`

// closedRoots lists the closed shadow roots of a frame, which no script but their own can find.
func closedRoots(d Actor, frame cdproto.FrameID) ([]cdproto.BackendNodeID, error) {
	var document cdproto.BackendNodeID
	if err := d.Run(frame, 0, "() => document.documentElement", nil, &document); err != nil || document == 0 {
		return nil, err
	}
	var described struct {
		Node *rootNode `json:"node"`
	}
	all, pierce := int64(-1), true
	params := &dom.DescribeNodeParams{BackendNodeID: document, Depth: &all, Pierce: &pierce}
	if err := d.Read(frame, dom.CommandDescribeNode, params, &described); err != nil {
		return nil, err
	}
	return described.Node.closed(nil), nil
}

// rootNode is what is used of a DOM.Node.
type rootNode struct {
	ID       cdproto.BackendNodeID  `json:"backendNodeId"`
	Type     cdproto.ShadowRootType `json:"shadowRootType"`
	Roots    []*rootNode            `json:"shadowRoots"`
	Children []*rootNode            `json:"children"`
}

// closed collects the closed shadow roots below a node. Documents of frames in it are left out: they have their turn.
func (n *rootNode) closed(into []cdproto.BackendNodeID) []cdproto.BackendNodeID {
	if n == nil {
		return into
	}
	for _, root := range n.Roots {
		if root.Type == cdproto.ShadowRootTypeClosed {
			into = append(into, root.ID)
		}
		if root.Type != cdproto.ShadowRootTypeUserAgent {
			into = root.closed(into)
		}
	}
	for _, child := range n.Children {
		into = child.closed(into)
	}
	return into
}

// inRoots calls a function of the closed shadow roots of a frame, and of arguments, first without the roots: finding them
// costs more than all the rest, and most pages have none. Enough tells whether that did.
func inRoots(d Actor, frame cdproto.FrameID, function string, args []any, result any, enough func() bool) error {
	if err := d.RunOn(frame, nil, function, args, result); err != nil || enough() {
		return err
	}
	return withRoots(d, frame, func(roots []cdproto.BackendNodeID) error {
		if len(roots) == 0 {
			return nil
		}
		return d.RunOn(frame, roots, function, args, result)
	})
}

// maxRootTries is how often shadow roots are looked for anew, as one that was found was removed before it was used.
const maxRootTries = 3

// withRoots calls a function with the closed shadow roots of a frame.
func withRoots(d Actor, frame cdproto.FrameID, use func(roots []cdproto.BackendNodeID) error) error {
	for try := 1; ; try++ {
		roots, err := closedRoots(d, frame)
		if err != nil {
			return err
		}
		if err := use(roots); err == nil || !d.Gone(err) || try == maxRootTries {
			return err
		}
	}
}
