package query

import (
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// FrameText is the text of a frame.
type FrameText struct {
	Frame page.Frame
	Text  string
	Chars int // before the text was cut
	// Silent says that the frame did not answer, and Why is the error. Gone says that it was removed or replaced.
	Silent, Gone bool
	Why          error
}

// ElementText returns the visible text of an element, cut at a limit, and how many characters it has in full.
func ElementText(d page.Actor, n page.Element, limit int) (text string, chars int, err error) {
	return textOf(d, n.Frame, n.ID, limit)
}

// textOf returns the text of an element, or, with node 0, of a frame's document.
func textOf(d page.Actor, frame cdproto.FrameID, node cdproto.BackendNodeID, limit int) (text string, chars int, err error) {
	err = withRoots(d, frame, func(roots []cdproto.BackendNodeID) (err error) {
		text, chars, err = textIn(d, frame, node, roots, limit)
		return err
	})
	return text, chars, err
}

// textIn is textOf with the closed shadow roots to look into.
func textIn(d page.Actor, frame cdproto.FrameID, node cdproto.BackendNodeID, roots []cdproto.BackendNodeID, limit int) (string, int, error) {
	var r struct {
		Text   string `json:"text"`
		Length int    `json:"length"`
	}
	function, nodes := "(closed, limit) => ("+seenText+")(closed, null, limit)", roots
	if node != 0 {
		function = "([e, ...closed], limit) => (" + seenText + ")(closed, e, limit)"
		nodes = append([]cdproto.BackendNodeID{node}, roots...)
	}
	err := d.RunOn(frame, nodes, function, []any{2 * limit}, &r) // a character is at most two UTF-16 units
	return pagetext.ShortenRunes(r.Text, limit), r.Length, err
}

// Texts returns the texts of a frame, or without a frame of all frames of the tab, each cut at a limit. That of a PDF
// file stands for its viewer, which may be about to open if there is no text yet.
func Texts(d Tab, frame cdproto.FrameID, limit int) ([]FrameText, error) {
	texts, err := textsNow(d, frame, limit)
	for _, t := range texts {
		if t.Text != "" || t.Silent {
			return texts, err
		}
	}
	if err != nil || frame != "" || !page.AwaitViewer(d) {
		return texts, err
	}
	return textsNow(d, frame, limit)
}

func textsNow(d Tab, frame cdproto.FrameID, limit int) ([]FrameText, error) {
	if frame != "" {
		text, chars, err := frameText(d, d, page.ByID(d.Frames())[frame], frame, limit)
		return []FrameText{{Frame: page.Frame{ID: frame}, Text: text, Chars: chars}}, err
	}
	hasty := d.WithThreadTimeout(frameTimeout)
	var out []FrameText
	for _, f := range page.OpenFrames(d.Frames()) {
		text, chars, err := frameText(d, hasty, f, f.ID, limit)
		t := FrameText{Frame: f, Text: text, Chars: chars}
		switch {
		case err == nil:
		case d.Unresponsive(err):
			t.Silent, t.Why = true, err
		case d.Gone(err):
			t.Gone = true
		default:
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// frameText returns the text of a frame, which the reader is asked for if it is a PDF file.
func frameText(r page.Reader, d page.Actor, f page.Frame, id cdproto.FrameID, limit int) (text string, chars int, err error) {
	if f.IsViewer() {
		return page.PDFText(r, id, limit)
	}
	return textOf(d, id, 0, limit)
}

// wholeText is a limit that texts are not expected to reach.
const wholeText = 1 << 20

// hasText reports whether a frame shows a text; runs of white space count as one space. It looks for closed shadow
// roots only if the text is not found without them.
func hasText(d page.Actor, frame cdproto.FrameID, wanted string) (there bool, err error) {
	look := func(roots []cdproto.BackendNodeID) error {
		text, _, err := textIn(d, frame, 0, roots, wholeText)
		there = strings.Contains(strings.Join(strings.Fields(text), " "), wanted)
		return err
	}
	if err := look(nil); err != nil || there {
		return there, err
	}
	err = withRoots(d, frame, func(roots []cdproto.BackendNodeID) error {
		if len(roots) == 0 {
			return nil
		}
		return look(roots)
	})
	return there, err
}

// seenText returns the visible text of an element, or of the document's body, in the order in which it is shown. The
// text of shadow roots, open and closed, is at their hosts, and that of slotted nodes at their slots. It is cut at a
// number of UTF-16 units; length is that of the whole text, in characters.
//
// Chromium's innerText knows what is rendered and where lines break, but nothing of shadow roots, nor of what is not
// rendered because it is out of view. So it is used for all elements that contain neither a host nor a slot nor a part
// that is skipped, and the text around and in those is assembled here.
const seenText = `(closed, e, limit) => {
	const below = (` + rootOf + `)(closed);
	const mixed = new Set(); // nodes that contain hosts or slots
	const mark = n => { for (; n && !mixed.has(n); n = of(Node, "parentNode", n) ?? n.host) mixed.add(n) };
	const survey = root => {
		if (root instanceof ShadowRoot) for (const slot of root.querySelectorAll("slot")) mark(slot);
		for (const n of root.querySelectorAll("*")) {
			const inner = below(n);
			if (inner) { mark(n); survey(inner) }
			if (skips(n)) { mark(n); skipped.add(n) }
		}
	};
	const skips = ` + skipsContent + `;
	const skipped = new Set();
	survey(document);
	const blank = /[ \t\n\r\f]+/g;
	const cases = {uppercase: text => text.toUpperCase(), lowercase: text => text.toLowerCase()};
	const plain = n => [n.innerText, n.textContent].find(text => typeof text === "string") ?? ""; // forms may hide theirs
	let out = "", line = true, gap = false; // the output, whether it is at the start of a line, and whether a space is due
	const write = text => {
		if (!text) return;
		if (gap && !line && !/^\s/.test(text)) out += " ";
		gap = false;
		out += text;
		line = out.endsWith("\n");
	};
	const part = () => { if (!line) out += "\n"; line = true; gap = false };
	const words = (text, style) => {
		if (style.visibility !== "visible") return;
		text = (cases[style.textTransform] ?? (t => t))(text);
		if (/^(pre|break)/.test(style.whiteSpace)) return write(text);
		text = text.replace(blank, " ");
		gap ||= text.startsWith(" ");
		write(text.trim());
		gap ||= text.endsWith(" ");
	};
	const visit = (n, inSkipped) => {
		const style = getComputedStyle(n);
		if (style.display === "none" || style.display !== "contents" && !ask(Element, "checkVisibility", n)) return;
		const apart = !/^(inline|contents|ruby)/.test(style.display);
		if (apart) part();
		inSkipped ||= skipped.has(n);
		if (n.localName === "br") {
			write("\n");
		} else if (mixed.has(n) || inSkipped) {
			for (const child of shown(n)) {
				if (child.nodeType === Node.TEXT_NODE) words(child.data, style);
				else if (child.nodeType === Node.ELEMENT_NODE) visit(child, inSkipped);
			}
		} else {
			const text = plain(n);
			write(apart ? text.trim() : text);
		}
		if (apart) part();
	};
	const shown = n => {
		const inner = below(n);
		if (inner) return inner.childNodes;
		const given = n instanceof HTMLSlotElement ? n.assignedNodes() : [];
		if (given.length > 0) return given;
		return n.localName === "details" && !n.open ? [...n.children] : of(Node, "childNodes", n);
	};
	e ??= document.body ?? document.documentElement; // a drawing has no body
	const inSkipped = e && [...skipped].some(part => within(e, part));
	if (e && (mixed.has(e) || inSkipped)) visit(e, inSkipped);
	else if (e) out = plain(e);
	const text = out.trim();
	return {text: text.slice(0, limit), length: [...text].length};
}`
