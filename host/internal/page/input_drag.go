package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
)

// DragIntercepted is the event of a drag of data, which has to be watched for.
const DragIntercepted = "Input.dragIntercepted"

const (
	// dragSteps is how many moves a drag has: pages begin one only when the pointer has moved a few pixels.
	dragSteps = 8
	// nudge is how far the pointer goes before the end of the drag is looked for, in pixels.
	firstMove = 12
	// dragAnnounced is how long the browser may take to announce a drag that the page has begun.
	dragAnnounced = 2 * time.Second
	// dragLook is how often it is looked for.
	dragLook = 5 * time.Millisecond
)

// noteDrag makes a frame note what becomes of a drag of one of its elements: the start of a drag of data, the release of the
// button, and what is carried along. Pages move the element itself, or a copy of it, which is then what the pointer meets; or
// they capture the pointer. dragStarted tells whether a drag of data came and stands.
const (
	noteDrag = `source => {
	const above = n => n.assignedSlot || n.parentElement || (n.getRootNode().host ?? null);
	const within = (n, wanted) => { for (; n; n = above(n)) if (n === wanted) return true; return false };
	const places = new Map(), followed = new Map(), over = new AbortController();
	const on = (type, f) => addEventListener(type, e => { if (e.isTrusted) f(e) }, {capture: true, passive: true, signal: over.signal});
	globalThis.drag?.over.abort();
	const drag = globalThis.drag = {begun: null, released: false, over};
	drag.carries = (hit, event) => {
		if (followed.get(hit) > 1 || event.composedPath()[0].hasPointerCapture?.(event.pointerId) || within(hit, source)) return true;
		for (let n = source; n; n = n.getRootNode().host) if (n === hit) return true; // a closed root shows its host only
		return false;
	};
	document.addEventListener("dragstart", e => { drag.begun = e }, {capture: true, once: true, signal: over.signal});
	on("pointermove", e => {
		const hit = e.composedPath()[0], box = hit.getBoundingClientRect?.(), place = box && box.x + " " + box.y;
		if (places.has(hit) && places.get(hit) !== place) followed.set(hit, (followed.get(hit) ?? 0) + 1); // once may be a scroll
		places.set(hit, place);
	});
	on("pointerup", () => { drag.released = true; over.abort() });
	on("dragend", () => over.abort());
	return null;
}`
	dragStarted  = `() => !!globalThis.drag?.begun && !globalThis.drag.begun.defaultPrevented`
	dragReleased = `() => !!globalThis.drag?.released`
)

// Drag presses on what is aimed at, moves toward a point and releases at the place of another element, which is looked for
// when the drag is under way, as that may scroll the page. Where the page makes a drag of data of it, the browser's own drag is
// taken over, as it would wait for a real pointer. Nothing is moved that was not pressed. The note says what the page made of a
// drag that arrived; the error is a [*NotDeliveredError] where its press or its end did not.
func Drag(d Actor, from *Aim, to Element, toward Point) (note string, err error) {
	frame := from.node.Frame
	if err := d.Run(frame, from.node.ID, noteDrag, nil, nil); err != nil {
		return "", err
	}
	if err := d.Act("", input.CommandSetInterceptDrags, &input.SetInterceptDragsParams{Enabled: true}, nil); err != nil {
		return "", err
	}
	defer func() {
		off := d.Act("", input.CommandSetInterceptDrags, &input.SetInterceptDragsParams{}, nil)
		if err == nil {
			err = off
		}
	}()
	g := &dragging{d: d, at: from.At, frame: frame}
	if err = g.press(from); err == nil {
		note, err = g.carry(from, to, toward)
	}
	if err != nil && !g.ended {
		_ = release(d, g.at, input.MouseButtonLeft, 1) // so that no button stays down; the error says what is wrong
	}
	return note, err
}

// dragging is a drag under way.
type dragging struct {
	d     Actor
	at    Point
	frame cdproto.FrameID // in which it began
	ended bool            // its end was brought to the page
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
		err = from.undelivered(g.d)
	}
	return err
}

func (g *dragging) carry(from *Aim, to Element, toward Point) (note string, err error) {
	far := math.Hypot(toward.X-g.at.X, toward.Y-g.at.Y)
	part := math.Min(1, firstMove/math.Max(far, 1))
	if err := g.move(Point{g.at.X + (toward.X-g.at.X)*part, g.at.Y + (toward.Y-g.at.Y)*part}, 2); err != nil {
		return "", err
	}
	end, err := Place(g.d, to)
	if err != nil {
		return "", err
	}
	if err := g.move(end, dragSteps); err != nil {
		return "", err
	}
	data, err := g.interceptedData()
	if err != nil {
		return "", err
	}
	signs := released
	if data != nil {
		signs = dropped
	}
	aim := aimAt(to, signs, from.force)
	aim.At = g.at
	if err := aim.listen(g.d); err != nil {
		return "", err
	}
	return g.finish(aim, to, data)
}

// finish ends the drag, and makes sure that the end arrived; one that did not is brought once more.
func (g *dragging) finish(aim *Aim, to Element, data *input.DragData) (note string, err error) {
	g.ended = true
	for range 2 {
		if err := g.end(data); err != nil {
			return "", err
		}
		what, err := aim.arrived(g.d)
		if err != nil {
			return "", err
		}
		switch what {
		case "":
		case ArrivedElsewhere:
			return "", aim.misdelivered(g.d)
		default:
			return g.outcome(what, to)
		}
		if data == nil && to.Frame != g.frame {
			var held bool
			if err := g.d.Run(g.frame, 0, dragReleased, nil, &held); err != nil || held {
				return "the button was released in the frame in which it was pressed: the browser gives it the pointer until then, wherever that is", err
			}
		}
	}
	return "", g.undelivered(aim, to)
}

// made says what the page made of an end that arrived.
func (g *dragging) outcome(what Arrival, to Element) (note string, err error) {
	if what == ArrivedThere {
		return "", nil
	}
	name, err := Name(g.d, to)
	switch {
	case err != nil && !g.d.Gone(err):
		return "", err
	case err != nil:
		name = "the element"
	}
	if what == dropRefused {
		return "the page refused the drop on " + name, nil
	}
	return "the page moved " + name + " away during the drag, which ended where that was before", nil
}

// lost is the error that the end of a drag did not get to the frame that it was for: something around that may cover it.
func (g *dragging) undelivered(aim *Aim, to Element) error {
	way, err := framePath(g.d, to.Frame)
	if err != nil {
		return err
	}
	_, by, err := hitTest(g.d, to, way, aim)
	if err != nil || by == (Element{}) || by == to {
		return errors.Join(err, aim.undelivered(g.d))
	}
	if aim.force {
		return nil
	}
	return aim.hitInstead(g.d, by)
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
func (g *dragging) interceptedData() (*input.DragData, error) {
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

// end releases the button, after the drop of a drag of data, which no mouse events can end.
func (g *dragging) end(data *input.DragData) error {
	for _, kind := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
	} {
		if data == nil {
			break
		}
		if err := g.d.Act("", input.CommandDispatchDragEvent, &input.DispatchDragEventParams{Type: kind, X: g.at.X, Y: g.at.Y, Data: data}, nil); err != nil {
			return err
		}
	}
	return release(g.d, g.at, input.MouseButtonLeft, 1)
}
