package query

import (
	"errors"
	"fmt"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// findText returns the only innermost element that shows a text, or null if there is none, or not only one; with count,
// how many there are. An element whose whole text it is takes precedence, as does one that is drawn and not hidden from
// assistive technology over a copy that is only there to take up space. Like innerText, it knows only what is
// rendered; elements with shadow roots below them are searched child by child, because innerText ends there, and in
// parts that are skipped because they are out of view the texts are joined. innerText has also what nobody sees,
// because it is clipped, or scaled to nothing, as pages begin to show a menu: what is around that does not show it
// either.
const findText = `(closed, wanted, count, anyCase) => {
	const fold = anyCase ? text => text.toLowerCase() : text => text, sought = fold(wanted);
	const below = (` + rootOf + `)(closed);
	const mixed = new Set(), skipped = new Set(), roots = [], skips = ` + skipsContent + `;
	const mark = n => { for (; n && !mixed.has(n); n = of(Node, "parentNode", n) ?? n.host) mixed.add(n) };
	const survey = root => {
		roots.push(root);
		for (const e of root.querySelectorAll("*")) {
			if (skips(e)) { mark(e); skipped.add(e) }
			const inner = below(e);
			if (inner) { mark(e); survey(inner) }
		}
	};
	survey(document);
	const joined = e => [...of(Node, "childNodes", e)].map(n => n.nodeType === Node.TEXT_NODE ? n.data : n.nodeType === Node.ELEMENT_NODE && seen(n) ? joined(n) : "").join(" ");
	const text = (e, inSkipped) => (inSkipped ? joined(e) : typeof e.innerText === "string" ? e.innerText : e.textContent ?? "").replace(/\s+/g, " ").trim();
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
		let inside = 0;
		for (const child of of(Element, "children", e)) inside += visit(child, inSkipped);
		if (times(shown) <= inside) return inside;
		if (!seen(e)) return overflows(e) || listed.has(of(Element, "localName", e)) ? inside : times(shown);
		(shown === sought ? whole : part).push(e);
		return Infinity;
	};
	for (const root of roots) for (const e of root === document ? [document.body ?? document.documentElement] : root.children) if (e) visit(e, false);
	const drawn = e => ask(Element, "checkVisibility", e, {opacityProperty: true}) && !ask(Element, "closest", e, "[aria-hidden=true]");
	const first = list => list.length > 1 && list.some(drawn) ? list.filter(drawn) : list;
	const [wholes, parts] = [first(whole), first(part)];
	if (count) return {whole: wholes.length, part: parts.length};
	const list = wholes.length > 0 ? wholes : parts;
	return list.length === 1 ? list[0] : null;
}`

// FindText returns the only innermost visible element that shows a text in a frame, or without a frame in all frames of
// the tab. An element whose whole text it is takes precedence over those that show more. Runs of white space count as
// one space. If no element shows the text, upper and lower case count as the same: style sheets change the case, and
// people remember a text without it. It waits as [Find] does; closed shadow roots are searched if nothing is found
// without them. Errors: ErrNotFound, fault.ErrAmbiguousElement, and the driver's.
func FindText(d page.Actor, text string, frame cdproto.FrameID) (page.Element, error) {
	return awaitFound(d, func() (page.Element, error) { return FindTextNow(d, text, frame) })
}

// FindTextNow is one search of FindText.
func FindTextNow(d page.Actor, text string, frame cdproto.FrameID) (page.Element, error) {
	wanted := strings.Join(strings.Fields(text), " ")
	n, err := findTextNow(d, wanted, frame, false)
	if errors.Is(err, page.ErrNotFound) {
		n, err = findTextNow(d, wanted, frame, true)
	}
	return n, err
}

func findTextNow(d page.Actor, wanted string, frame cdproto.FrameID, anyCase bool) (page.Element, error) {
	frames := []page.Frame{{ID: frame}}
	if frame == "" {
		frames, d = page.OpenFrames(d.Frames()), d.WithThreadTimeout(frameTimeout)
	}
	var whole, part int
	var inWhole, inPart cdproto.FrameID
	var unresponsive error
	for _, f := range frames {
		var found struct{ Whole, Part int }
		err := inRoots(d, f.ID, findText, []any{wanted, true, anyCase}, &found, func() bool { return found.Whole+found.Part > 0 })
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
		return page.Element{}, fmt.Errorf("%w: %d show the text %q; use a ref, a role with a name, or a selector", fault.ErrAmbiguousElement, whole, wanted)
	}
	var hit cdproto.BackendNodeID
	err := inRoots(d, inWhole, findText, []any{wanted, false, anyCase}, &hit, func() bool { return hit != 0 })
	if err == nil && hit == 0 { // it has just changed
		err = fmt.Errorf("%w the text %q", page.ErrNotFound, wanted)
	}
	return page.Element{Frame: inWhole, ID: hit}, err
}
