package page

import (
	"cmp"
	"fmt"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"
)

// level is a frame on the path from the top frame to an element.
type level struct {
	frame      Frame
	owner      Element // the element of the parent that shows it; zero for the top frame
	content    quad    // of the owner, in the viewport of the parent's session
	toParent   affine  // from the frame's own viewport to that of its parent's session
	ownSession bool    // the frame's session is not that of its parent
}

// framePath is the path from the top frame to a frame, both included. The DOM domain's coordinates are relative to the
// outermost frame of a session, those of the Input domain to the top frame.
func framePath(d Driver, frame cdproto.FrameID) ([]level, error) {
	frames, top := byID(d.Frames()), cdproto.FrameID(d.Target())
	frame = cmp.Or(frame, top)
	var path []level
	for id := frame; ; {
		f, ok := frames[id]
		if !ok || len(path) > len(frames) {
			return nil, fmt.Errorf("the frame %s of the element is no longer in the tab", frame)
		}
		path = append([]level{{frame: f, toParent: identity}}, path...)
		if id == top {
			break
		}
		id = f.Parent
	}
	for i := 1; i < len(path); i++ {
		if err := path[i].findOwner(d, path[i-1].frame); err != nil {
			return nil, err
		}
	}
	return path, nil
}

// contentSize is the size of an element's content box before transforms.
const contentSize = `(e) => {
	const style = getComputedStyle(e), px = name => parseFloat(style[name]) || 0;
	return [e.clientWidth - px("paddingLeft") - px("paddingRight"), e.clientHeight - px("paddingTop") - px("paddingBottom")];
}`

// findOwner finds the element that shows a frame in its parent.
func (l *level) findOwner(d Driver, parent Frame) error {
	var owner dom.GetFrameOwnerResult
	if err := d.Read(parent.ID, dom.CommandGetFrameOwner, &dom.GetFrameOwnerParams{FrameID: l.frame.ID}, &owner); err != nil {
		return err
	}
	l.owner = Element{parent.ID, owner.BackendNodeID}
	l.ownSession = l.frame.Session != parent.Session
	return nil
}

// measure determines the map from a frame to its parent's session; call it after all scrolling.
func (l *level) measure(d Driver) error {
	var box struct {
		Model struct {
			Content quad `json:"content"`
		} `json:"model"`
	}
	if err := d.Read(l.owner.Frame, dom.CommandGetBoxModel, &dom.GetBoxModelParams{BackendNodeID: l.owner.ID}, &box); err != nil {
		return err
	}
	var size [2]float64
	if err := d.Run(l.owner.Frame, l.owner.ID, contentSize, nil, &size); err != nil {
		return err
	}
	var err error
	l.content = box.Model.Content
	l.toParent, err = onto(l.content, size[0], size[1])
	return err
}

// spot is the point of an element, in each frame on the path to it.
type spot struct {
	path   []level
	local  []Point // in the viewport of each frame
	target Element
	unseen bool // its document had received no pointer event when it was found
}

// inTab is the point in the viewport of the tab.
func (s *spot) inTab() Point { return s.local[0] }

// locate finds the point at which to hit-test an element that has been scrolled into view. The error is a
// [*NotActionableError] if it has none, or the driver's.
func locate(d Actor, n Element, path []level) (*spot, error) {
	var r struct {
		Quads []quad `json:"quads"`
	}
	if err := d.Read(n.Frame, dom.CommandGetContentQuads, &dom.GetContentQuadsParams{BackendNodeID: n.ID}, &r); err != nil {
		return nil, vanished(d, n, err)
	}
	at, ok := clickable(r.Quads)
	if !ok {
		return nil, notActionable(d, n, Hidden, "it has no size")
	}
	s := &spot{path: path, local: make([]Point, len(path)), target: n}
	for i := len(path) - 1; i >= 1; i-- {
		if err := path[i].measure(d); err != nil {
			return nil, err
		}
		if path[i].ownSession {
			s.local[i] = at
			at = path[i].toParent.apply(at)
			continue
		}
		back, ok := path[i].toParent.inverse()
		if !ok {
			return nil, notActionable(d, n, Hidden, "it has no size")
		}
		s.local[i] = back.apply(at)
	}
	s.local[0] = at
	return s, nil
}

// hitAt returns null if a hit test at a point of the viewport finds an element or a part of it, the element itself if
// there is nothing at all, and otherwise the element found instead. The roots are walked from the document inwards,
// which also reaches closed shadow roots: a node in one knows its root.
const hitAt = `(target, x, y) => {
	const roots = [];
	for (let n = target; ; ) {
		const root = n.getRootNode();
		roots.unshift(root);
		if (root === document) break;
		if (!root.host) return target;
		n = root.host;
	}
	const above = n => n.assignedSlot || n.parentElement || (n.getRootNode() !== document && n.getRootNode().host) || null;
	const within = (n, wanted) => { for (; n; n = above(n)) if (n === wanted) return true; return false };
	for (let i = 0; i < roots.length; i++) {
		const hit = (` + hitIn + `)(roots[i], x, y), last = i + 1 === roots.length;
		if (!hit) return target;
		if (last ? !(` + belongs + `)(hit, target) : !within(hit, roots[i + 1].host)) return hit;
	}
	return null;
}`

