package supervise

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Some backends close every native dialog by themselves, within milliseconds and before anybody can decide. Where that is
// seen and the task leaves it to us, its dialogs go through the bridge from then on.

const (
	// backendSpeed is how soon a dialog has to be closed to be taken for the backend's doing; a person needs longer.
	backendSpeed = time.Second
	// pageEnd is how long after that a page shows that it was its own end that closed the dialog.
	pageEnd = 500 * time.Millisecond
)

// suspectBackend looks at a native dialog that somebody else closed. Its page's end closes one as well, and is told
// afterwards.
func (s *State) suspectBackend(d *dialog) {
	t, f := d.tab.task, s.frames[d.Frame]
	if t.Bridge != BridgeAuto || t.bridge.script != nil || t.bridge.doubts != 0 || t.bridge.asked != 0 || t.leaving != nil ||
		d.Type == abi.DialogTypeBeforeUnload || f == nil || d.ClosedAt.Sub(d.OpenedAt) > backendSpeed {
		return
	}
	loader := f.loader
	t.bridge.doubts = s.after(pageEnd, func() {
		t.bridge.doubts = 0
		if s.frames[f.id] != f || f.loader != loader || f.tab.crashed {
			return
		}
		t.bridge.reason = "the backend closes native dialogs by itself: " + d.ID
		s.askBridgeScript(t)
	})
}
