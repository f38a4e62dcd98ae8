package act

import (
	"errors"
	"fmt"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// ResolveRef returns where the element of a ref, e5 or @e5, is. It asks the browser nothing: it relies on the last
// reading and on the documents that there are now. Errors: [fault.ErrUnknownRef], and a [*StaleRefError] for an element
// that the last reading did not find, or whose document is gone.
func (p *Pages) ResolveRef(ref string) (ElementRef, error) {
	number, ok := page.ParseRef(ref)
	if !ok {
		return ElementRef{}, fmt.Errorf("%w: %s is not a ref; refs look like @e5 and come from reading a page", fault.ErrUnknownRef, page.Describe("the text", ref))
	}
	found, known := p.readings.refs.Find(number)
	switch known {
	case page.RefUnknown:
		return ElementRef{}, fmt.Errorf("%w: e%d was never given out; read the page", fault.ErrUnknownRef, number)
	case page.RefForgotten:
		if number <= p.Earlier().Ref {
			return ElementRef{}, &StaleRefError{Ref: found.String(), Role: "an element", Reason: p.Earlier().Why()}
		}
		return ElementRef{}, &StaleRefError{Ref: found.String(), Role: "an element", Reason: "it was read too long ago"}
	case page.RefGone:
		return ElementRef{}, p.stale(found, "the page no longer has it", p.lastTree(found.Tab))
	case page.RefLive:
	}
	if reason := p.documentGone(found); reason != "" {
		return ElementRef{}, p.stale(found, reason, p.lastTree(found.Tab))
	}
	return publicRef(found), nil
}

// Refs lists the elements that have a ref and were present when their frame was last read, in the order of their refs.
// Like [Pages.ResolveRef], it asks the browser nothing.
func (p *Pages) Refs() []ElementRef {
	documents := map[string]cdproto.LoaderID{}
	for _, target := range p.Snapshot().Targets {
		if target.RawFrameTree == nil {
			continue
		}
		for _, f := range frames(target.RawFrameTree) {
			documents[f.FrameID] = f.Document()
		}
	}
	var list []ElementRef
	for _, r := range p.readings.refs.Live() {
		if document, ok := documents[string(r.Key.Frame)]; ok && document == r.Key.Document {
			list = append(list, publicRef(r))
		}
	}
	return list
}

// frames lists the frames of a tree, the top one first.
func frames(tree *view.FrameTree) []view.Frame {
	return append([]view.Frame{tree.Top}, tree.Children...)
}

func publicRef(r page.Ref) ElementRef {
	return ElementRef{
		Ref: r.String(), TargetID: r.Tab, Frame: string(r.Key.Frame), Session: r.Session, BackendNodeID: int64(r.Node), Role: r.Role, Name: r.Name,
	}
}

func (p *Pages) lastTree(tab string) *page.Tree {
	tree, _ := p.lastReading(tab)
	return tree
}

// lastReading returns the last reading of a tab, unless it has a frame that agents may no longer look into.
func (p *Pages) lastReading(tab string) (*page.Tree, time.Time) {
	tree, at := p.readings.last(tab)
	target := p.Snapshot().Target(tab)
	if tree == nil || target == nil || target.RawFrameTree == nil {
		return tree, at
	}
	for _, f := range target.RawFrameTree.Children {
		if filtered(f) != "" && tree.Read(cdproto.FrameID(f.FrameID)) {
			return nil, time.Time{}
		}
	}
	return tree, at
}

// documentGone says why the document of a ref is gone; empty if it is not.
func (p *Pages) documentGone(r page.Ref) string {
	target := p.Snapshot().Target(r.Tab)
	if target == nil || target.RawFrameTree == nil {
		return "its tab is closed"
	}
	for _, f := range frames(target.RawFrameTree) {
		if f.FrameID == string(r.Key.Frame) {
			if f.Document() == r.Key.Document {
				return ""
			}
			return "its frame has another document now"
		}
	}
	return "its frame is gone"
}

// stale makes the error of an element that is gone. Its candidates are elements of tree whose documents still exist.
func (p *Pages) stale(gone page.Ref, reason string, tree *page.Tree) error {
	err := &StaleRefError{Ref: gone.String(), Role: gone.Role, Name: gone.Name, Reason: reason}
	if tree == nil {
		return err
	}
	for _, n := range page.Candidates(tree, gone) {
		near, known := p.readings.refs.Find(p.readings.refs.Give(gone.Tab, tree, n))
		if known == page.RefLive && p.documentGone(near) == "" {
			err.Candidates = append(err.Candidates, publicRef(near))
		}
	}
	return err
}

// liveRef is ResolveRef within an operation: it also asks the page whether the element is still in the document, and
// what its role and its name are now; without a role, that is not known. If the element is gone, the page is read
// again, so that the candidates in the error exist.
func (p *Pages) liveRef(d page.Reader, ref string) (ElementRef, error) {
	found, err := p.ResolveRef(ref)
	if err == nil && found.BackendNodeID == 0 {
		if err := p.readings.refs.Describe(d.Context(), d); err != nil {
			return ElementRef{}, err
		}
		found, err = p.ResolveRef(ref)
	}
	if err == nil {
		found.Role, found.Name, err = p.inDocument(d, found)
	}
	var stale *StaleRefError
	if !errors.As(err, &stale) {
		return found, err
	}
	number, _ := page.ParseRef(ref)
	gone, known := p.readings.refs.Find(number)
	if out, ok := p.leftOut(ref); ok && p.isThere(d, &out) {
		return publicRef(out), nil
	}
	if known != page.RefGone && known != page.RefLive {
		return ElementRef{}, err
	}
	tree, readErr := page.Read(d, p.readings.refs, 0)
	if readErr != nil {
		return ElementRef{}, err
	}
	p.readings.keep(d.Target(), tree, "", p.Snapshot(), 0)
	return ElementRef{}, p.stale(gone, stale.Reason, tree)
}

// leftOut returns a ref that the last reading of its document left out: its element is gone, or was not to be read at
// that moment.
func (p *Pages) leftOut(ref string) (page.Ref, bool) {
	number, _ := page.ParseRef(ref)
	found, known := p.readings.refs.Find(number)
	return found, known == page.RefGone && p.documentGone(found) == ""
}

// isThere reports whether an element that a reading left out is in its document all the same: behind a modal dialog, or
// shown and hidden only from assistive technology, as libraries hide the rest of a page while a menu opens or closes.
func (p *Pages) isThere(d page.Reader, r *page.Ref) bool {
	if r.Node == 0 {
		if p.readings.refs.DescribeOne(d.Context(), d, r) != nil || r.Node == 0 {
			return false
		}
	}
	var shown bool
	if err := d.Run(r.Key.Frame, r.Node, isShown, nil, &shown); err != nil || shown {
		return shown
	}
	if connected, _, _, err := page.Connected(d, r.Key.Frame, r.Node); err != nil || !connected {
		return false
	}
	modal, err := input.ModalOver(d, page.Element{Frame: r.Key.Frame, ID: r.Node})
	return err == nil && modal != page.Element{}
}

const isShown = `(e) => of(Node, "isConnected", e) && ask(Element, "checkVisibility", e, {visibilityProperty: true})`

// inDocument asks the page whether an element is in its document, in a world where the page's scripts cannot change the
// answer, and returns its role and its name.
func (p *Pages) inDocument(d page.Reader, r ElementRef) (role, name string, err error) {
	if r.BackendNodeID == 0 {
		return "", "", &StaleRefError{Ref: r.Ref, Role: r.Role, Name: r.Name, Reason: "the page no longer has it"}
	}
	connected, role, name, err := page.Connected(d, cdproto.FrameID(r.Frame), cdproto.BackendNodeID(r.BackendNodeID))
	switch {
	case errors.Is(err, fault.ErrNoElement) || err == nil && !connected:
		err = &StaleRefError{Ref: r.Ref, Role: r.Role, Name: r.Name, Reason: "the page no longer has it"}
	case errors.Is(err, fault.ErrUnknownFrame):
		err = &StaleRefError{Ref: r.Ref, Role: r.Role, Name: r.Name, Reason: "its frame is gone"}
	}
	return role, name, err
}
