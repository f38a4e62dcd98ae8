package input

import (
	"errors"
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// The focus of a tab is in one frame. Each document around it, and each shadow root, only says which of its own
// elements has the focus in it: a frame, or the host of another root. Scripts cannot look into the closed roots.

// frames are the elements that show another document.
var frames = []string{"iframe", "frame", "object", "embed", "fencedframe"}

// isFrame returns whether an element is one of them.
const isFrame = `e => ["iframe", "frame", "object", "embed", "fencedframe"].includes(e.localName)`

// focusOf returns the element with the focus in a document or shadow root, also if it is in open roots there.
const focusOf = `root => {
	let e = root.activeElement;
	while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
	return e;
}`

// focusBelow returns the same of a shadow root.
const focusBelow = `(root) => (` + focusOf + `)(root)`

// focused returns the element that has the focus. The document has it if that is the body, which may have a closed
// shadow root.
const focused = `() => (` + focusOf + `)(document)`

// onlyDocument returns whether an element has the focus because nothing else has.
const onlyDocument = `(e) => e === document.documentElement || e === document.body && !e.isContentEditable`

// tellRefocused announces that an element that was given the focus has given it to a document in the same one, now or
// until the next element is given it.
const tellRefocused = `(e, id) => {
	const tell = () => {
		const now = (` + focusOf + `)(document);
		if (now && (` + isFrame + `)(now) && now !== e && !within(e, now)) globalThis.` + ArrivalBinding + `?.(id + " ` + string(outOfFocus) + `");
	};
	own.focusing?.abort();
	own.focusing = new AbortController();
	addEventListener("blur", event => event.target === window && tell(), {capture: true, signal: own.focusing.signal});
	tell();
}`

// listenAtFocus installs the listener in a document, and returns the element with the focus if that shows another
// document, or may have a closed shadow root with the focus in it.
//
// https://dom.spec.whatwg.org/#dom-element-attachshadow lists the elements that can have one.
const listenAtFocus = `(id, signs) => {
	(` + listen + `)(null, id, signs, 0);
	const e = (` + focusOf + `)(document);
	if (!e) return null;
	if ((` + isFrame + `)(e)) return e;
	const hosts = "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" ");
	return !e.shadowRoot && (e.localName.includes("-") || hosts.includes(e.localName)) ? e : null;
}`

// follow follows the focus from an element that has it, into closed shadow roots: n is the element that has it there.
// showsDocument says that this shows another document, and frame is where, if scripts can run in that.
func follow(d Actor, from page.Element) (n page.Element, showsDocument bool, frame cdproto.FrameID, err error) {
	for n = from; ; {
		var described struct {
			Node struct {
				Name    string          `json:"localName"`
				FrameID cdproto.FrameID `json:"frameId"`
				Roots   []struct {
					ID   cdproto.BackendNodeID  `json:"backendNodeId"`
					Type cdproto.ShadowRootType `json:"shadowRootType"`
				} `json:"shadowRoots"`
			} `json:"node"`
		}
		err = d.Read(n.Frame, dom.CommandDescribeNode, &dom.DescribeNodeParams{BackendNodeID: n.ID}, &described)
		if refused := (*fault.ProtocolError)(nil); errors.As(err, &refused) { // the page has removed it
			return n, false, "", nil
		}
		if err != nil {
			return n, false, "", err
		}
		node := described.Node
		if slices.Contains(frames, node.Name) {
			if page.ByID(d.Frames())[node.FrameID].ID == "" { // such as a plugin
				node.FrameID = ""
			}
			return n, true, node.FrameID, nil
		}
		inner := page.Element{}
		for _, root := range node.Roots {
			if root.Type == cdproto.ShadowRootTypeClosed {
				inner, err = related(d, page.Element{Frame: n.Frame, ID: root.ID}, focusBelow)
			}
		}
		if err != nil || inner == (page.Element{}) {
			return n, false, "", err
		}
		n = inner
	}
}

// Focused returns the element that has the focus, in whichever frame. The error is a [*NotActionableError] if none has,
// but the document of the frame that is returned.
func Focused(d Actor) (page.Element, error) {
	for frame := cdproto.FrameID(d.Target()); ; {
		from, err := related(d, page.Element{Frame: frame}, focused)
		if err != nil {
			return from, err
		}
		n, none := page.Element{Frame: frame, ID: from.ID}, from.ID == 0
		if !none {
			if n, _, frame, err = follow(d, from); err == nil && n == from && frame == "" {
				err = d.Run(n.Frame, n.ID, onlyDocument, nil, &none)
			}
		}
		switch {
		case err != nil:
			return n, err
		case none:
			return page.Element{Frame: n.Frame}, &NotActionableError{Obstacle: Unfit, Element: "nothing on the page", By: "in focus: name a field, or click one first"}
		case frame == "":
			return n, nil
		}
	}
}

// aimAtFocus installs the listener in the frame with the focus.
func aimAtFocus(d Actor) (*Aim, error) {
	for frame := cdproto.FrameID(d.Target()); ; {
		aim := aimAt(page.Element{Frame: frame}, Keyed, true)
		aim.name = "what has the focus"
		if err := d.Announce(frame); err != nil {
			return nil, err
		}
		var owner cdproto.BackendNodeID
		if err := d.Run(frame, 0, listenAtFocus, []any{aim.id, aim.signs}, &owner); err != nil || owner == 0 {
			return aim, err
		}
		_, showsDocument, inner, err := follow(d, page.Element{Frame: frame, ID: owner})
		if aim.unverifiable = showsDocument && inner == ""; err != nil || inner == "" {
			return aim, err
		}
		frame = inner
	}
}
