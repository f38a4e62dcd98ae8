package input

import (
	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

const (
	// visiblePart returns the middle of the part of an element that is in view, through all boxes and frames around it;
	// null if there is none. Where scripts are disabled no timer fires, but promises resolve.
	visiblePart = `async (e) => {
	let seen = null;
	const observer = new IntersectionObserver(list => { seen = list[0].intersectionRect });
	observer.observe(e);
	for (const end = performance.now() + 1000; !seen && performance.now() < end; ) await new Blob([""]).arrayBuffer();
	observer.disconnect();
	return seen && seen.width >= 1 && seen.height >= 1 ? [seen.x + seen.width / 2, seen.y + seen.height / 2] : null;
}`
	// noteScrollers notes the position of whatever the wheel over a node can scroll.
	noteScrollers = `(node) => {
	const whole = document.scrollingElement ?? document.documentElement;
	const list = [];
	for (let n = node instanceof Element ? node : node?.parentElement ?? node?.getRootNode().host; n; n = above(n)) {
		const style = getComputedStyle(n), scrolls = overflow => ["auto", "scroll", "overlay"].includes(overflow);
		if (n !== whole && (scrolls(style.overflowX) || scrolls(style.overflowY))) list.push(n);
	}
	own.scrollers = [...list, whole].map(n => ({n, x: n.scrollLeft, y: n.scrollTop}));
	return null;
}`
	noteWhole = `() => (` + noteScrollers + `)(null)`
	// whatScrolled returns how far the innermost of those has scrolled, and how far it can be scrolled up, down, left and
	// right now; if none has, the innermost one that could be. Positions are negative where the content begins at the
	// other end.
	whatScrolled = `(vertical) => {
	const round = v => v < 1 ? 0 : Math.round(v);
	const state = ({n, x, y}) => {
		const style = getComputedStyle(n), wide = n.scrollWidth - n.clientWidth, high = n.scrollHeight - n.clientHeight;
		const left = n.scrollLeft + (style.direction === "rtl" ? wide : 0);
		const up = n.scrollTop + (n.scrollTop < 0 || style.display.includes("flex") && style.flexDirection === "column-reverse" ? high : 0);
		return {by: round(Math.abs(vertical ? n.scrollTop - y : n.scrollLeft - x)), up: round(up), down: round(high - up), left: round(left), right: round(wide - left)};
	};
	const all = (own.scrollers ?? []).filter(s => s.n.isConnected).map(state);
	return all.find(s => s.by > 0) ?? all.find(s => vertical ? s.up + s.down > 0 : s.left + s.right > 0) ?? all.at(-1) ?? null;
}`
)

// Scrolled is how far something was scrolled, and how far it can be scrolled from there, in CSS pixels.
type Scrolled struct{ By, Up, Down, Left, Right float64 }

// Scroll turns the wheel over what is aimed at, waits until the page is at rest, and returns what has scrolled; nil if
// that cannot be said, as when the page was left.
func Scroll(d Actor, aim *Aim, dx, dy float64) (*Scrolled, error) {
	hit, err := innermost(d, aim.At) // what scrolls may be around the element, or within it, even in another frame
	if err != nil {
		return nil, err
	}
	if hit.Frame != aim.node.Frame {
		if aim, err = aim.inFrame(d, hit.Frame); err != nil {
			return nil, err
		}
	}
	path, err := page.FramePath(d, hit.Frame)
	if err != nil {
		return nil, err
	}
	for i, l := range path {
		inner, note := hit, noteScrollers
		if i+1 < len(path) {
			inner = path[i+1].Owner
		}
		if inner.ID == 0 {
			note = noteWhole
		}
		if err := d.Run(l.Frame.ID, inner.ID, note, nil, nil); err != nil {
			return nil, err
		}
	}
	if err := turn(d, aim, dx, dy); err != nil {
		return nil, err
	}
	var best *Scrolled
	for i := len(path) - 1; i >= 0; i-- { // what is at its end lets the frame around it scroll
		var s *Scrolled
		switch err := d.Run(path[i].Frame.ID, 0, whatScrolled, []any{dy != 0}, &s); {
		case d.Gone(err):
			return nil, nil
		case err != nil:
			return nil, err
		case s != nil && s.By > 0:
			return s, nil
		case best == nil || s != nil && !best.canMove(dy != 0):
			best = s
		}
	}
	return best, nil
}

// inFrame aims the wheel at the same point, in a frame that is there within the element.
func (a *Aim) inFrame(d Actor, frame cdproto.FrameID) (_ *Aim, err error) {
	name := a.name
	if a.node.ID != 0 {
		if name, err = page.NameWithSelector(d, a.node); err != nil {
			return nil, err
		}
	}
	return over(d, frame, a.At, a.signs, name)
}

func (s Scrolled) canMove(vertical bool) bool {
	return vertical && s.Up+s.Down > 0 || !vertical && s.Left+s.Right > 0
}

// OverElement aims the wheel at the part of an element that is in view; only an element that is out of view is scrolled
// to first.
func OverElement(d Actor, n page.Element) (*Aim, error) {
	s, err := visibleSpot(d, n)
	if err != nil {
		return nil, err
	}
	if s != nil {
		there, err := s.movePointer(d)
		if err != nil {
			return nil, err
		}
		if there {
			aim := aimAt(n, Wheeled, true)
			aim.At = s.inTab()
			return aim, aim.listen(d)
		}
	}
	return aimForced(d, n, Wheeled)
}

// visibleSpot is the middle of what is in view of an element; nil if nothing is.
func visibleSpot(d Actor, n page.Element) (*spot, error) {
	var at []float64
	if err := d.Run(n.Frame, n.ID, visiblePart, nil, &at); err != nil || len(at) != 2 {
		return nil, err
	}
	path, err := page.FramePath(d, n.Frame)
	if err != nil {
		return nil, err
	}
	n.Frame = path[len(path)-1].Frame.ID
	inTab, err := toTab(d, path, geometry.Point{X: at[0], Y: at[1]})
	if err != nil {
		return nil, err
	}
	s := &spot{path: path, local: make([]geometry.Point, len(path)), target: n}
	s.local[len(path)-1], s.local[0] = geometry.Point{X: at[0], Y: at[1]}, inTab // the same in the top frame
	return s, nil
}

// toTab maps a point of the innermost frame of a path to the viewport of the tab.
func toTab(d Actor, path []page.Level, at geometry.Point) (geometry.Point, error) {
	if err := page.MeasurePath(d, path); err != nil {
		return geometry.Point{}, err
	}
	for i := len(path) - 1; i >= 1; i-- {
		at = path[i].ToParent.Apply(at)
		for i > 1 && !path[i-1].OwnSession { // it is in the coordinates of the session already
			i--
		}
	}
	return at, nil
}
