// Package input acts on a page as a person would, with mouse, keyboard and wheel: it waits until an element can be
// acted on, sends it the input, and verifies that the input arrived there.
package input

import (
	"encoding/json"
	"slices"
	"sync/atomic"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// Chromium answers an input command whether or not the page receives the input: under a dialog of the browser's own,
// for one, every event is dropped. So a listener is installed in the frame before the input, in a world that the page's
// scripts cannot reach, and what it receives proves delivery. A page that stops events before they get to the listener
// cannot keep them out of performance.eventCounts, which is the second source.

// ArrivalBinding is the function with which a listener announces, while the event is dispatched, that input was
// delivered. Its argument becomes an event of the Runtime domain at once, whatever the page's own handlers do
// afterwards.
const ArrivalBinding = "hermesInputArrived"

// Actor is a [page.Actor] that also hears where input arrives.
type Actor interface {
	page.Actor
	// RunUnlessLeft is Run for what is asked after input, which can make the tab load another document. From then on the
	// page answers nothing, even if that document never comes: left reports that it did not come for some time.
	RunUnlessLeft(frame cdproto.FrameID, node cdproto.BackendNodeID, function string, args []any, result any) (left bool, err error)
	// RunBeforeInput is Run of a function that returns at once. No other operation runs script in the frame until the
	// input that follows is sent, or this operation runs another function; NoInput says that no input follows.
	RunBeforeInput(frame cdproto.FrameID, node cdproto.BackendNodeID, function string, args []any, result any) error
	NoInput()
	// ActThen is Act on the tab of a command that another one follows at once, whose reply it does not wait for.
	ActThen(method string, params any, next string, nextParams any) error
	// Unreceived is called when nothing has received input, and reports whether that is worth sending once more: a dialog
	// of the page may have just taken it. Otherwise, if no person is there to see it, the dialog is closed with which the
	// browser asks for a login over the tab whose input it takes; nobody knows whether there is one, and it takes the
	// browser a moment.
	Unreceived() (again bool, err error)
	// Unreleased is called when a page has received a press of a button, but not its release, and reports whether that is
	// worth clicking once more: a dialog of the page may have just taken the release.
	Unreleased() (again bool, err error)
	// Touches reports whether the tab has a touch screen.
	Touches() bool
	// Announce enables [ArrivalBinding] in the process of a frame, so that its listeners can announce.
	Announce(frame cdproto.FrameID) error
	// Announced returns the last announcement for an [Aim], by its id.
	Announced(id uint64) Arrival
	// LatestEvent returns the parameters of the newest event of a method in the tab since the operation began watching;
	// nil: none.
	LatestEvent(method string) []byte
}

// Arrival is what a listener announces.
type Arrival string

// The values that are announced after the id of an [Aim]; empty: nothing was announced yet.
const (
	ArrivedThere     Arrival = "there"     // at the intended element, or a part of it
	arrivedLoosely   Arrival = "loosely"   // likewise, a press of what is no control and may be there to be dragged
	ArrivedElsewhere Arrival = "elsewhere" // at another element of the frame
	ArrivedAside     Arrival = "aside"     // at the former position of an element that the page moved away during the drag
	ArrivesWithin    Arrival = "within"    // the element shows another document, which must listen instead
	HeldBack         Arrival = "held back" // it would have arrived at another element, and was kept from it
	cutShort         Arrival = "cut short" // likewise, after a press that had arrived
	letGo            Arrival = "let go"    // a press that had arrived, and its release
	slipped          Arrival = "slipped"   // likewise, but the release missed the element, which had moved
	outOfFocus       Arrival = "unfocused" // nothing: the focus that the element was given went to another document
)

// IsDelivery reports whether the page has received input.
func (a Arrival) IsDelivery() bool { return a != ArrivesWithin && a != HeldBack && a != outOfFocus }

// dropRefused says that a drag of data reached the intended element and ended without a drop. It is not announced,
// because the drop may still come.
const dropRefused Arrival = "refused"

// Signs are the types of events that prove the delivery of an input.
type Signs []string

// The signs of each kind of input.
var (
	Pressed  = Signs{"pointerdown", "mousedown"} // its release is verified by [Aim.Click]
	Pointed  = Signs{"pointermove", "pointerover"}
	Keyed    = Signs{"keydown"}
	Inserted = Signs{"beforeinput", "input"} // text that no key types
	Wheeled  = Signs{"wheel", "scroll"}
	released = Signs{"pointerup"} // the end of a drag
	dropped  = Signs{"dragover", "drop"}
)

// Aim is an element that input is for, at a point of the tab's viewport. A listener in its frame verifies the delivery.
type Aim struct {
	At           geometry.Point
	node         page.Element // without an ID, any element of the frame
	name         string       // as errors name it; empty: the page is asked
	signs        Signs
	force        bool // any element may receive the input
	id           uint64
	presses      int   // how many presses of a button to keep from other elements; 0: nothing is kept from them
	unverifiable bool  // no listener can be installed there
	taps         bool  // a finger presses, no button of a mouse
	byKey        bool  // it can only be reached by the focus and the keyboard
	spot         *spot // where the hit test found the element; nil: it was not made
	target       page.Element
	navigated    []byte // the newest [frameNavigated] when the input was sent

	// Called is the role and the name of the element, if aiming has found out both.
	Called string
	// Instead is the role and the name of the element that received the input instead, which only force allows.
	Instead string
	// Again finds the element once more, should the page have replaced it; nil: it cannot be found otherwise.
	Again func() (page.Element, error)
}

// Target is the element that is aimed at. It changes if the page replaces it.
func (a *Aim) Target() page.Element { return a.target }

// aimIDs numbers the aims.
var aimIDs atomic.Uint64

func aimAt(n page.Element, signs Signs, force bool) *Aim {
	return &Aim{node: n, target: n, signs: signs, force: force, id: aimIDs.Add(1)}
}

// forInput aims at the same element with another input, for which no listener is installed yet.
func (a *Aim) forInput(signs Signs) *Aim {
	next := aimAt(a.node, signs, a.force)
	next.name, next.target, next.unverifiable, next.taps = a.name, a.target, a.unverifiable, a.taps
	return next
}

// listen installs the listener of an aim in the document of its element, or in any document with the element null. A
// document that is known to listen for the wheel only gets its events once a frame of it has been drawn.
//
// It also remembers, for what is asked when the page has handled the input, the first field that the browser refuses
// meanwhile (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#constraint-validation), with a
// hint that no script sees: a form with such a field is not sent.
//
// With a number of presses it holds back those that would hit another element: the page hears nothing of them, and
// nothing is clicked, focused or selected. This ends with the last of the presses, or with the next listener.
const listen = `(e, id, signs, presses) => {
	const withinClosed = (hit, event) => { // which only exposes its host
		const root = e && hit !== e && within(e, hit) && ask(Node, "getRootNode", e);
		if (!root || root === ask(Node, "getRootNode", hit)) return hit;
		return ("clientX" in event ? (` + hitIn + `)(root, event.clientX, event.clientY) : root.activeElement) ?? hit;
	};
	const hitBy = event => {
		if (event.type === "textupdate") return e;
		const hit = event.composedPath()[0];
		return withinClosed(hit instanceof Element ? hit : document.documentElement, event);
	};
	const fits = hit => !e || (` + belongs + `)(hit, e) || hit.isContentEditable && within(e, hit);
	const isShield = hit => {
		const box = ask(Element, "getBoundingClientRect", hit);
		if (of(Node, "textContent", hit).trim() !== "" || !["div", "span"].includes(of(Element, "localName", hit))) return false; // such as a frame
		return box.left <= 0 && box.top <= 0 && box.right >= document.documentElement.clientWidth && box.bottom >= document.documentElement.clientHeight;
	};
	const ends = signs.includes("pointerup") || signs.includes("drop");
	const fate = (hit, event) => {
		if (fits(hit)) return "` + string(ArrivedThere) + `";
		if (!ends) return "` + string(ArrivedElsewhere) + `";
		const box = ask(Element, "getBoundingClientRect", e), x = event.clientX, y = event.clientY;
		const over = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
		// The dragged element may be hit itself, pages let the pointer through elements that it is dragged over, and they
		// cover all the viewport meanwhile with something empty, to have every movement and their own pointer.
		if (own.drag?.carries(hit, event) || over && (within(e, hit) || isShield(hit))) return "` + string(ArrivedThere) + `";
		return of(Node, "isConnected", e) && !over ? "` + string(ArrivedAside) + `" : "` + string(ArrivedElsewhere) + `";
	};
	const tell = what => globalThis.` + ArrivalBinding + `?.(id + " " + what);
	const count = sign => performance.eventCounts?.get(sign) ?? 0, before = signs.map(count), up = count("pointerup");
	const counted = () => signs.filter((sign, i) => count(sign) > before[i]);
	own.refused = null;
	if (!own.hearsRefusals && scripted()) {
		own.hearsRefusals = true;
		addEventListener("invalid", event => { own.refused ??= event.composedPath()[0] }, {capture: true});
	}
	own.arrival?.listening.abort();
	const arrival = own.arrival = {id, counted, what: "", met: null, listening: new AbortController()};
	// A press may arrive whose release does not, when the browser shows a dialog of its own in between.
	let releases = 0;
	arrival.expects = focused => fits(withinClosed(focused, {}));
	arrival.released = () => Math.max(releases, count("pointerup") - up);
	const release = slips => { releases++; arrival.slipped = slips; tell(slips ? "` + string(slipped) + `" : "` + string(letGo) + `") };
	const note = event => {
		if (!event.isTrusted) return;
		arrival.met = hitBy(event);
		arrival.what = fate(arrival.met, event);
		const there = arrival.what === "` + string(ArrivedThere) + `";
		if (event.type === "dragover") {
			if (there) arrival.what = "` + string(dropRefused) + `"; // unless the drop comes
			return;
		}
		tell(arrival.what);
		if (signs.includes("pointerdown")) {
			for (const sign of signs) removeEventListener(sign, note, {capture: true});
			addEventListener(event.pointerType === "mouse" ? "pointerup" : "click", event => event.isTrusted && release(false), {capture: true, passive: true, signal: arrival.listening.signal});
		} else if (there || !signs.includes("pointermove")) arrival.listening.abort();
	};
	// A press that makes its element move, as when a field loses the focus and a hint goes, is no click. It may have been
	// all that the page wanted if it changed the state of the element, as of a button that opens a menu, or if nothing can
	// click it now because it is hidden, covered or lets the pointer through. For a double click it is too late.
	const single = presses === 1;
	const states = () => ["aria-expanded", "aria-pressed", "aria-checked", "aria-selected", "data-state"].map(name => ask(Element, "getAttribute", e, name)).join();
	const canBeHit = box => {
		const x = box.x + box.width / 2, y = box.y + box.height / 2;
		if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return true; // nobody can tell
		const hit = (` + hitIn + `)(ask(Node, "getRootNode", e), x, y);
		return !!hit && fits(hit);
	};
	const slips = event => {
		const box = ask(Element, "getBoundingClientRect", e), was = arrival.box;
		const moved = box.width * box.height > 0 && Math.max(Math.abs(box.x - was.x), Math.abs(box.y - was.y)) > 1;
		return single && moved && !fits(hitBy(event)) && states() === arrival.states && canBeHit(box);
	};
	const roles = "button link checkbox radio switch tab option menuitem menuitemcheckbox menuitemradio combobox textbox searchbox slider spinbutton treeitem";
	const controls = "a[href], area, button, input, select, textarea, summary, label, option, [contenteditable], [onclick], " + roles.split(" ").map(role => "[role=" + role + "]").join();
	const isLoose = hit => { for (let n = hit; n; n = above(n)) if (ask(Element, "matches", n, controls)) return false; return true };
	// The first press of a double click may make the page draw its element again, such as the row that it selects. A button
	// in its place with the same text is rather that of the next row.
	const isRedrawn = hit => {
		const text = n => of(Node, "textContent", n).trim(), name = n => of(Element, "localName", n);
		if (of(Node, "isConnected", e) || text(e) === "" || ask(Element, "closest", e, "a[href], button, summary, [role=button], [role=link]")) return false;
		for (let n = hit; n; n = above(n)) if (name(n) === name(e) && text(n) === text(e)) return true;
		return false;
	};
	// The click of a tap comes after the finger has gone, and goes to what is there by then: what the page has shown on the
	// touch meanwhile must not get it. A page that takes the touch for itself gets none.
	const holdTap = event => {
		const there = event.type === "touchend" || fits(hitBy(event));
		if (event.type === "mousedown" && !there) arrival.held = true;
		if (event.type === "mousedown" && !there) release(slips(event));
		if (event.type === "click" && !arrival.held) release(false);
		if (event.type === "touchend") after(0).then(() => event.defaultPrevented && release(false));
	};
	const hold = event => {
		if (!event.isTrusted) return;
		// Of a tap on an element that is hardly there, a page may hear nothing but its click.
		if (event.type === "pointerdown" || event.type === "mousedown" && !arrival.met) {
			arrival.taps = event.pointerType !== "mouse";
			if (presses-- <= 0) return arrival.listening.abort();
			arrival.met = hitBy(event);
			arrival.box = ask(Element, "getBoundingClientRect", e);
			arrival.states = states();
			arrival.held = !fits(arrival.met) && !(arrival.what && isRedrawn(arrival.met));
			arrival.what = !arrival.held ? "` + string(ArrivedThere) + `" : arrival.what ? "` + string(cutShort) + `" : "` + string(HeldBack) + `";
			arrival.loose = !arrival.held && isLoose(arrival.met);
			tell(arrival.loose ? "` + string(arrivedLoosely) + `" : arrival.what);
		}
		if (arrival.taps && !arrival.held && ["touchend", "mousedown", "click"].includes(event.type)) holdTap(event);
		if (arrival.held) event.stopImmediatePropagation();
		if (arrival.held && !begin.includes(event.type) && event.cancelable) event.preventDefault(); // there it would only hide the rest from us
		if (event.type === "pointerup" && !arrival.held && !arrival.taps) release(slips(event));
		const ends = arrival.taps ? event.type === "click" || event.type === "pointercancel" : event.type === "pointerup";
		if (ends && presses <= 0) after(0).then(() => arrival.listening.abort()); // after the click
	};
	const begin = ["pointerdown", "touchstart"];
	const pressing = [...begin, "mousedown", "pointerup", "mouseup", "touchend", "pointercancel", "touchcancel", "click", "auxclick", "dblclick", "contextmenu"];
	if (presses && scripted()) setTimeout(() => arrival.listening.abort(), 10000); // should the presses never come
	if (presses) for (const type of pressing) addEventListener(type, hold, {capture: true, signal: arrival.listening.signal});
	else for (const sign of signs) addEventListener(sign, note, {capture: true, passive: true, signal: arrival.listening.signal});
	// What no key types into an element with an EditContext comes to that alone.
	if (e && signs.includes("beforeinput") && (` + query.DrawnText + `)(e) !== null) e.editContext.addEventListener("textupdate", note, {signal: arrival.listening.signal});
	if (e && (` + isFrame + `)(e)) tell("` + string(ArrivesWithin) + `");
	if (!signs.includes("wheel")) return null;
	return frame().then(frame).then(() => null);
}`

const (
	// listenAnywhere listens for input at any element of a document.
	listenAnywhere = `(id, signs) => (` + listen + `)(null, id, signs, 0)`
	// arrivalResult returns what the listener received and which signs the browser counted; null in another document.
	arrivalResult = `() => { const a = own.arrival; return a ? {id: a.id, what: a.what, counted: a.counted(), released: a.released(), slipped: !!a.slipped} : null }`
	// arrivalElement returns the element that received the input.
	arrivalElement = `() => own.arrival?.met ?? null`
	// stopListening removes the listener.
	stopListening = `() => { own.arrival?.listening.abort(); return null }`
)

// frameNavigated is the event that a frame has another document.
const frameNavigated = "Page.frameNavigated"

// send sends input to the point that is aimed at.
func (a *Aim) send(d Actor, input func(at geometry.Point) error) error {
	a.navigated = d.LatestEvent(frameNavigated)
	return input(a.At)
}

// replaced reports whether the frame has got another document since the input was sent.
func (a *Aim) replaced(d Actor) bool {
	now := d.LatestEvent(frameNavigated)
	if now == nil || a.navigated != nil && &now[0] == &a.navigated[0] {
		return false
	}
	var e struct {
		Frame struct {
			ID cdproto.FrameID `json:"id"`
		} `json:"frame"`
	}
	return json.Unmarshal(now, &e) == nil && e.Frame.ID == a.node.Frame
}

// listen installs the listener.
func (a *Aim) listen(d Actor) error {
	a.navigated = d.LatestEvent(frameNavigated)
	if err := d.Announce(a.node.Frame); err != nil {
		return err
	}
	if a.node.ID == 0 {
		return d.Run(a.node.Frame, 0, listenAnywhere, []any{a.id, a.signs}, nil)
	}
	if err := d.Run(a.node.Frame, a.node.ID, listen, []any{a.id, a.signs, 0}, nil); err != nil {
		return err
	}
	return a.listenWithin(d)
}

// listenWithin moves the listener to the innermost frame at the point if the intended element shows a document of its
// own.
func (a *Aim) listenWithin(d Actor) error {
	if d.Announced(a.id) != ArrivesWithin {
		return nil
	}
	hit, err := innermost(d, a.At)
	if err != nil {
		return err
	}
	if a.unverifiable = hit.Frame == a.node.Frame; a.unverifiable { // such as a PDF, in which no script runs
		return nil
	}
	inner := aimAt(page.Element{Frame: hit.Frame}, a.signs, true)
	inner.At, inner.name, inner.target, inner.Called, inner.taps = a.At, "the frame", a.target, a.Called, a.taps
	*a = *inner
	return a.listen(d)
}

// Proven reports whether the input was delivered. The error is a [*NotDeliveredError] if another element received it.
func (a *Aim) Proven(d Actor) (bool, error) {
	what, err := a.arrived(d)
	if a.force && err == nil && what == letGo { // with what this was announced last, not where it was pressed
		if r, _, err := a.result(d); err == nil && r != nil {
			what = r.What
		}
	}
	if err == nil && what == ArrivedElsewhere {
		err = a.misdelivered(d)
	}
	return what != "", err
}

// arrived returns where the input was delivered; empty: nowhere.
func (a *Aim) arrived(d Actor) (Arrival, error) {
	if a.unverifiable {
		return ArrivedThere, nil
	}
	if what := a.announced(d); what != "" {
		return what, nil
	}
	r, gone, err := a.result(d)
	switch {
	case gone:
		return ArrivedThere, nil // as after a click on a link
	case err != nil:
		return "", err
	case r == nil && a.replaced(d):
		// Nobody can be asked any more, and what the document announced may be lost with it. That the input made it go is
		// more likely than that it went just then, and if it did, a second click would order twice.
		return ArrivedThere, nil
	case r == nil:
		return a.announced(d), nil // what may have come meanwhile
	case r.What != "" || len(r.Counted) == 0:
		return r.What, nil
	case slices.Contains(a.signs, "drop") && !slices.Contains(r.Counted, "drop"):
		return dropRefused, nil
	}
	return ArrivedThere, nil
}

// announced is where the input arrived as far as its document has announced it; empty: it has not.
func (a *Aim) announced(d Actor) Arrival {
	switch what := d.Announced(a.id); what {
	case arrivedLoosely:
		return ArrivedThere
	case ArrivesWithin, outOfFocus:
		return ""
	default:
		return what
	}
}

// result is what the listener and the browser counted; nil in another document, gone if the document was replaced or is
// being left.
func (a *Aim) result(d Actor) (r *arrivalState, gone bool, err error) {
	left, err := d.RunUnlessLeft(a.node.Frame, 0, arrivalResult, nil, &r)
	if left || d.Gone(err) {
		return nil, true, nil
	}
	if r != nil && r.ID != a.id {
		r = nil
	}
	return r, false, err
}

// arrivalState is the result of the script of that name.
type arrivalState struct {
	ID       uint64
	What     Arrival
	Counted  Signs
	Released int64
	Slipped  bool
}

// letGo verifies that the document whose presses have arrived received the releases of all of them, and returns letGo,
// or slipped. A document that was replaced meanwhile needs none.
func (a *Aim) letGo(d Actor, presses int) (Arrival, error) {
	if a.unverifiable {
		return letGo, nil
	}
	if a.taps {
		if err := a.awaitClick(d); err != nil {
			return "", err
		}
	}
	if what := d.Announced(a.id); presses == 1 && (what == letGo || what == slipped) {
		return what, nil
	}
	switch r, gone, err := a.result(d); {
	case err != nil:
		return "", err
	case gone || r == nil:
		return letGo, nil
	case r.Slipped:
		return slipped, nil
	case r.Released < int64(presses):
		return "", a.withName(d, &NotDeliveredError{Held: true})
	}
	return letGo, nil
}

// Deliver sends input to what is aimed at, and verifies the delivery. Input that was not delivered is sent once more,
// and again if a dialog was closed that may have taken it; it cannot take effect twice. The error is a
// [*NotDeliveredError], or the driver's.
func (a *Aim) Deliver(d Actor, input func(at geometry.Point) error) error {
	for again := false; ; again = true {
		if d.Announced(a.id) == outOfFocus {
			if err := a.refocused(d, &NotDeliveredError{Refocused: true}); err != nil {
				return err
			}
		}
		if err := a.send(d, input); err != nil {
			return err
		}
		arrived, err := a.Proven(d)
		if err != nil || arrived {
			return err
		}
		if again {
			if err := a.unreceived(d); err != nil {
				return err
			}
		}
		if err := a.retarget(d); err != nil {
			return err
		}
	}
}

// isTyped reports whether the input goes to what has the focus.
func (a *Aim) isTyped() bool { return slices.Equal(a.signs, Keyed) || slices.Equal(a.signs, Inserted) }

// retarget aims again: the element may have moved, or be covered by now. If another document has the focus, keys that
// did not arrive most likely went there.
func (a *Aim) retarget(d Actor) error {
	if a.node.ID != 0 && a.At != (geometry.Point{}) { // keys have no point
		next, err := Ready(d, a.node, a.force, a.signs)
		if err == nil {
			next.taps = a.taps
			*a = *next
		}
		return err
	}
	if err := page.AwaitDrawn(d, a.node.Frame); err != nil {
		return err
	}
	if a.isTyped() {
		if err := a.refocused(d, &NotDeliveredError{}); err != nil {
			return err
		}
	}
	next := a.forInput(a.signs)
	next.At = a.At
	*a = *next
	return a.listen(d)
}
