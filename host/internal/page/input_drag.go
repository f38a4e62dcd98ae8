package page

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
)

// DragIntercepted is the event of a drag of data, which has to be watched for.
const DragIntercepted = "Input.dragIntercepted"

const (
	// dragSteps is how many moves a drag has: pages begin one only when the pointer has moved a few pixels.
	dragSteps = 8
	// nudge is how far the pointer goes before the end of the drag is looked for, in pixels.
	nudge = 12
	// dragAnnounced is how long the browser may take to announce a drag that the page has begun.
	dragAnnounced = 2 * time.Second
	// dragLook is how often it is looked for.
	dragLook = 5 * time.Millisecond
)

// noteDragStart remembers the next start of a drag of data in the frame; dragStarted tells whether it came and stands.
const (
	noteDragStart = `() => {
		globalThis.begunDrag = null;
		document.addEventListener("dragstart", e => { globalThis.begunDrag = e }, {capture: true, once: true});
		return null;
	}`
	dragStarted = `() => !!globalThis.begunDrag && !globalThis.begunDrag.defaultPrevented`
)

// Drag presses on what is aimed at, moves toward a point and releases at the end, which is looked for when the drag is under
// way, as that may scroll the page. Where the page makes a drag of data of it, the browser's own drag is taken over, as it
// would wait for a real pointer. Nothing is moved that was not pressed; the error is a [*NotDeliveredError] then.
func Drag(d Actor, from *Aim, toward Point, end func() (Point, error)) (err error) {
	frame := from.node.Frame
	if err := d.Run(frame, 0, noteDragStart, nil, nil); err != nil {
		return err
	}
	if err := d.Act("", input.CommandSetInterceptDrags, &input.SetInterceptDragsParams{Enabled: true}, nil); err != nil {
		return err
	}
	defer func() {
		off := d.Act("", input.CommandSetInterceptDrags, &input.SetInterceptDragsParams{}, nil)
		if err == nil {
			err = off
		}
	}()
	g := &dragging{d: d, at: from.At, frame: frame}
	if err = g.press(from); err == nil {
		err = g.carry(toward, end)
	}
	if err != nil {
		_ = release(d, g.at, input.MouseButtonLeft, 1) // so that no button stays down; the error says what is wrong
		return err
	}
	return nil
}

// dragging is a drag under way.
type dragging struct {
	d     Actor
	at    Point
	frame cdp.FrameID
}

// press presses where the drag begins, and makes sure that the page knows.
func (g *dragging) press(from *Aim) error {
	if err := Move(g.d, from.At); err != nil {
		return err
	}
	if err := press(g.d, from.At, input.MouseButtonLeft, 1); err != nil {
		return err
	}
	arrived, err := from.Proven(g.d)
	if err == nil && !arrived {
		err = from.lost(g.d)
	}
	return err
}

func (g *dragging) carry(toward Point, end func() (Point, error)) error {
	far := math.Hypot(toward.X-g.at.X, toward.Y-g.at.Y)
	part := math.Min(1, nudge/math.Max(far, 1))
	if err := g.move(Point{g.at.X + (toward.X-g.at.X)*part, g.at.Y + (toward.Y-g.at.Y)*part}, 2); err != nil {
		return err
	}
	to, err := end()
	if err != nil {
		return err
	}
	if err := g.move(to, dragSteps); err != nil {
		return err
	}
	data, err := g.ofData()
	if err != nil {
		return err
	}
	if data != nil {
		return g.drop(data)
	}
	return release(g.d, g.at, input.MouseButtonLeft, 1)
}

// move goes to a point in steps, as long as it is no drag of data: such a one has no mouse events.
func (g *dragging) move(to Point, steps int) error {
	from := g.at
	for i := 1; i <= steps; i++ {
		part := float64(i) / float64(steps)
		g.at = Point{from.X + (to.X-from.X)*part, from.Y + (to.Y-from.Y)*part}
		if g.d.Seen(DragIntercepted) != nil {
			continue
		}
		if err := move(g.d, g.at, input.MouseButtonLeft); err != nil {
			return err
		}
	}
	return nil
}

// ofData gives the data of the drag that the page has begun; nil for none. The page knows of it before the browser says so.
func (g *dragging) ofData() (*input.DragData, error) {
	var started bool
	if g.d.Seen(DragIntercepted) == nil {
		if err := g.d.Run(g.frame, 0, dragStarted, nil, &started); err != nil || !started {
			return nil, err
		}
	}
	for end := time.Now().Add(dragAnnounced); g.d.Seen(DragIntercepted) == nil; {
		if time.Now().After(end) {
			return nil, nil
		}
		if err := sleep(g.d, dragLook); err != nil {
			return nil, err
		}
	}
	var begun struct {
		Data *input.DragData `json:"data"`
	}
	if err := json.Unmarshal(g.d.Seen(DragIntercepted), &begun); err != nil {
		return nil, fmt.Errorf("the browser's word of the drag can not be read: %w", err)
	}
	return begun.Data, nil
}

// drop ends a drag of data, which no mouse events can.
func (g *dragging) drop(data *input.DragData) error {
	for _, kind := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
	} {
		if err := g.d.Act("", input.CommandDispatchDragEvent, &input.DispatchDragEventParams{Type: kind, X: g.at.X, Y: g.at.Y, Data: data}, nil); err != nil {
			return err
		}
	}
	return release(g.d, g.at, input.MouseButtonLeft, 1)
}
