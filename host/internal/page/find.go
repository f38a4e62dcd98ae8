package page

import (
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
)

// frameTimeout is how long a frame may let the search of the others wait.
const frameTimeout = 1500 * time.Millisecond

// findIn gives the first match below a root, open shadow roots included; the page's own world can not see it at work.
const findIn = `(root, selector) => {
	const visit = root => {
		const hit = root.querySelector(selector);
		if (hit) return hit;
		for (const e of root.querySelectorAll("*")) {
			const below = e.shadowRoot && visit(e.shadowRoot);
			if (below) return below;
		}
		return null;
	};
	return visit(root);
}`

// Find gives the first match of a CSS selector in a frame, or with no frame in all frames of the tab, the top one first.
// Open and closed shadow roots are searched too. Errors: ErrNotFound, ErrSelector, and the driver's. A frame that does not
// answer is left out; only when nothing is found elsewhere it is the error.
func Find(d Actor, selector string, frame cdp.FrameID) (Element, error) {
	frames := []Frame{{ID: frame}}
	if frame == "" {
		frames = d.Frames()
		d = d.Impatient(frameTimeout)
	}
	var silent error
	for _, f := range frames {
		id, err := findInFrame(d, selector, f.ID)
		switch {
		case err == nil && id != 0:
			return Element{f.ID, id}, nil
		case err == nil:
		case frame == "" && d.Unresponsive(err):
			silent = err
		case frame == "" && d.Gone(err):
		default:
			return Element{}, err
		}
	}
	if silent != nil {
		return Element{}, fmt.Errorf("nothing in the frames that answer matches the selector %q: %w", selector, silent)
	}
	return Element{}, fmt.Errorf("%w %q", ErrNotFound, selector)
}

// findInFrame gives the first match in a frame, or 0.
func findInFrame(d Actor, selector string, frame cdp.FrameID) (cdp.BackendNodeID, error) {
	var hit cdp.BackendNodeID
	err := d.Run(frame, 0, "(selector) => ("+findIn+")(document, selector)", []any{selector}, &hit)
	if err != nil {
		return 0, selectorError(d, selector, frame, err)
	}
	if hit != 0 {
		return hit, nil
	}
	roots, err := closedRoots(d, frame)
	if err != nil {
		return 0, err
	}
	for _, root := range roots {
		if err := d.Run(frame, root, findIn, []any{selector}, &hit); err != nil || hit != 0 {
			return hit, err
		}
	}
	return 0, nil
}

// selectorError says whether it was the selector that made a search fail.
func selectorError(d Actor, selector string, frame cdp.FrameID, err error) error {
	if d.Context().Err() != nil || d.Unresponsive(err) || d.Gone(err) {
		return err
	}
	valid := true
	asked := d.Run(frame, 0, `(s) => { try { new DocumentFragment().querySelector(s); return true } catch { return false } }`, []any{selector}, &valid)
	if asked == nil && !valid {
		return fmt.Errorf("%w: %q", ErrSelector, selector)
	}
	return err
}

// closedRoots lists the closed shadow roots of a frame, which no script but their own can find.
func closedRoots(d Actor, frame cdp.FrameID) ([]cdp.BackendNodeID, error) {
	var document cdp.BackendNodeID
	if err := d.Run(frame, 0, "() => document.documentElement", nil, &document); err != nil || document == 0 {
		return nil, err
	}
	var described dom.DescribeNodeResult
	all, pierce := int64(-1), true
	params := &dom.DescribeNodeParams{BackendNodeID: document, Depth: &all, Pierce: &pierce}
	if err := d.Read(frame, dom.CommandDescribeNode, params, &described); err != nil {
		return nil, err
	}
	return closedBelow(described.Node, nil), nil
}

// closedBelow collects the closed shadow roots below a node. Documents of frames in it are left out: they have their turn.
func closedBelow(n *cdp.Node, into []cdp.BackendNodeID) []cdp.BackendNodeID {
	if n == nil {
		return into
	}
	for _, root := range n.ShadowRoots {
		if root.ShadowRootType == cdp.ShadowRootTypeClosed {
			into = append(into, root.BackendNodeID)
		}
		if root.ShadowRootType != cdp.ShadowRootTypeUserAgent {
			into = closedBelow(root, into)
		}
	}
	for _, child := range n.Children {
		into = closedBelow(child, into)
	}
	return into
}
