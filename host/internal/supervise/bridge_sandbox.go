package supervise

import (
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/dom"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// A browser shows no dialog of a document whose sandbox lacks allow-modals, nor of the documents below it. The script
// cannot always know its sandbox, so the attribute is read from outside when a document commits and the bridge is on. A
// document keeps the sandbox it was created with; later changes of the attribute apply to the next document.
//
// https://html.spec.whatwg.org/multipage/browsers.html#sandboxed-modals-flag

// sandboxState says what is known about the sandbox of the element that holds a frame.
type sandboxState int

const (
	sandboxUnknown sandboxState = iota
	sandboxAsked
	modalsAllowed
	modalsForbidden
)

// sandboxTimeout bounds how long a dialog waits for its sandbox. A page that is stopped by a request replies to nothing
// about its frames, so this delays a dialog of that kind that opens right after its frame was created.
const sandboxTimeout = time.Second

// readSandbox reads the sandbox of a frame's current document, on the session of its parent.
func (s *State) readSandbox(f *frame) {
	f.sandbox = sandboxUnknown
	if f.parent == nil || f.parent.session == nil || f.tab.task.bridge.script == nil {
		return
	}
	parent, loader := f.parent.session, f.loader
	if s.sessions[parent.id] != parent {
		return
	}
	f.sandbox = sandboxAsked
	learned := func(is sandboxState) {
		if f.sandbox == sandboxAsked && f.loader == loader {
			f.sandbox = is
			s.sandboxLearned(f.tab)
		}
	}
	s.sendThen(parent.id, dom.CommandGetFrameOwner, &dom.GetFrameOwnerParams{FrameID: f.id}, WantOwner, func(r CommandReply) {
		if r.Err != nil || s.sessions[parent.id] != parent {
			learned(modalsAllowed) // unknown, so assume the default
			return
		}
		params := &dom.DescribeNodeParams{BackendNodeID: r.Owner}
		s.sendThen(parent.id, dom.CommandDescribeNode, params, WantAttributes, func(r CommandReply) {
			if r.Err == nil && forbidsModals(r.Attributes) {
				learned(modalsForbidden)
			} else {
				learned(modalsAllowed)
			}
		})
	})
}

// forbidsModals reads the attributes of a frame's element: names and values alternate.
func forbidsModals(attributes []string) bool {
	for i := 0; i+1 < len(attributes); i += 2 {
		if strings.EqualFold(attributes[i], "sandbox") {
			return !slices.Contains(strings.Fields(strings.ToLower(attributes[i+1])), "allow-modals")
		}
	}
	return false
}

// awaitSandbox opens the dialog of a proven stop once its frame's sandbox is known, or the time to learn it is up.
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

// sandboxLearned continues the stops of a tab that waited for a sandbox.
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

// sandboxed is the effective state of a frame: a frame inherits the restrictions of its ancestors.
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
