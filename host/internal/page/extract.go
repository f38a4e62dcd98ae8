package page

import (
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp"
)

// visibleText gives the text of an element, or of the document's body, as it is seen, with that of open shadow roots behind
// it; cut at a number of UTF-16 units, with the whole length.
const visibleText = `(e, limit) => {
	const parts = [];
	const visit = e => {
		const text = e.innerText ?? e.textContent ?? "";
		if (text.trim()) parts.push(text.trim());
		for (const n of [e, ...e.querySelectorAll("*")]) {
			if (!n.shadowRoot) continue;
			for (const child of n.shadowRoot.children) if (!["style", "script", "template"].includes(child.localName)) visit(child);
		}
	};
	if (e) visit(e);
	const text = parts.join("\n");
	return {text: text.slice(0, limit), length: [...text].length};
}`

// FrameText is the text of a frame.
type FrameText struct {
	Frame Frame
	Text  string
	Chars int // before it was cut
	// Silent says that the frame did not answer, Gone that it was removed or replaced meanwhile.
	Silent, Gone bool
}

// ElementText gives the text of an element as it is seen, and how many characters it has before it is cut at a limit.
func ElementText(d Actor, n Element, limit int) (text string, chars int, err error) {
	return textOf(d, n.Frame, n.ID, limit)
}

func textOf(d Actor, frame cdp.FrameID, node cdp.BackendNodeID, limit int) (string, int, error) {
	var r struct {
		Text   string `json:"text"`
		Length int    `json:"length"`
	}
	function, args := visibleText, []any{2 * limit} // a character takes at most two units
	if node == 0 {
		function = "(limit) => (" + visibleText + ")(document.body, limit)"
	}
	err := d.Run(frame, node, function, args, &r)
	return cutText(r.Text, limit), r.Length, err
}

// cutText cuts a text at a number of characters.
func cutText(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	for at := range text {
		if limit == 0 {
			return text[:at]
		}
		limit--
	}
	return text
}

// Texts gives the texts of a frame, or with no frame of all frames of the tab, each cut at a limit.
func Texts(d Actor, frame cdp.FrameID, limit int) ([]FrameText, error) {
	if frame != "" {
		text, chars, err := textOf(d, frame, 0, limit)
		return []FrameText{{Frame: Frame{ID: frame}, Text: text, Chars: chars}}, err
	}
	d = d.Impatient(frameTimeout)
	var out []FrameText
	for _, f := range d.Frames() {
		text, chars, err := textOf(d, f.ID, 0, limit)
		t := FrameText{Frame: f, Text: text, Chars: chars}
		switch {
		case err == nil:
		case d.Unresponsive(err):
			t.Silent = true
		case d.Gone(err):
			t.Gone = true
		default:
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// HasText tells whether a frame of the tab, or the one that is named, shows a text; runs of white space count as one space.
func HasText(d Actor, frame cdp.FrameID, wanted string) (bool, error) {
	texts, err := Texts(d, frame, 1<<20)
	if err != nil {
		return false, err
	}
	wanted = strings.Join(strings.Fields(wanted), " ")
	for _, t := range texts {
		if strings.Contains(strings.Join(strings.Fields(t.Text), " "), wanted) {
			return true, nil
		}
	}
	return false, nil
}
