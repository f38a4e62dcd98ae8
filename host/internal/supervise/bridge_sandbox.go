package supervise

import (
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/dom"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// A browser shows no dialog of a document whose sandbox lacks allow-modals, nor of one below it. The script can not know
// that in general, so the attribute is read from outside, when a document comes and the bridge is on. A document takes
// the attribute as it is when it is created; a later change is for the next one.
//
// https://html.spec.whatwg.org/multipage/browsers.html#sandboxed-modals-flag

// sandbox is what is known of the element that a frame is in.
type sandboxState int

const (
	sandboxUnknown sandboxState = iota
	sandboxAsked
	modalsAllowed   // modals are allowed
	modalsForbidden // they are not
)

// sandboxTimeout bounds what a dialog waits for it. A page that is held by a request answers no question about its
// frames, so for those this is the price of a dialog that opens at once with its frame.
const sandboxTimeout = time.Second

// learnSandbox asks about the frame's element, on behalf of the document that the frame has now. Its parent's session
// knows it.
func (s *State) readSandbox(f *frame) {
	f.sandbox = sandboxUnknown
	if f.parent == nil || f.parent.session == nil || f.tab.task.bridge.script == nil || s.sessions[f.parent.session.id] != f.parent.session {
		return
	}
	f.sandbox = sandboxAsked
	parent, loader := f.parent.session, f.loader
	learned := func(is sandboxState) {
		if f.sandbox == sandboxAsked && f.loader == loader {
			f.sandbox = is
			s.sandboxLearned(f.tab)
		}
	}
	s.call(parent.id, dom.CommandGetFrameOwner, &dom.GetFrameOwnerParams{FrameID: f.id}, WantOwner, func(r CommandReply) {
		if r.Err != nil || s.sessions[parent.id] != parent {
			learned(modalsAllowed) // nobody can know better
			return
		}
		s.call(parent.id, dom.CommandDescribeNode, &dom.DescribeNodeParams{BackendNodeID: r.Owner}, WantAttributes, func(r CommandReply) {
			if r.Err == nil && forbidsModals(r.Attributes) {
				learned(modalsForbidden)
			} else {
				learned(modalsAllowed)
			}
		})
	})
}

// forbidsModals reads the attributes of a frame's element: names and values in turn.
func forbidsModals(attributes []string) bool {
	for i := 0; i+1 < len(attributes); i += 2 {
		if strings.EqualFold(attributes[i], "sandbox") {
			return !slices.Contains(strings.Fields(strings.ToLower(attributes[i+1])), "allow-modals")
		}
	}
	return false
}

// awaitSandbox opens the dialog of a proven hold once its frame's sandbox is known, or can not be known in time.
func (s *State) awaitSandbox(h *bridgeStop) {
	if h.proven.Suppressed == abi.BridgeSuppressedUnspecified {
		f := s.frameOf(h.session, h.frame)
		for up := f; up != nil && up.parent != nil; up = up.parent {
			if up.sandbox == sandboxUnknown {
				s.readSandbox(up)
			}
		}
		switch sandboxed(f) {
		case sandboxAsked:
			if h.timer == 0 {
				h.timer = s.after(sandboxTimeout, func() {
					h.timer = 0
					s.sandboxSettled(h)
				})
			}
			return
		case modalsForbidden:
			h.proven.Suppressed = abi.BridgeSuppressedSandbox
		}
	}
	s.sandboxSettled(h)
}

func (s *State) sandboxSettled(h *bridgeStop) {
	s.disarm(&h.timer)
	h.awaitsSandbox = false
	s.openBridged(h)
}

// sandboxLearned goes on with the holds of a tab that waited for it.
func (s *State) sandboxLearned(tb *tab) {
	var waiting []*bridgeStop
	tb.session.walk(func(ss *session) {
		for _, h := range ss.stops {
			if h.awaitsSandbox {
				waiting = append(waiting, h)
			}
		}
	})
	for _, h := range waiting {
		if h.awaitsSandbox {
			s.awaitSandbox(h)
		}
	}
}

// sandboxed tells what holds for a frame: what one above it forbids is forbidden.
func sandboxed(f *frame) sandboxState {
	is := modalsAllowed
	for ; f != nil && f.parent != nil; f = f.parent {
		switch f.sandbox {
		case modalsForbidden:
			return modalsForbidden
		case sandboxAsked:
			is = sandboxAsked
		}
	}
	return is
}
