package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// DragIntercepted is the event of a drag of data, which has to be watched for.
const DragIntercepted = "Input.dragIntercepted"

const (
	// dragSteps is how many moves a drag has: pages start one only when the pointer has moved a few pixels.
	dragSteps = 8
	// dragHold is how long the button is held before the pointer moves: pages that tell a drag from a click by time want
	// a quarter of a second, and what they do instead of a drag if it is held takes half a second.
	dragHold = 300 * time.Millisecond
	// firstMove is how far the pointer moves before the end of the drag is located, in pixels.
	firstMove = 12
	// dragAnnounced is how long the browser may take to announce a drag that the page has begun.
	dragAnnounced = 2 * time.Second
	// dragLook is how often to check for that.
	dragLook = 5 * time.Millisecond
)

// noteDrag makes a frame record what happens to a drag of one of its elements: the start of a drag of data, the
// release of the button, and what moves with the pointer. It returns whether it would be a drag of data. Pages move
// the element itself or a copy of it, which a hit test then finds, draw it again where it would be put, with the same
// text, or they capture the pointer. dragStarted returns whether a drag of data has started and was not canceled,
// dragLeft what the drag has left of its own in the document a frame after its end: "selected" if nothing but the
// selection has changed, "nothing", or "" for anything else, and where nobody can tell, as on a canvas.
const (
	noteDrag = `source => {
	const places = new Map(), followed = new Map(), over = new AbortController();
	const on = (type, f) => addEventListener(type, e => { if (e.isTrusted) f(e) }, {capture: true, passive: true, signal: over.signal});
	own.drag?.over.abort();
	const drag = own.drag = {source, size: source?.getBoundingClientRect(), begun: null, released: false, over};
	const text = n => (n.innerText ?? of(Node, "textContent", n)).trim(), said = source ? text(source) : "";
	drag.carries = (hit, event) => {
		if (followed.get(hit) > 1 || event.composedPath()[0].hasPointerCapture?.(event.pointerId) || within(hit, source)) return true;
		for (let n = source; n; n = n.getRootNode().host) if (n === hit) return true; // a closed root shows its host only
		return said !== "" && text(hit) === said;
	};
	document.addEventListener("dragstart", e => { drag.begun = e }, {capture: true, once: true, signal: over.signal});
	on("pointermove", e => {
		const hit = e.composedPath()[0], box = hit.getBoundingClientRect?.(), place = box && box.x + " " + box.y;
		// A single change of place may be a scroll.
		if (places.has(hit) && places.get(hit) !== place) followed.set(hit, (followed.get(hit) ?? 0) + 1);
		places.set(hit, place);
	});
	const watch = new MutationObserver(() => { drag.changed = true; watch.disconnect() });
	watch.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
	const selection = () => { const {anchorNode, anchorOffset, focusNode, focusOffset} = getSelection(); return [anchorNode, anchorOffset, focusNode, focusOffset] };
	const selected = selection(), silent = "canvas, input, textarea, select, video, audio, object, embed, iframe, frame";
	const tells = source && source.getRootNode() === document && !ask(Element, "closest", source, silent) && !document.querySelector("canvas");
	document.addEventListener("scroll", () => { drag.changed = true }, {capture: true, passive: true, once: true, signal: over.signal});
	drag.left = () => {
		drag.changed ||= watch.takeRecords().length > 0;
		watch.disconnect();
		const hasRoots = () => [...document.querySelectorAll("*")].some(e => e.shadowRoot || of(Element, "localName", e).includes("-"));
		if (drag.changed || !tells || hasRoots()) return "";
		return selection().some((part, i) => part !== selected[i]) && !getSelection().isCollapsed ? "selected" : "nothing";
	};
	on("pointerup", () => { drag.released = true; over.abort() });
	on("pointercancel", e => { drag.panned = e.pointerType === "touch" });
	on("dragend", () => over.abort());
	for (let n = source; n; n = n.parentElement ?? n.getRootNode().host) if (n.draggable === true) return true;
	return false;
}`
	dragStarted  = `() => !!own.drag?.begun && !own.drag.begun.defaultPrevented`
	dragReleased = `() => !!own.drag?.released`
	dragPanned   = `() => !!own.drag?.panned`
	// pastMiddle returns how far from the middle of an element a drag of its like ends. A list puts what is dragged
	// before an item whose middle the pointer has not passed, else after it; so this one takes the place of that, as after
	// a drag by hand, which does not end in the middle. How items follow each other is seen from a neighbour of the
	// element: what is dragged may be anywhere by now.
	pastMiddle = `to => {
	const {source, size} = own.drag ?? {}, path = n => { const all = []; for (; n; n = above(n)) all.unshift(n); return all };
	const none = {X: 0, Y: 0}, box = n => ask(Element, "getBoundingClientRect", n), there = box(to);
	if (!source || !of(Node, "isConnected", source) || within(to, source) || within(source, to)) return none;
	const a = path(source), b = path(to), apart = a.findIndex((n, i) => n !== b[i]), one = a[apart], other = b[apart];
	if (!one || !other || of(Element, "localName", one) !== of(Element, "localName", other)) return none;
	const alike = (x, y) => x < 3 * y && y < 3 * x;
	if (!alike(size.width, there.width) || !alike(size.height, there.height)) return none;
	const later = ask(Node, "compareDocumentPosition", source, to) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1;
	const far = (size, by) => Math.abs(by) < 2 ? 0 : later * Math.sign(by) * Math.min(Math.max(size / 8, 3), 20);
	for (const [name, way] of [["previousElementSibling", 1], ["nextElementSibling", -1]]) {
		const neighbour = of(Element, name, other), at = neighbour && box(neighbour);
		if (!at?.width || neighbour === one) continue;
		const by = {x: way * (box(other).x - at.x), y: way * (box(other).y - at.y)};
		if (Math.abs(by.x) < 2 || Math.abs(by.y) < 2) return {X: far(there.width, by.x), Y: far(there.height, by.y)};
	}
	return none;
}`
	dragLeft = `() => frame().then(() => after(0)).then(() => own.drag?.left() ?? "")`
)

