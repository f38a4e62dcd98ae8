package page

import (
	"fmt"
	"slices"
	"sync/atomic"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// Chromium answers an input command whether or not the page gets the input: under a dialog of the browser's own, for one,
// every event is dropped. So before the input its frame is made to listen, in a world that the page's scripts cannot meet,
// and what was heard there proves the arrival. A page that stops events before they get to the listener cannot keep them
// out of performance.eventCounts, which is asked where nothing was heard.

// ArrivalBinding is the function by which a listener announces in the middle of an event that input arrived: what it is
// given is an event of the Runtime domain at once, whatever the page's own handlers do afterwards.
const ArrivalBinding = "hermesInputArrived"

// Arrival is what a listener announces.
type Arrival string

// What is announced after the id of an [Aim]; empty: nothing yet.
const (
	ArrivedThere     Arrival = "there"     // at the element that was meant, or what belongs to it
	ArrivedElsewhere Arrival = "elsewhere" // at another element of the frame
	ArrivedAside     Arrival = "aside"     // where the element was, which the page moved away during the drag
	ArrivesWithin    Arrival = "within"    // the element is a frame of its own, which is the one to listen
)

// refused is where a drag of data was at the element that was meant, and ended without a drop. It is not announced, as the
// drop may come yet.
const dropRefused Arrival = "refused"

// Signs are the events that prove the arrival of a kind of input.
type Signs []string

// The signs of the kinds of input.
var (
	Pressed  = Signs{"pointerdown"}
	Pointed  = Signs{"pointermove", "pointerover"}
	Keyed    = Signs{"keydown"}
	Inserted = Signs{"beforeinput", "input"} // by no key
	Wheeled  = Signs{"wheel", "scroll"}
	released = Signs{"pointerup"} // the end of a drag
	dropped  = Signs{"dragover", "drop"}
)

// Aim is an element that input is for, at a point of the tab's viewport, whose frame listens for it.
type Aim struct {
	At    Point
	node  Element // without an ID any element of the frame is meant
	name  string  // what errors call it; empty: it is asked for
	signs Signs
	force bool // whatever element is met
	id    uint64
	unverifiable bool // nobody can listen there
}

// aims numbers them.
var aimIDs atomic.Uint64

func aimAt(n Element, signs Signs, force bool) *Aim {
	return &Aim{node: n, signs: signs, force: force, id: aimIDs.Add(1)}
}

// follow aims at the same with another input, for which nothing listens yet.
func (a *Aim) forInput(signs Signs) *Aim {
	next := aimAt(a.node, signs, a.force)
	next.name, next.unverifiable = a.name, a.unverifiable
	return next
}

// listen makes a document listen for one arrival, with the element that is meant or null. A wheel is only told to a
// document that is known to listen when a frame of it is drawn.
const listen = `(e, id, signs) => {
	const above = n => n.assignedSlot || n.parentElement || (n.getRootNode().host ?? null);
	const within = (n, wanted) => { for (; n; n = above(n)) if (n === wanted) return true; return false };
	const metBy = event => {
		let hit = event.composedPath()[0];
		if (!(hit instanceof Element)) hit = document.documentElement;
		if (e && hit !== e && within(e, hit) && e.getRootNode() !== hit.getRootNode()) { // a closed root shows its host only
			const root = e.getRootNode();
			hit = ("clientX" in event ? root.elementFromPoint(event.clientX, event.clientY) : root.activeElement) ?? hit;
		}
		return hit;
	};
	const fits = hit => !e || within(hit, e) || hit.closest("label")?.control === e || hit.isContentEditable && within(e, hit);
	const ends = signs.includes("pointerup") || signs.includes("drop");
	const fate = (hit, event) => {
		if (fits(hit)) return "` + string(ArrivedThere) + `";
		if (!ends) return "` + string(ArrivedElsewhere) + `";
		const box = e.getBoundingClientRect(), x = event.clientX, y = event.clientY;
		const over = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
		// What is dragged may be met itself, and pages let the pointer through the elements that it is dragged over.
		if (globalThis.drag?.carries(hit, event) || over && within(e, hit)) return "` + string(ArrivedThere) + `";
		return e.isConnected && !over ? "` + string(ArrivedAside) + `" : "` + string(ArrivedElsewhere) + `";
	};
	const tell = what => globalThis.` + ArrivalBinding + `?.(id + " " + what);
	const count = sign => performance.eventCounts?.get(sign) ?? 0, before = signs.map(count);
	const counted = () => signs.filter((sign, i) => count(sign) > before[i]);
	globalThis.arrival?.listening.abort();
	const arrival = globalThis.arrival = {id, counted, what: "", met: null, listening: new AbortController()};
	const note = event => {
		if (!event.isTrusted) return;
		arrival.met = metBy(event);
		arrival.what = fate(arrival.met, event);
		const there = arrival.what === "` + string(ArrivedThere) + `";
		if (event.type === "dragover") {
			if (there) arrival.what = "` + string(dropRefused) + `"; // unless the drop comes
			return;
		}
		if (there || !signs.includes("pointermove")) arrival.listening.abort();
		tell(arrival.what);
	};
	for (const sign of signs) addEventListener(sign, note, {capture: true, passive: true, signal: arrival.listening.signal});
	if (e && ["iframe", "frame", "object", "embed", "fencedframe"].includes(e.localName)) tell("` + string(ArrivesWithin) + `");
	if (!signs.includes("wheel")) return null;
	const drawn = () => new Promise(done => { requestAnimationFrame(done); setTimeout(done, 100) });
	return drawn().then(drawn).then(() => null);
}`

const (
	// listenAround listens for what comes to any element of a document.
	listenAnywhere = `(id, signs) => (` + listen + `)(null, id, signs)`
	// heard gives what was heard, and which of the signs the browser counted; null in another document.
	arrivalResult = `() => { const a = globalThis.arrival; return a ? {id: a.id, what: a.what, counted: a.counted()} : null }`
	// met is the element at which the input arrived.
	arrivalElement = `() => globalThis.arrival?.met ?? null`
)

// listen makes the frame listen.
func (a *Aim) listen(d Actor) error {
	if err := d.Announce(a.node.Frame); err != nil {
		return err
	}
	if a.node.ID == 0 {
		return d.Run(a.node.Frame, 0, listenAnywhere, []any{a.id, a.signs}, nil)
	}
	if err := d.Run(a.node.Frame, a.node.ID, listen, []any{a.id, a.signs}, nil); err != nil {
		return err
	}
	return a.listenWithin(d)
}

// lookWithin makes the innermost frame at the point listen, where the element that is meant shows a document of its own.
func (a *Aim) listenWithin(d Actor) error {
	if d.Announced(a.id) != ArrivesWithin {
		return nil
	}
	frame, err := innermost(d, a.At)
	if err != nil {
		return err
	}
	if a.unverifiable = frame == a.node.Frame; a.unverifiable { // a document of another program, such as a PDF
		return nil
	}
	inner := aimAt(Element{Frame: frame}, a.signs, true)
	inner.At, inner.name = a.At, "the frame"
	*a = *inner
	return a.listen(d)
}

// Proven tells whether the input arrived. Its error is a [*NotDeliveredError] where it did at another element.
func (a *Aim) Proven(d Actor) (bool, error) {
	what, err := a.arrived(d)
	if err == nil && what == ArrivedElsewhere {
		err = a.misdelivered(d)
	}
	return what != "", err
}

// arrived tells where the input arrived; empty: nowhere.
func (a *Aim) arrived(d Actor) (Arrival, error) {
	if a.unverifiable {
		return ArrivedThere, nil
	}
	if what := d.Announced(a.id); what != "" && what != ArrivesWithin {
		return what, nil
	}
	var r *struct {
		ID      uint64
		What    Arrival
		Counted Signs
	}
	switch err := d.Run(a.node.Frame, 0, arrivalResult, nil, &r); {
	case d.Gone(err):
		return ArrivedThere, nil // with its document, as after a click on a link
	case err != nil:
		return "", err
	case r == nil || r.ID != a.id:
		return "", nil
	case r.What != "" || len(r.Counted) == 0:
		return r.What, nil
	case slices.Contains(a.signs, "drop") && !slices.Contains(r.Counted, "drop"):
		return dropRefused, nil
	}
	return ArrivedThere, nil
}

// Strike brings input to what is aimed at, and makes sure that it arrived. Input that did not is brought once more: nothing
// is done twice by that. Its error is a [*NotDeliveredError], or the driver's.
func (a *Aim) Strike(d Actor, input func(at Point) error) error {
	for again := false; ; again = true {
		if err := input(a.At); err != nil {
			return err
		}
		arrived, err := a.Proven(d)
		if err != nil || arrived {
			return err
		}
		if again {
			return a.undelivered(d)
		}
		if err := a.retarget(d); err != nil {
			return err
		}
	}
}

// renew aims once more: what is meant may have moved, or be covered by now.
func (a *Aim) retarget(d Actor) error {
	if a.node.ID != 0 && a.At != (Point{}) { // keys have no point
		next, err := Ready(d, a.node, a.force, a.signs)
		if err == nil {
			*a = *next
		}
		return err
	}
	if err := awaitDrawn(d, a.node.Frame); err != nil {
		return err
	}
	next := a.forInput(a.signs)
	next.At = a.At
	*a = *next
	return a.listen(d)
}

// elsewhere is the error that input arrived at another element, which it names; with force that is no error.
func (a *Aim) misdelivered(d Actor) error {
	if a.force {
		return nil
	}
	var node cdproto.BackendNodeID
	if err := d.Run(a.node.Frame, 0, arrivalElement, nil, &node); err != nil && !d.Gone(err) {
		return err
	}
	return a.hitInstead(d, Element{a.node.Frame, node})
}

// metInstead is the error that input arrived at another element, whose ID may be 0.
func (a *Aim) hitInstead(d Actor, other Element) error {
	out := &NotDeliveredError{Met: "another element, which is gone since"}
	if other.ID != 0 {
		name, err := nameWithSelector(d, other)
		if err != nil && !d.Gone(err) {
			return err
		}
		if err == nil {
			out.Met = name
		}
	}
	return a.withName(d, out)
}

// lost is the error that input arrived nowhere.
func (a *Aim) undelivered(d Actor) error { return a.withName(d, &NotDeliveredError{}) }

// call gives the element of an error its name.
func (a *Aim) withName(d Actor, out *NotDeliveredError) error {
	if out.Element = a.name; a.node.ID == 0 {
		return out
	}
	name, err := Name(d, a.node)
	if err != nil && !d.Gone(err) {
		return err
	}
	if err == nil {
		out.Element = name
	}
	return out
}

// NotDeliveredError says that input did not get to the element that it was for. It is [ErrNotDelivered]. Element and Met
// are the page's words, quoted and escaped.
type NotDeliveredError struct {
	// Element is the role and the name of what was meant.
	Element string
	// Met is the element at which the input arrived instead; empty: it arrived nowhere.
	Met string
	// Asked is the scheme of an address for another program that the page asked for before; empty: none is known.
	Asked string
}

// Error says what is known of why, and what to do next.
func (e *NotDeliveredError) Error() string {
	if e.Met != "" {
		return fmt.Sprintf("the input for %s arrived at %s; read the page again, as it changed meanwhile", e.Element, e.Met)
	}
	cause := "as for a login, a passkey, a shared screen or a telephone link"
	if e.Asked != "" {
		cause = "about an address for another program (" + e.Asked + ":), which the page asked for"
	}
	return fmt.Sprintf("nothing of the input for %s arrived in its page, though the browser took it twice: most likely the browser shows a "+
		"dialog of its own over the tab, "+cause+", which no command can "+
		"close. The page can still be read. To load an address, also the one that it has, closes the dialog, and loses what "+
		"the page does not keep", e.Element)
}

// Unwrap gives [ErrNotDelivered].
func (e *NotDeliveredError) Unwrap() error { return ErrNotDelivered }
