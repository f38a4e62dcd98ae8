package input

import (
	"cmp"
	"errors"
	"slices"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

const (
	// firstPause is the first pause between two hit tests of an element; it doubles each time, up to lastPause.
	firstPause = 50 * time.Millisecond
	lastPause  = 500 * time.Millisecond
	// pointerLimit is how long the pointer is moved to a frame that receives no event of it.
	pointerLimit = 2 * time.Second
)

// isAnimated tells whether an animation runs that may move an element.
const isAnimated = `e => {
	for (let n = e; n; n = above(n)) if (ask(Element, "getAnimations", n).some(a => a.playState === "running")) return true;
	return false;
}`

// actionableState waits, for at most a number of milliseconds, until an element is visible, enabled and at rest, and
// returns its state: "" if all is well, or the obstacle and its cause.
const actionableState = `async (e, limit) => {
	const condition = ` + query.Condition + `, shown = (` + query.ShownBy + `)(e);
	// A moving element rests until the next frame is drawn, which a busy machine delays. In a tab that draws none nothing moves.
	const undrawn = () => (` + isAnimated + `)(shown) ? 0.05 : 0.25;
	const end = performance.now() + limit;
	for (let last = "", alike = 0, moved = false, drawn = false; ; drawn = await frame()) {
		const now = condition(e), box = ask(Element, "getBoundingClientRect", shown), here = [box.x, box.y, box.width, box.height].join();
		if (now[0] === "detached" || now[0] === "unfit") return now;
		if (last && here !== last) moved = true, alike = 0;
		else if (last) alike += drawn ? 1 : undrawn();
		last = here;
		if (!now[0] && alike >= 2) return now; // twice: an element that turns round may be at one place two times
		if (performance.now() > end) return now[0] || !moved ? now : ["moving", ""];
	}
}`

// aimAtOnce returns where an element is that can be acted on as it is, and installs the listener; else null. The result
// is a [foundAtOnce].
const aimAtOnce = `(e, id, signs) => {
	if ((` + query.Condition + `)(e)[0]) return null;
	const box = [...ask(Element, "getClientRects", e)].find(box => box.width * box.height >= 0.5);
	if (!box) return null;
	const x = box.x + box.width / 2, y = box.y + box.height / 2;
	if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight || (` + hitAndListen + `)(e, x, y, id, signs, 0, 0)) return null;
	return {x, y, unseen: (` + trackPointer + `)(), animated: (` + isAnimated + `)(e), named: (` + page.NamedOnceRead + `)(e)};
}`

// foundAtOnce is the result of the script of that name.
type foundAtOnce struct {
	X, Y     float64
	Unseen   bool     // the document has received no pointer event yet
	Animated bool     // an animation may move the element
	Named    []string // its role and its name; empty: its document was not read yet
}

// Ready scrolls an element into view and waits, as long as the driver's patience lasts, until it can be acted on. It
// aims at the point of the tab's viewport where a hit test finds the element, and installs a listener for the signs of
// the input. With force it does not wait. The error is a [*NotActionableError], or the driver's.
func Ready(d Actor, n page.Element, force bool, signs Signs) (*Aim, error) {
	if force {
		return aimForced(d, n, signs)
	}
	if aim, err := ReadyAtOnce(d, n, signs); aim != nil || err != nil {
		return aim, err
	}
	if slices.Equal(signs, Pressed) {
		by, err := standInFor(d, n)
		if err != nil {
			return nil, err
		}
		if by == n {
			aim := aimAt(n, signs, false)
			aim.byKey = true
			return aim, nil
		}
		n = cmp.Or(by, n)
	}
	return awaitReady(d, n, signs)
}

// ReadyAtOnce aims at an element of the top frame for a press, without waiting until it is at rest: [Aim.Click] looks
// once more where it is, after the pointer has moved. It returns nil for an element that is not ready or not in view,
// for other input, and in a tab of several processes.
func ReadyAtOnce(d Actor, n page.Element, signs Signs) (*Aim, error) {
	if n.Frame = cmp.Or(n.Frame, cdproto.FrameID(d.Target())); !slices.Equal(signs, Pressed) || n.Frame != cdproto.FrameID(d.Target()) {
		return nil, nil
	}
	path, err := page.FramePath(d, n.Frame)
	s := &spot{path: path, target: n}
	if err != nil || s.isMultiProcess(d) {
		return nil, err
	}
	if err := d.Announce(n.Frame); err != nil {
		return nil, err
	}
	aim := aimAt(n, signs, false)
	var found *foundAtOnce
	if err := d.RunBeforeInput(n.Frame, n.ID, aimAtOnce, []any{aim.id, aim.signs}, &found); err != nil || found == nil {
		return nil, err
	}
	aim.At, aim.spot, s.unseen, s.animated = geometry.Point{X: found.X, Y: found.Y}, s, found.Unseen, found.Animated
	s.local = []geometry.Point{aim.At}
	if len(found.Named) == 2 && found.Named[0] != "" {
		aim.Called = page.Describe(found.Named[0], found.Named[1])
	}
	return aim, aim.listenWithin(d)
}

// awaitReady is Ready for an element that need not be so yet.
func awaitReady(d Actor, n page.Element, signs Signs) (*Aim, error) {
	path, err := page.FramePath(d, n.Frame)
	if err != nil {
		return nil, err
	}
	end, unseen, covered := time.Now().Add(d.ReadyLimit()), time.Duration(0), 0
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		if err := awaitActionable(d, n, time.Until(end)); err != nil {
			return nil, err
		}
		aim := aimAt(n, signs, false)
		s, by, err := hitTest(d, n, path, aim)
		over := time.Now().Add(pause).After(end)
		if over && err == nil && covered > 0 { // what is in the way there is what is said
			if err := d.Run(n.Frame, n.ID, align, []any{alignments[0]}, nil); err != nil {
				return nil, err
			}
			s, by, err = hitTest(d, n, path, aim)
		}
		switch {
		case err == nil && by == (page.Element{}):
			began := time.Now()
			there, err := s.movePointer(d)
			unseen += pause + time.Since(began)
			if err != nil {
				return nil, err
			}
			if there || over || unseen > pointerLimit { // a page can hide pointer events from us
				aim.At, aim.spot = s.inTab(), s
				return aim, aim.listenWithin(d)
			}
		case err != nil || over:
			return nil, coveredError(d, n, by, s, err)
		case by != n:
			if covered > 0 { // what covers it at the first look is often about to go, and a scroll may close its menu
				if err := d.Run(n.Frame, n.ID, align, []any{alignments[(covered-1)%len(alignments)]}, nil); err != nil {
					return nil, err
				}
			}
			covered++
		}
		if err := query.Sleep(d, pause); err != nil {
			return nil, err
		}
	}
}