// Drag presses the button on what is aimed at, moves toward a point and releases it at another element, which is
// located again once the drag is under way, as that may scroll the page; without an id, the point is the end. If the
// page starts a drag of data, the browser's own drag is intercepted, because it would wait for a real pointer. The note
// says how the page treated a drag that was delivered; the error is a [*NotDeliveredError] if its press or its end was
// not.
func Drag(d Actor, from *Aim, to page.Element, toward geometry.Point) (note string, err error) {
	frame := from.node.Frame
	var ofData bool
	if err := d.Run(frame, from.node.ID, noteDrag, nil, &ofData); err != nil {
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
	g := &dragging{d: d, at: from.At, frame: frame, finger: d.Touches() && !ofData}
	err = g.press(from)
	if err == nil && !ofData {
		err = query.Sleep(d, dragHold)
	}
	if err == nil {
		note, err = g.carry(from, to, toward)
	}
	if err != nil && !g.ended {
		_ = g.abandon() // so that nothing stays pressed; the first error counts
	}
	return note, err
}

// dragging is a drag under way.
type dragging struct {
	d      Actor
	at     geometry.Point
	start  geometry.Point
	frame  cdproto.FrameID // in which it started
	inList bool            // it ends on an item of the same list, which moves as the list makes room
	ended  bool            // its end was sent to the page
	finger bool            // on a touch screen; the browser itself drags data with a mouse there, too
}

// press presses the button at the start, and verifies that the page received that.
func (g *dragging) press(from *Aim) error {
	from.taps = g.finger
	return from.press(g.d, 1, false, func(at geometry.Point) error {
		g.at, g.start = at, at
		if g.finger {
			err := from.touchHeld(g.d, at)
			g.finger = g.d.Announced(from.id) != HeldBack // as of a tap
			return err
		}
		err := press(g.d, at, input.MouseButtonLeft, 1, 0)
		if err == nil && g.d.Announced(from.id) == HeldBack {
			err = g.release()
		}
		return err
	})
}

// moveTo moves to a point at once.
func (g *dragging) moveTo(at geometry.Point) error {
	if g.finger {
		return touch(g.d, input.DispatchTouchEventTypeTouchMove, at)
	}
	return move(g.d, at, input.MouseButtonLeft)
}

// release lets go of what is dragged.
func (g *dragging) release() error {
	if g.finger {
		return touch(g.d, input.DispatchTouchEventTypeTouchEnd)
	}
	return release(g.d, g.at, input.MouseButtonLeft, 1, 0)
}

// abandon is release after an error. A finger that has not moved would tap.
func (g *dragging) abandon() error {
	if g.finger {
		return touch(g.d, input.DispatchTouchEventTypeTouchCancel)
	}
	return g.release()
}

func (g *dragging) carry(from *Aim, to page.Element, toward geometry.Point) (note string, err error) {
	far := math.Hypot(toward.X-g.at.X, toward.Y-g.at.Y)
	part := math.Min(1, firstMove/math.Max(far, 1))
	if err := g.move(geometry.Point{X: g.at.X + (toward.X-g.at.X)*part, Y: g.at.Y + (toward.Y-g.at.Y)*part}, 2); err != nil {
		return "", err
	}
	end := toward
	if to.ID != 0 {
		if end, err = g.endAt(to); err != nil {
			return "", err
		}
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

// endAt scrolls the element at which a drag ends into view, and returns the point at which it does.
func (g *dragging) endAt(to page.Element) (geometry.Point, error) {
	end, err := ScrollToPoint(g.d, to)
	if err != nil || to.Frame != g.frame {
		return end, err
	}
	var past geometry.Point
	err = g.d.Run(to.Frame, to.ID, pastMiddle, nil, &past)
	g.inList = past != geometry.Point{}
	return geometry.Point{X: end.X + past.X, Y: end.Y + past.Y}, err
}

// finish ends the drag, and verifies the delivery. An end that was not delivered is sent once more.
func (g *dragging) finish(aim *Aim, to page.Element, data *input.DragData) (note string, err error) {
	g.ended = true
	for range 2 {
		if err := g.end(data, to); err != nil {
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
		if g.finger {
			var panned bool
			if err := g.d.Run(g.frame, 0, dragPanned, nil, &panned); err != nil || panned {
				return g.left(to), err
			}
		}
		if data == nil && to.Frame != g.frame {
			var released bool
			if err := g.d.Run(g.frame, 0, dragReleased, nil, &released); err != nil || released {
				return "the button was released in the frame in which it was pressed: until then the browser sends all pointer events to that frame", err
			}
		}
		if g.finger { // it cannot leave the screen twice
			break
		}
	}
	return "", g.undelivered(aim, to)
}

// outcome says how the page treated an end that was delivered.
func (g *dragging) outcome(what Arrival, to page.Element) (note string, err error) {
	if what == ArrivedThere || g.inList && what != dropRefused {
		return g.left(to), nil
	}
	name, err := "what is there", error(nil)
	if to.ID != 0 {
		name, err = page.Name(g.d, to)
	}
	switch {
	case err != nil && !g.d.Gone(err):
		return "", err
	case err != nil:
		name = "the element"
	}
	if what == dropRefused {
		return "the page refused the drop on " + name, nil
	}
	return "the page moved " + name + " away during the drag, which ended at its former position", nil
}

// left says if nothing has come of a drag within its frame, as one that the page wants by a handle. An error is no
// reason to fail, for the drag was delivered.
func (g *dragging) left(to page.Element) (note string) {
	if to.Frame != g.frame {
		return ""
	}
	var what string
	_, _ = g.d.RunUnlessLeft(g.frame, 0, dragLeft, nil, &what)
	return map[string]string{
		"selected": "only text was selected; to move the element, drag it by its handle, or another part of it",
		"nothing":  "nothing in the document has changed so far; to move the element, drag it by its handle, or another part of it",
	}[what]
}

// undelivered is the error that the end of a drag was not delivered to its frame, which something in a frame around it
// may cover.
func (g *dragging) undelivered(aim *Aim, to page.Element) error {
	path, err := page.FramePath(g.d, to.Frame)
	if err != nil {
		return err
	}
	_, by, err := hitTest(g.d, to, path, aim)
	if err != nil || by == (page.Element{}) || by == to {
		return errors.Join(err, aim.undelivered(g.d))
	}
	if aim.force {
		return nil
	}
	return aim.hitInstead(g.d, by)
}

// move moves to a point in steps, unless this is a drag of data, which has no mouse events.
func (g *dragging) move(to geometry.Point, steps int) error {
	from := g.at
	for i := 1; i <= steps; i++ {
		part := float64(i) / float64(steps)
		g.at = geometry.Point{X: from.X + (to.X-from.X)*part, Y: from.Y + (to.Y-from.Y)*part}
		if g.d.LatestEvent(DragIntercepted) != nil {
			continue
		}
		if err := g.moveTo(g.at); err != nil {
			return err
		}
	}
	return nil
}

// interceptedData returns the data of the drag that the page has started; nil for none. The page knows of it before the
// browser announces it.
func (g *dragging) interceptedData() (*input.DragData, error) {
	var started bool
	if g.d.LatestEvent(DragIntercepted) == nil {
		if err := g.d.Run(g.frame, 0, dragStarted, nil, &started); err != nil || !started {
			return nil, err
		}
	}
	for end := time.Now().Add(dragAnnounced); g.d.LatestEvent(DragIntercepted) == nil; {
		if time.Now().After(end) {
			return nil, nil
		}
		if err := query.Sleep(g.d, dragLook); err != nil {
			return nil, err
		}
	}
	var begun struct {
		Data *input.DragData `json:"data"`
	}
	if err := json.Unmarshal(g.d.LatestEvent(DragIntercepted), &begun); err != nil {
		return nil, fmt.Errorf("the browser's event about the drag cannot be decoded: %w", err)
	}
	return begun.Data, nil
}

// itemsRest waits, for at most half a second, until a frame was drawn in which an element has not moved, and nothing in
// the list that it is in with what is dragged is on its way: many lists move their items out of the way in a quarter of
// a second, and ignore the pointer meanwhile.
const itemsRest = `async (e) => {
	const place = () => { const box = ask(Element, "getBoundingClientRect", e); return box.x + " " + box.y };
	const source = own.drag?.source;
	let around = above(e);
	while (source && around && !within(source, around)) around = above(around);
	const moves = a => a.playState === "running" && a.effect?.getComputedTiming().endTime !== Infinity;
	for (let last = "", end = performance.now() + 500; performance.now() < end; last = place(), await frame()) {
		if (place() === last && !(around instanceof Element && ask(Element, "getAnimations", around, {subtree: true}).some(moves))) break;
	}
	return null;
}`

// end releases the button, after the drop of a drag of data, which mouse events cannot end. Pages that move other
// things out of the way decide then where it would be dropped, and once more when the pointer moves.
func (g *dragging) end(data *input.DragData, over page.Element) error {
	drawn := func() error { return page.AwaitDrawn(g.d, over.Frame) }
	rest := drawn
	if over.ID != 0 {
		rest = func() error {
			_, err := g.d.RunUnlessLeft(over.Frame, over.ID, itemsRest, nil, nil)
			if g.d.Gone(err) { // lists draw their items again as they make room
				return drawn()
			}
			return err
		}
	}
	again := func() error { // the browser tells no page of a pointer that stays where it is
		beside := geometry.Point{X: g.at.X - math.Copysign(1, g.at.X-g.start.X), Y: g.at.Y}
		if err := g.moveTo(beside); err != nil {
			return err
		}
		return g.moveTo(g.at)
	}
	steps := []func() error{rest, again, rest}
	if over.ID == 0 { // the point is what counts
		steps = []func() error{rest}
	}
	if data != nil {
		drag := func(kind input.DispatchDragEventType) func() error {
			p := &input.DispatchDragEventParams{Type: kind, X: g.at.X, Y: g.at.Y, Data: data}
			return func() error { return g.d.Act("", input.CommandDispatchDragEvent, p, nil) }
		}
		enter, move, drop := drag(input.DispatchDragEventTypeDragEnter), drag(input.DispatchDragEventTypeDragOver), drag(input.DispatchDragEventTypeDrop)
		steps = []func() error{enter, move, rest, move, rest, drop}
	}
	for _, step := range append(steps, g.release) {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
