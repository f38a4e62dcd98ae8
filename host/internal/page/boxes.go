package page

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

// Level is a frame on the path from the top frame to an element.
type Level struct {
	Frame      Frame
	Owner      Element         // the element of the parent that shows it; zero for the top frame
	content    geometry.Quad   // of the owner, in the viewport of the parent's session
	zoom       float64         // see Quad
	ToParent   geometry.Affine // from the frame's own viewport to that of its parent's session
	OwnSession bool            // the frame's session is not that of its parent
}

// FramePath is the path from the top frame to a frame, both included. The DOM domain's coordinates are relative to the
// outermost frame of a session, those of the Input domain to the top frame.
func FramePath(d Driver, frame cdproto.FrameID) ([]Level, error) {
	frames, top := ByID(d.Frames()), cdproto.FrameID(d.Target())
	frame = cmp.Or(frame, top)
	var path []Level
	for id := frame; ; {
		f, ok := frames[id]
		if !ok || len(path) > len(frames) {
			return nil, fmt.Errorf("the frame %s of the element is no longer in the tab", frame)
		}
		path = append([]Level{{Frame: f, ToParent: geometry.Identity}}, path...)
		if id == top {
			break
		}
		id = f.Parent
	}
	for i := 1; i < len(path); i++ {
		if err := path[i].FindOwner(d, path[i-1].Frame); err != nil {
			return nil, err
		}
	}
	return path, nil
}

// contentSize is the size of an element's content box before transforms, and the element's zoom in its document.
const contentSize = `(e) => {
	const style = getComputedStyle(e), px = name => parseFloat(style[name]) || 0;
	return [e.clientWidth - px("paddingLeft") - px("paddingRight"), e.clientHeight - px("paddingTop") - px("paddingBottom"), e.currentCSSZoom ?? 1];
}`

// FindOwner finds the element that shows a frame in its parent.
func (l *Level) FindOwner(d Driver, parent Frame) error {
	var owner dom.GetFrameOwnerResult
	if err := d.Read(parent.ID, dom.CommandGetFrameOwner, &dom.GetFrameOwnerParams{FrameID: l.Frame.ID}, &owner); err != nil {
		return err
	}
	l.Owner = Element{parent.ID, owner.BackendNodeID}
	l.OwnSession = l.Frame.Session != parent.Session
	return nil
}

// Quad is a quadrilateral of the frame as the DOM domain gives it, in the viewport of the frame's session. Chromium
// divides it by the zoom that the frame has from elements around it, as if all of the viewport were zoomed.
//
// https://drafts.csswg.org/css-viewport/#zoom-property
func (l *Level) Quad(q geometry.Quad) geometry.Quad { return q.Scaled(cmp.Or(l.zoom, 1)) }

// MeasurePath measures all levels of a path.
func MeasurePath(d Driver, path []Level) error {
	for i := 1; i < len(path); i++ {
		if err := path[i].Measure(d, &path[i-1]); err != nil {
			return err
		}
	}
	return nil
}

// Measure determines the map from a frame to the session of its parent, which is measured already; call it after all
// scrolling.
func (l *Level) Measure(d Driver, parent *Level) error {
	var box struct {
		Model struct {
			Content geometry.Quad `json:"content"`
		} `json:"model"`
	}
	if err := d.Read(l.Owner.Frame, dom.CommandGetBoxModel, &dom.GetBoxModelParams{BackendNodeID: l.Owner.ID}, &box); err != nil {
		return err
	}
	var size [3]float64
	if err := d.Run(l.Owner.Frame, l.Owner.ID, contentSize, nil, &size); err != nil {
		return err
	}
	var err error
	l.content = parent.Quad(box.Model.Content)
	if l.zoom = 1; !l.OwnSession {
		l.zoom = size[2] * cmp.Or(parent.zoom, 1)
	}
	l.ToParent, err = geometry.Onto(l.content, size[0], size[1])
	return err
}

// errNoBox says that an element is not drawn.
var errNoBox = errors.New("it has no box")

// boxInTab is the box of an element in the top frame's viewport, and the part of it that the frames around it show,
// which may be without an area. The DOM domain's coordinates are relative to the outermost frame of a session.
func boxInTab(d Driver, n Element) (box, shown geometry.Rect, err error) {
	var r struct {
		Model struct {
			Border geometry.Quad `json:"border"`
		} `json:"model"`
	}
	path, err := FramePath(d, n.Frame)
	if err == nil {
		err = d.Read(n.Frame, dom.CommandGetBoxModel, &dom.GetBoxModelParams{BackendNodeID: n.ID}, &r)
	}
	if err != nil {
		return geometry.Rect{}, geometry.Rect{}, err
	}
	if !r.Model.Border.Valid() {
		return geometry.Rect{}, geometry.Rect{}, errNoBox
	}
	why := make([]error, len(path))
	for i := 1; i < len(path); i++ {
		why[i] = path[i].Measure(d, &path[i-1])
	}
	at := path[len(path)-1].Quad(r.Model.Border)
	shown = at.Bounds()
	for i, l := range slices.Backward(path) {
		err := why[i]
		switch {
		case i == 0:
			continue
		case l.OwnSession && err != nil:
			return geometry.Rect{}, geometry.Rect{}, err
		case l.OwnSession:
			at, shown = at.Mapped(l.ToParent), shown.Quad().Mapped(l.ToParent).Bounds()
		case errors.Is(err, geometry.ErrQuad): // a frame without a size, which shows nothing
			shown = geometry.Rect{}
			continue
		case err != nil:
			return geometry.Rect{}, geometry.Rect{}, err
		}
		shown = shown.In(l.content.Bounds())
	}
	return at.Bounds(), shown, nil
}

// BoxInTab is the box of an element in the tab's viewport: x, y, width and height in CSS pixels. inView says that the
// viewports of the tab and of all frames around the element have a part of it, and drawn is false for one that has no
// box.
func BoxInTab(d Actor, n Element) (box [4]float64, inView, drawn bool, err error) {
	if err := d.Run(n.Frame, n.ID, `e => ask(Element, "getClientRects", e).length > 0`, nil, &drawn); err != nil || !drawn {
		return box, false, false, err
	}
	at, shown, err := boxInTab(d, n)
	if err != nil {
		return box, false, false, err
	}
	width, height, err := Viewport(d)
	return [4]float64{at.X, at.Y, at.Width, at.Height}, shown.Intersects(geometry.Size{Width: width, Height: height}), true, err
}

// Viewport returns the size of the layout viewport.
func Viewport(d Actor) (width, height float64, err error) {
	var metrics struct {
		Viewport struct {
			Width  float64 `json:"clientWidth"`
			Height float64 `json:"clientHeight"`
		} `json:"cssLayoutViewport"`
	}
	err = d.Read("", cdppage.CommandGetLayoutMetrics, nil, &metrics)
	return metrics.Viewport.Width, metrics.Viewport.Height, err
}

// drawn waits for the next frame to be drawn, but not for long.
const drawn = `() => frame().then(() => null)`

// AwaitDrawn waits until a frame and its ancestors have been drawn: the ancestors of a frame of another process are
// scrolled by their own processes, for which the reply to a command does not wait.
func AwaitDrawn(d Driver, frame cdproto.FrameID) error {
	frames := ByID(d.Frames())
	for range len(frames) {
		if err := d.Run(frame, 0, drawn, nil, nil); err != nil {
			return err
		}
		if frame = frames[frame].Parent; frame == "" {
			break
		}
	}
	return nil
}
