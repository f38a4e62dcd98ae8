package query

import (
	"errors"
	"fmt"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// findText returns the only innermost element that shows a text, or null if there is none, or not only one; with
// count, how many there are. An element whose whole text it is takes precedence, as does one that is drawn and not
// hidden from assistive technology over a copy that is only there to take up space, or only for screen readers. Like
// innerText, it knows only what is rendered; elements with shadow roots below them are searched child by child,
// because innerText ends there, and in parts that are skipped because they are out of view the texts are joined.
// innerText has also what nobody sees, because it is clipped, or scaled to nothing, as pages begin to show a menu:
// what is around that does not show it either.
//
// If it looks for names, it returns the element that says the text without showing it, as a button with an icon does
// in a reading; one that can be used takes precedence.
const findText = `(closed, wanted, count, how) => {
	const fold = how === "" ? text => text : text => text.toLowerCase(), sought = fold(wanted);
	const below = (` + rootOf + `)(closed);
	const mixed = new Set(), skipped = new Set(), roots = [], skips = ` + skipsContent + `;
	const mark = n => { for (; n && !mixed.has(n); n = of(Node, "parentNode", n) ?? n.host) mixed.add(n) };
	const isButton = e => of(Element, "localName", e) === "input" && ["submit", "reset", "button"].includes(e.type);
	const survey = root => {
		roots.push(root);
		for (const e of root.querySelectorAll("*")) {
			if (skips(e)) { mark(e); skipped.add(e) }
			if (isButton(e)) mark(e);
			const inner = below(e);
			if (inner) { mark(e); survey(inner) }
		}
	};
	survey(document);
	const joined = e => [...of(Node, "childNodes", e)].map(n => n.nodeType === Node.TEXT_NODE ? n.data : n.nodeType === Node.ELEMENT_NODE && seen(n) ? joined(n) : "").join(" ");
	const pieces = how === "pieces", text = (e, inSkipped) => (pieces ? of(Node, "textContent", e) : isButton(e) ? e.value : inSkipped ? joined(e) : typeof e.innerText === "string" ? e.innerText : e.textContent ?? "").replace(/\s+/g, " ").trim();
	const sized = rects => [...rects].some(r => r.width > 0 && r.height > 0);
	const seen = e => sized(ask(Element, "getClientRects", e));
	const overflows = e => {
		const style = getComputedStyle(e), range = document.createRange();
		if (style.display !== "contents" && style.overflow !== "visible") return false;
		range.selectNodeContents(e);
		return sized(range.getClientRects());
	};
	const listed = new Set(["option", "optgroup"]); // what has them shows them when it is asked to
	const times = text => text.split(sought).length - 1;
	const whole = [], part = [];
	const visit = (e, inSkipped) => { // returns how many times e has the text where nobody sees it; Infinity if an element was found
		inSkipped ||= skipped.has(e);
		const shown = fold(text(e, inSkipped));
		if (!mixed.has(e) && !shown.includes(sought)) return 0;
		if (getComputedStyle(e).display === "none") return 0; // it has a text, but what is around it does not show it
		let inside = 0;
		for (const child of of(Element, "children", e)) inside += visit(child, inSkipped);
		if (times(shown) <= inside) return inside;
		if (!seen(e)) return overflows(e) || listed.has(of(Element, "localName", e)) ? inside : times(shown);
		if (pieces && (shown !== sought || !ask(Element, "checkVisibility", e, {visibilityProperty: true}))) return inside;
		(shown === sought ? whole : part).push(e);
		return Infinity;
	};
	const named = e => seen(e) && ["aria-label", "title", "alt", "placeholder"].some(name => fold(ask(Element, "getAttribute", e, name) ?? "").replace(/\s+/g, " ").trim() === sought);
	const usable = e => ask(Element, "matches", e, "a[href], button, input, select, textarea, summary, [role], [tabindex]");
	const around = (list, e) => { while ((e = of(Node, "parentNode", e) ?? e.host)) if (list.includes(e)) return true };
	if (how === "names") {
		const all = roots.flatMap(root => [...root.querySelectorAll("*")].filter(named)), best = all.some(usable) ? all.filter(usable) : all;
		whole.push(...best.filter(e => !around(best, e)));
	} else for (const root of roots) for (const e of root === document ? [document.body ?? document.documentElement] : root.children) if (e) visit(e, false);
	const clipped = e => {
		for (let n = e, i = 0; n && i < 3; n = of(Node, "parentElement", n), i++) {
			const {clip, clipPath, overflow} = getComputedStyle(n), box = ask(Element, "getBoundingClientRect", n);
			if (/^rect\((0|1)px, (0|1)px, (0|1)px, (0|1)px\)/.test(clip) || /^inset\((50|100)%/.test(clipPath) || overflow !== "visible" && box.width <= 1 && box.height <= 1) return true;
		}
		return false;
	};
	const drawn = e => ask(Element, "checkVisibility", e, {opacityProperty: true}) && !ask(Element, "closest", e, "[aria-hidden=true]") && !clipped(e);
	const first = list => list.length > 1 && list.some(drawn) ? list.filter(drawn) : list;
	const [wholes, parts] = [first(whole), first(part)];
	if (count) return {whole: wholes.length, part: parts.length};
	const list = wholes.length > 0 ? wholes : parts;
	return list.length === 1 ? list[0] : null;
}`

// The ways in which findText looks for a text.
const (
	inOwnCase = ""
	inAnyCase = "anyCase"
	inPieces  = "pieces" // each in a box of its own, as what matches a search is set off in it
	inNames   = "names"
)

// beforeNames is how long a text may take to show before an element will do that is only named by it.
const beforeNames = 500 * time.Millisecond

// FindText returns the only innermost visible element that shows a text in a frame, or without a frame in all frames of
// the tab. An element whose whole text it is takes precedence over those that show more. Runs of white space count as
// one space. If no element shows the text, upper and lower case count as the same: style sheets change the case, and
// people remember a text without it. If still none does for half a second, or at once for a field, the text may be a
// label, title, alternative text or placeholder: a reading does not tell them from what is shown. It waits as [Find]
// does; closed shadow roots are searched if nothing is found without them. Errors: ErrNotFound,
// fault.ErrAmbiguousElement, and the driver's.
func FindText(d Tab, refs *page.Refs, text string, frame cdproto.FrameID, ofField bool) (page.Element, error) {
	began, limit := time.Now(), d.ReadyLimit()
	var like string
	var read bool
	n, err := awaitFound(d, func() (n page.Element, err error) {
		if !ofField && time.Since(began) < beforeNames {
			n, err = findTextBy(d, text, frame, inOwnCase, inAnyCase, inPieces)
		} else {
			n, err = FindTextNow(d, text, frame)
		}
		if errors.Is(err, page.ErrNotFound) && !read && time.Since(began) > limit/4 {
			like, read = alike(d, refs, text, frame), true // at the end there may be no time for it
		}
		return n, err
	})
	if several := severalError(0); errors.As(err, &several) {
		err = fmt.Errorf("%w%s", err, several.named(d, refs, text, frame))
	} else if errors.Is(err, page.ErrNotFound) {
		err = fmt.Errorf("%w%s", err, like)
	}
	return n, err
}

// readForError reads a tab for what an error says, and leaves the call the time to say it.
func readForError(d Tab, refs *page.Refs) (*page.Tree, error) {
	return page.Read(d, refs, min(frameTimeout, d.WaitLimit()/4))
}

// alike says what a page has that is like a text which it does not show; empty: nothing.
func alike(d Tab, refs *page.Refs, text string, frame cdproto.FrameID) string {
	tree, err := readForError(d, refs)
	if err != nil {
		return ""
	}
	if like := tree.LikeText(text, frame); len(like) > 0 {
		return " (there is " + strings.Join(described(d, refs, tree, like), ", ") + ")"
	}
	return ""
}

// severalError is how many elements show a text.
type severalError int

func (e severalError) Error() string {
	return fmt.Sprintf("%v: %d show the text", fault.ErrAmbiguousElement, int(e))
}

func (severalError) Unwrap() error { return fault.ErrAmbiguousElement }

// named says which they are, if a reading has them one by one, and how to name one of them.
func (e severalError) named(d Tab, refs *page.Refs, text string, frame cdproto.FrameID) string {
	if tree, err := readForError(d, refs); err == nil {
		if found := tree.Showing(text, frame); len(found) == int(e) {
			return ": " + toldApart(d, refs, tree, found) + "; use a ref"
		}
	}
	return "; use a ref, a role with a name, or a selector"
}

// FindTextNow is one search of FindText, names included.
func FindTextNow(d page.Actor, text string, frame cdproto.FrameID) (page.Element, error) {
	return findTextBy(d, text, frame, inOwnCase, inAnyCase, inPieces, inNames)
}

// findTextBy looks for a text in one way after the other.
func findTextBy(d page.Actor, text string, frame cdproto.FrameID, ways ...string) (n page.Element, err error) {
	wanted := strings.Join(strings.Fields(text), " ")
	for _, how := range ways {
		if n, err = findTextNow(d, wanted, frame, how); !errors.Is(err, page.ErrNotFound) {
			return n, err
		}
	}
	if bare := page.Unmarked(text); bare != text { // as a reading shows it
		return findTextBy(d, bare, frame, ways...)
	}
	return n, err
}

func findTextNow(d page.Actor, wanted string, frame cdproto.FrameID, how string) (page.Element, error) {
	frames := []page.Frame{{ID: frame}}
	if frame == "" {
		frames, d = page.OpenFrames(d.Frames()), d.WithThreadTimeout(frameTimeout)
	}
	var whole, part int
	var inWhole, inPart cdproto.FrameID
	var unresponsive error
	for _, f := range frames {
		var found struct{ Whole, Part int }
		err := inRoots(d, f.ID, findText, []any{wanted, true, how}, &found, func() bool { return found.Whole+found.Part > 0 })
		switch {
		case err == nil:
		case frame == "" && d.Gone(err):
		case frame == "" && d.Unresponsive(err):
			unresponsive = err
		default:
			return page.Element{}, err
		}
		whole, part = whole+found.Whole, part+found.Part
		if found.Whole > 0 {
			inWhole = f.ID
		}
		if found.Part > 0 {
			inPart = f.ID
		}
	}
	if whole == 0 {
		whole, inWhole = part, inPart
	}
	switch {
	case whole == 0 && unresponsive != nil:
		return page.Element{}, fmt.Errorf("nothing in the frames that answer shows the text %q: %w", wanted, unresponsive)
	case whole == 0:
		return page.Element{}, fmt.Errorf("%w the text %q", page.ErrNotFound, wanted)
	case whole > 1:
		return page.Element{}, fmt.Errorf("%w %q", severalError(whole), wanted)
	}
	var hit cdproto.BackendNodeID
	err := inRoots(d, inWhole, findText, []any{wanted, false, how}, &hit, func() bool { return hit != 0 })
	if err == nil && hit == 0 { // it has just changed
		err = fmt.Errorf("%w the text %q", page.ErrNotFound, wanted)
	}
	return page.Element{Frame: inWhole, ID: hit}, err
}