// alignments are where an element that is covered is scrolled to, one after the other and again: something else may be
// over all of the page for a while. To Chromium one is in view below a bar that is fixed or sticky, too.
var alignments = []string{"center", "end", "start"}

const align = `(e, at) => ask(Element, "scrollIntoView", e, {block: at, inline: at, behavior: "instant"}) ?? null`

// Usable waits, as long as the driver's patience lasts, until an element is visible, enabled and at rest. The error is
// a [*NotActionableError], or the driver's.
func Usable(d Actor, n page.Element) error { return awaitActionable(d, n, d.ReadyLimit()) }

// UsableList is Usable for a select. Libraries hide it and show a list of their own, which does not follow it.
func UsableList(d Actor, n page.Element) error {
	err := Usable(d, n)
	if not := (*NotActionableError)(nil); errors.As(err, &not) && not.Obstacle == Hidden {
		return &NotActionableError{Obstacle: Unfit, Element: not.Element, By: "a list that the page hides" + not.detail() + ": click what it shows instead, and then the option"}
	}
	return err
}

// awaitActionable is Usable with a limit.
func awaitActionable(d Actor, n page.Element, limit time.Duration) error {
	if err := scrollTo(d, n); err != nil {
		return err
	}
	var state [2]string
	if err := d.Run(n.Frame, n.ID, actionableState, []any{limit.Milliseconds()}, &state); err != nil {
		return err
	}
	if state[0] == "" {
		return nil
	}
	return notActionable(d, n, Obstacle(state[0]), state[1])
}

// notActionable makes the error of an obstacle; why comes from the page.
func notActionable(d Actor, n page.Element, o Obstacle, why string) error {
	out := &NotActionableError{Obstacle: o, Element: "the element"}
	if o != Detached {
		name, err := page.Name(d, n)
		if err != nil {
			return err
		}
		out.Element = name
	}
	switch {
	case o == Behind:
		by, err := ModalOver(d, n)
		if err != nil {
			return err
		}
		return behindError(d, out.Element, by)
	case o == Unfit:
		return closedListError(d, n, out, why)
	case why != "":
		out.By, _ = page.Clip(why, 2*page.MaxDescribed)
	}
	return out
}