// hitAndListen is hitAt, and installs the listener if the element is found where the aim before this one, which has the
// id was, left it; else it returns the element itself. It returns that as well if the document was unseen by the
// pointer and still is: it may not receive a press either.
const hitAndListen = `(target, x, y, id, signs, presses, was, unseen) => {
	if (unseen && !globalThis.pointerSeen) return target;
	const hit = (` + hitAt + `)(target, x, y), r = target.getBoundingClientRect();
	const middle = [r.x + r.width / 2, r.y + r.height / 2], before = globalThis.arrival; // many grow under the pointer
	if (hit || before?.id === was && before.middle.some((v, i) => Math.abs(v - middle[i]) > 1)) return hit ?? target;
	const installing = (` + listen + `)(target, id, signs, presses);
	globalThis.arrival.middle = middle;
	return installing;
}`

// obstacle is the element that a hit test at a spot finds instead of its target: the target itself if it finds nothing,
// and zero if it finds the target, in whose frame the listener of the aim is then installed. A target that has moved
// since the aim with the id was, 0 for none, counts as not found.
func (s *spot) obstacle(d Actor, aim *Aim, was uint64) (Element, error) {
	if err := d.Announce(s.target.Frame); err != nil {
		return Element{}, err
	}
	for i, l := range s.path {
		target, look, args := s.target, hitAndListen, []any{s.local[i].X, s.local[i].Y, aim.id, aim.signs, aim.presses, was, s.unseen}
		if i+1 < len(s.path) {
			target, look, args = s.path[i+1].owner, hitAt, args[:2]
		}
		var hit cdproto.BackendNodeID
		if err := d.Run(l.frame.ID, target.ID, look, args, &hit); err != nil {
			return Element{}, err
		}
		switch hit {
		case 0:
		case target.ID:
			return s.target, nil
		default:
			return Element{l.frame.ID, hit}, nil
		}
	}
	return Element{}, nil
}

// innermost is the innermost node at a point of the tab's viewport, in the frames that the tab knows.
func innermost(d Actor, at Point) (Element, error) {
	hit, err := innermostNode(d, at)
	if err != nil && d.Context().Err() == nil {
		return innermostElement(d, at) // the browser finds nothing in some frames that are turned and shrunk
	}
	return hit, err
}

// innermostNode finds the node by the browser's hit tests, one in each process.
func innermostNode(d Actor, at Point) (Element, error) {
	frames := byID(d.Frames())
	for outer := cdproto.FrameID(""); ; {
		hit, err := nodeAt(d, outer, at)
		if err != nil {
			return Element{}, err
		}
		inner, known := frames[hit.shows]
		if !known || inner.ID == hit.node.Frame {
			return hit.node, nil
		}
		l := level{frame: inner}
		if err := l.findOwner(d, frames[hit.node.Frame]); err != nil {
			return Element{}, err
		}
		if err := l.measure(d); err != nil {
			return Element{}, err
		}
		back, ok := l.toParent.inverse()
		if !ok {
			return hit.node, nil
		}
		outer, at = inner.ID, back.apply(at)
	}
}

// elementAt is the innermost element at a point of a document, or in its open shadow roots; null if there is none.
const elementAt = `(x, y) => {
	let hit = null;
	for (let root = document; root; root = hit.shadowRoot) {
		const next = root.elementFromPoint(x, y);
		if (!next || next === hit) break;
		hit = next;
	}
	return hit;
}`

// innermostElement finds the element by scripts, one in each frame.
func innermostElement(d Actor, at Point) (Element, error) {
	frames := byID(d.Frames())
	frame := frames[cdproto.FrameID(d.Target())]
	for inFrame := at; ; {
		hit := Element{Frame: frame.ID}
		if err := d.Run(frame.ID, 0, elementAt, []any{inFrame.X, inFrame.Y}, &hit.ID); err != nil || hit.ID == 0 {
			return hit, err
		}
		shows, err := contentFrame(d, hit)
		inner, known := frames[shows]
		if err != nil || !known || inner.ID == frame.ID {
			return hit, err
		}
		l := level{frame: inner}
		if err := l.findOwner(d, frame); err != nil {
			return Element{}, err
		}
		if err := l.measure(d); err != nil {
			return Element{}, err
		}
		back, ok := l.toParent.inverse()
		if !ok {
			return hit, nil
		}
		if inFrame = back.apply(at); l.ownSession {
			at = inFrame
		}
		frame = inner
	}
}

// nodeHit is the result of a hit test: the node, and the frame that it shows, if any.
type nodeHit struct {
	node  Element
	shows cdproto.FrameID
}

// nodeAt finds the innermost node at a point of the viewport of a frame's session.
func nodeAt(d Actor, frame cdproto.FrameID, at Point) (nodeHit, error) {
	var view struct {
		Viewport struct{ PageX, PageY float64 } `json:"cssVisualViewport"`
	}
	if err := d.Read(frame, cdppage.CommandGetLayoutMetrics, nil, &view); err != nil {
		return nodeHit{}, err
	}
	var hit dom.GetNodeForLocationResult
	where := &dom.GetNodeForLocationParams{X: int64(at.X + view.Viewport.PageX), Y: int64(at.Y + view.Viewport.PageY)}
	if err := d.Read(frame, dom.CommandGetNodeForLocation, where, &hit); err != nil {
		return nodeHit{}, err
	}
	node := Element{hit.FrameID, hit.BackendNodeID}
	shows, err := contentFrame(d, node)
	return nodeHit{node, shows}, err
}

// contentFrame is the frame that an element shows; for a document, its own; empty for any other node.
func contentFrame(d Actor, n Element) (cdproto.FrameID, error) {
	var r struct {
		Node struct {
			FrameID cdproto.FrameID `json:"frameId"`
		} `json:"node"`
	}
	err := d.Read(n.Frame, dom.CommandDescribeNode, &dom.DescribeNodeParams{BackendNodeID: n.ID}, &r)
	return r.Node.FrameID, err
}
