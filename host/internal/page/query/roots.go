package query

import (
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// rootOf returns a function that finds the shadow root of an element. Open roots are asked for; closed ones are passed
// in, because only the script that created one can find it. A form control named shadowRoot hides that property of its
// form.
const rootOf = `(closed) => {
	const known = new Map(closed.map(root => [root.host, root]));
	return e => known.get(e) ?? (e.shadowRoot instanceof ShadowRoot ? e.shadowRoot : null);
}`

// skipsContent returns whether an element has text that innerText leaves out because it is not rendered: its style
// skips what is out of view. https://drafts.csswg.org/css-contain-2/#content-visibility
const skipsContent = `(e) => getComputedStyle(e).contentVisibility === "auto" && !e.innerText?.trim() && of(Node, "textContent", e).trim() !== ""`

// closedRoots lists the closed shadow roots of a frame.
func closedRoots(d page.Actor, frame cdproto.FrameID) ([]cdproto.BackendNodeID, error) {
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

// rootNode has the fields of a DOM.Node that are used.
type rootNode struct {
	ID       cdproto.BackendNodeID  `json:"backendNodeId"`
	Type     cdproto.ShadowRootType `json:"shadowRootType"`
	Roots    []*rootNode            `json:"shadowRoots"`
	Children []*rootNode            `json:"children"`
}

// closed collects the closed shadow roots below a node. Documents of frames in it are left out, because frames are
// searched one by one.
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

// inRoots calls a function with the closed shadow roots of a frame and arguments; first without the roots, because
// finding them costs more than all the rest and most pages have none. enough says whether that sufficed.
func inRoots(d page.Actor, frame cdproto.FrameID, function string, args []any, result any, enough func() bool) error {
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

// maxRootTries is how often closed shadow roots are listed again because one was removed before it was used.
const maxRootTries = 3

// withRoots calls a function with the closed shadow roots of a frame.
func withRoots(d page.Actor, frame cdproto.FrameID, use func(roots []cdproto.BackendNodeID) error) error {
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