// closedListError completes the error that an option of a closed list is not part of the page.
func closedListError(d Actor, n page.Element, out *NotActionableError, value string) error {
	list, err := ListOf(d, n)
	if err != nil {
		return err
	}
	name, err := page.Name(d, list)
	if err != nil {
		return err
	}
	value, _ = page.Clip(value, page.MaxDescribed)
	out.By = "in the closed list " + name + "; use select on it or on that list, with the value " + value + " or the label"
	return out
}

// scrollTo scrolls an element into view in all frames around it. An element without a box is not scrolled to, unless it
// is an area of an image.
func scrollTo(d Actor, n page.Element) error {
	var rendered bool
	if err := d.Run(n.Frame, n.ID, `(e) => of(Node, "isConnected", e) && ask(Element, "getClientRects", e).length > 0`, nil, &rendered); err != nil {
		return err
	}
	if !rendered {
		return scrollToArea(d, n)
	}
	err := d.Act(n.Frame, dom.CommandScrollIntoViewIfNeeded, &dom.ScrollIntoViewIfNeededParams{BackendNodeID: n.ID}, nil)
	return vanished(d, n, err)
}

// vanished turns the browser's refusal of a command for an element that had a box a moment ago into the reason.
func vanished(d Actor, n page.Element, err error) error {
	if !errors.Is(err, fault.ErrProtocol) {
		return err
	}
	var connected bool
	if err := d.Run(n.Frame, n.ID, `(e) => of(Node, "isConnected", e)`, nil, &connected); err != nil {
		return err
	}
	if !connected {
		return notActionable(d, n, Detached, "")
	}
	return notActionable(d, n, Hidden, "it has no size")
}

// hitTest finds the point of an element and the element that a hit test finds there instead: zero if it finds the
// element itself, and the element itself if the point is out of view.
func hitTest(d Actor, n page.Element, path []page.Level, aim *Aim) (*spot, page.Element, error) {
	s, err := locate(d, n, path)
	if err != nil {
		return nil, page.Element{}, err
	}
	by, err := s.obstacle(d, aim, 0)
	return s, by, err
}

// whyNotHit says why a hit test at a point of its frame does not find an element though nothing may cover it: the
// element lets the pointer through, or a box around it clips it there. The document's own box does not count: it
// scrolls.
const whyNotHit = `(e, x, y) => {
	if (getComputedStyle(e).pointerEvents === "none") return (` + query.ModalOver + `)(e) ? ["behind a modal", ""] : ["disabled", ""];
	for (let n = above(e); n && n !== document.body && n !== document.documentElement; n = above(n)) {
		const style = getComputedStyle(n), box = ask(Element, "getBoundingClientRect", n);
		const out = (at, from, to) => at < from || at > to || to - from < 1;
		const cut = style.overflowX !== "visible" && out(x, box.left, box.right) || style.overflowY !== "visible" && out(y, box.top, box.bottom);
		if (cut) return ["outside", "cut off by " + called(n)];
	}
	return ["", ""];
}`

// coveredError makes the error for the element that a hit test found instead.
func coveredError(d Actor, n, by page.Element, s *spot, err error) error {
	through := false // the element lets the pointer through
	switch {
	case err != nil:
		return err
	case by == n:
		return notActionable(d, n, Outside, "")
	case by.Frame == n.Frame:
		var why [2]string
		at := s.local[len(s.local)-1]
		if err := d.Run(n.Frame, n.ID, whyNotHit, []any{at.X, at.Y}, &why); err != nil {
			return err
		}
		if through = why[0] == string(Disabled); why[0] != "" && !through {
			return notActionable(d, n, Obstacle(why[0]), why[1])
		}
	}
	name, err := page.Name(d, n)
	if err != nil {
		return err
	}
	modal, err := modalOf(d, n, by, s)
	switch {
	case err != nil:
		return err
	case modal.ID != 0:
		return behindError(d, name, modal)
	}
	cover, err := page.NameWithSelector(d, by)
	if err != nil {
		return err
	}
	if through {
		return &NotActionableError{Obstacle: Disabled, Element: name, By: "pointer-events: none; a click there goes to " + cover}
	}
	return &NotActionableError{Obstacle: Covered, Element: name, By: cover}
}
