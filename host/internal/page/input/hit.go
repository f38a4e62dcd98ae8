package input

import (
	"errors"
	"math"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

// spot is the point of an element, in each frame on the path to it.
type spot struct {
	path   []page.Level
	local  []geometry.Point // in the viewport of each frame
	target page.Element
	unseen bool // its document had received no pointer event when it was found
	// animated: an animation ran on the element, or on one around it.
	animated bool
}

// inTab is the point in the viewport of the tab.
func (s *spot) inTab() geometry.Point { return s.local[0] }

// locate finds the point at which to hit-test an element that has been scrolled into view. The error is a
// [*NotActionableError] if it has none, or the driver's.
func locate(d Actor, n page.Element, path []page.Level) (*spot, error) {
	if err := page.MeasurePath(d, path); err != nil {
		return nil, err
	}
	at, err := middleOf(d, n, &path[len(path)-1])
	if err != nil {
		return nil, err
	}
	s := &spot{path: path, local: make([]geometry.Point, len(path)), target: n}
	for i := len(path) - 1; i >= 1; i-- {
		if path[i].OwnSession {
			s.local[i] = at
			at = path[i].ToParent.Apply(at)
			continue
		}
		back, ok := path[i].ToParent.Inverse()
		if !ok {
			return nil, notActionable(d, n, Hidden, "it has no size")
		}
		s.local[i] = back.Apply(at)
	}
	s.local[0] = at
	return s, nil
}

// middleOf is the middle of the first box of an element that has an area, in the viewport of its session. An area of an
// image map has none, but a place on the image.
func middleOf(d Actor, n page.Element, frame *page.Level) (geometry.Point, error) {
	var r struct {
		Quads []geometry.Quad `json:"quads"`
	}
	err := d.Read(n.Frame, dom.CommandGetContentQuads, &dom.GetContentQuadsParams{BackendNodeID: n.ID}, &r)
	if err != nil && !errors.Is(err, fault.ErrProtocol) {
		return geometry.Point{}, err
	}
	for i, q := range r.Quads {
		r.Quads[i] = frame.Quad(q)
	}
	if at, ok := geometry.Clickable(r.Quads); ok {
		return at, nil
	}
	if at, is, wrong := middleOfArea(d, n, frame); is || wrong != nil {
		return at, wrong
	}
	if err == nil {
		err = notActionable(d, n, Hidden, "it has no size")
	}
	return geometry.Point{}, vanished(d, n, err)
}

// forcedLimit bounds the wait until the pointer reaches the frame of an element that may be covered.
const forcedLimit = time.Second

// ScrollToPoint scrolls an element into view and finds its point, which must be the same twice in a row. If something
// covers it there, as a bar does that stays in place, it is scrolled elsewhere; one that is always covered will do. The
// pointer does not move.
func ScrollToPoint(d Actor, n page.Element) (geometry.Point, error) {
	s, err := scrollAndLocate(d, n)
	if err != nil {
		return geometry.Point{}, err
	}
	for _, next := range alignments {
		if covered, err := s.isCovered(d); err != nil || !covered {
			return s.inTab(), err
		}
		if err := d.Run(n.Frame, n.ID, align, []any{next}, nil); err != nil {
			return geometry.Point{}, err
		}
		if s, err = scrollAndLocate(d, n); err != nil {
			return geometry.Point{}, err
		}
	}
	return s.inTab(), nil
}

// isCovered reports whether a hit test in the frame of the target finds something else at a spot.
func (s *spot) isCovered(d Actor) (bool, error) {
	at := s.local[len(s.local)-1]
	var hit cdproto.BackendNodeID
	err := d.Run(s.target.Frame, s.target.ID, hitAt, []any{at.X, at.Y}, &hit)
	return hit != 0 && hit != s.target.ID, err
}

func scrollAndLocate(d Actor, n page.Element) (*spot, error) {
	path, err := page.FramePath(d, n.Frame)
	if err != nil {
		return nil, err
	}
	if err := scrollTo(d, n); err != nil {
		return nil, err
	}
	end := time.Now().Add(forcedLimit / 2)
	last := geometry.Point{X: math.Inf(1)}
	for {
		s, err := locate(d, n, path)
		if err != nil || s.inTab() == last || time.Now().After(end) {
			return s, err
		}
		last = s.inTab()
		if err := page.AwaitDrawn(d, n.Frame); err != nil {
			return nil, err
		}
	}
}

// aimForced aims at the point of an element without a hit test, once the pointer reaches its frame.
func aimForced(d Actor, n page.Element, signs Signs) (*Aim, error) {
	for end := time.Now().Add(forcedLimit); ; {
		s, err := scrollAndLocate(d, n)
		if err != nil {
			return nil, err
		}
		there, err := s.movePointer(d)
		if err != nil {
			return nil, err
		}
		if there || time.Now().After(end) {
			aim := aimAt(n, signs, true)
			aim.At = s.inTab()
			return aim, aim.listen(d)
		}
	}
}

// hitAt returns null if a hit test at a point of the viewport finds an element or a part of it, the element itself if
// there is nothing at all, and otherwise the element found instead. The roots are walked from the document inwards,
// which also reaches closed shadow roots: a node in one knows its root.
const hitAt = `(target, x, y) => {
	const roots = [];
	for (let n = target; ; ) {
		const root = ask(Node, "getRootNode", n);
		roots.unshift(root);
		if (root === document) break;
		if (!root.host) return target;
		n = root.host;
	}
	for (let i = 0; i < roots.length; i++) {
		const hit = (` + hitIn + `)(roots[i], x, y), last = i + 1 === roots.length;
		if (!hit) return target;
		if (last ? !(` + belongs + `)(hit, target) : !within(hit, roots[i + 1].host)) return hit;
	}
	return null;
}`

// hitAndListen is hitAt, and installs the listener if the element is found where the aim before this one, which has the
// id was, left it; else it returns the element itself. It returns that as well if the document was unseen by the
// pointer and still is: it may not receive a press either. The document keeps it for hitAgain.
const hitAndListen = `(own.hitAndListen = (target, x, y, id, signs, presses, was, unseen) => {
	if (unseen && !own.pointerSeen) return target;
	const hit = (` + hitAt + `)(target, x, y), r = ask(Element, "getBoundingClientRect", target);
	const middle = [r.x + r.width / 2, r.y + r.height / 2], before = own.arrival; // many grow under the pointer
	if (hit || before?.id === was && before.middle.some((v, i) => Math.abs(v - middle[i]) > 1)) return hit ?? target;
	const installing = (` + listen + `)(target, id, signs, presses);
	own.arrival.middle = middle;
	return installing;
})`

// hitAgain is hitAndListen in a document that has run it for an aim before; in another, it returns the element itself.
const hitAgain = `(target, ...rest) => own.hitAndListen ? own.hitAndListen(target, ...rest) : target`

// obstacle is the element that a hit test at a spot finds instead of its target: the target itself if it finds nothing,
// and zero if it finds the target, in whose frame the listener of the aim is then installed. A target that has moved
// since the aim with the id was, 0 for none, counts as not found.
func (s *spot) obstacle(d Actor, aim *Aim, was uint64) (page.Element, error) {
	if err := d.Announce(s.target.Frame); err != nil {
		return page.Element{}, err
	}
	listening := hitAndListen
	if was != 0 {
		listening = hitAgain
	}
	for i, l := range s.path {
		target, look, args := s.target, listening, []any{s.local[i].X, s.local[i].Y, aim.id, aim.signs, aim.presses, was, s.unseen}
		if i+1 < len(s.path) {
			target, look, args = s.path[i+1].Owner, hitAt, args[:2]
		}
		var hit cdproto.BackendNodeID
		run := d.Run
		if i+1 == len(s.path) && aim.presses > 0 {
			run = d.RunBeforeInput
		}
		if err := run(l.Frame.ID, target.ID, look, args, &hit); err != nil {
			return page.Element{}, err
		}
		if hit != 0 {
			d.NoInput()
		}
		switch hit {
		case 0:
		case target.ID:
			return s.target, nil
		default:
			return page.Element{Frame: l.Frame.ID, ID: hit}, nil
		}
	}
	return page.Element{}, nil
}

// innermost is the innermost node at a point of the tab's viewport, in the frames that the tab knows.
func innermost(d Actor, at geometry.Point) (page.Element, error) {
	hit, err := innermostNode(d, at)
	if err != nil && d.Context().Err() == nil {
		return innermostElement(d, at) // the browser finds nothing in some frames that are turned and shrunk
	}
	return hit, err
}

// innermostNode finds the node by the browser's hit tests, one in each process.
func innermostNode(d Actor, at geometry.Point) (page.Element, error) {
	frames := page.ByID(d.Frames())
	for outer := cdproto.FrameID(""); ; {
		hit, err := nodeAt(d, outer, at)
		if err != nil {
			return page.Element{}, err
		}
		inner, known := frames[hit.shows]
		if !known || inner.Empty || inner.ID == hit.node.Frame {
			return hit.node, nil
		}
		path, err := page.FramePath(d, inner.ID)
		if err == nil {
			err = page.MeasurePath(d, path)
		}
		if err != nil {
			return page.Element{}, err
		}
		back, ok := path[len(path)-1].ToParent.Inverse()
		if !ok {
			return hit.node, nil
		}
		outer, at = inner.ID, back.Apply(at)
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
func innermostElement(d Actor, at geometry.Point) (page.Element, error) {
	frames := page.ByID(d.Frames())
	frame := frames[cdproto.FrameID(d.Target())]
	around := &page.Level{Frame: frame}
	for inFrame := at; ; {
		hit := page.Element{Frame: frame.ID}
		if err := d.Run(frame.ID, 0, elementAt, []any{inFrame.X, inFrame.Y}, &hit.ID); err != nil || hit.ID == 0 {
			return hit, err
		}
		shows, err := contentFrame(d, hit)
		inner, known := frames[shows]
		if err != nil || !known || inner.Empty || inner.ID == frame.ID {
			return hit, err
		}
		l := &page.Level{Frame: inner}
		if err := l.FindOwner(d, frame); err != nil {
			return page.Element{}, err
		}
		if err := l.Measure(d, around); err != nil {
			return page.Element{}, err
		}
		back, ok := l.ToParent.Inverse()
		if !ok {
			return hit, nil
		}
		if inFrame = back.Apply(at); l.OwnSession {
			at = inFrame
		}
		frame, around = inner, l
	}
}

// nodeHit is the result of a hit test: the node, and the frame that it shows, if any.
type nodeHit struct {
	node  page.Element
	shows cdproto.FrameID
}

// nodeAt finds the innermost node at a point of the viewport of a frame's session.
func nodeAt(d Actor, frame cdproto.FrameID, at geometry.Point) (nodeHit, error) {
	var view struct {
		Viewport struct {
			PageX float64 `json:"pageX"`
			PageY float64 `json:"pageY"`
		} `json:"cssVisualViewport"`
	}
	if err := d.Read(frame, cdppage.CommandGetLayoutMetrics, nil, &view); err != nil {
		return nodeHit{}, err
	}
	var hit dom.GetNodeForLocationResult
	where := &dom.GetNodeForLocationParams{X: int64(at.X + view.Viewport.PageX), Y: int64(at.Y + view.Viewport.PageY)}
	if err := d.Read(frame, dom.CommandGetNodeForLocation, where, &hit); err != nil {
		return nodeHit{}, err
	}
	if f := page.ByID(d.Frames())[hit.FrameID]; f.Empty { // nothing can be asked of its node
		l := page.Level{Frame: f}
		err := l.FindOwner(d, page.Frame{ID: f.Parent, Session: f.Session})
		return nodeHit{l.Owner, f.ID}, err
	}
	node := page.Element{Frame: hit.FrameID, ID: hit.BackendNodeID}
	shows, err := contentFrame(d, node)
	return nodeHit{node, shows}, err
}

// contentFrame is the frame that an element shows; for a document, its own; empty for any other node.
func contentFrame(d Actor, n page.Element) (cdproto.FrameID, error) {
	var r struct {
		Node struct {
			FrameID cdproto.FrameID `json:"frameId"`
		} `json:"node"`
	}
	err := d.Read(n.Frame, dom.CommandDescribeNode, &dom.DescribeNodeParams{BackendNodeID: n.ID}, &r)
	return r.Node.FrameID, err
}
