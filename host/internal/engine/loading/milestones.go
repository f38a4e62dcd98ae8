package loading

import (
	"maps"
	"sync"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Milestones are what the documents of tabs have reached. The zero value is ready to use, by any goroutine. The events
// are enabled from the start, as Chromium announces once for a document that its network is idle. To enable them later
// announces that, too, but also while the network has been idle for less than half a second (package facts has the
// proof).
type Milestones struct {
	mu sync.Mutex
	of map[target.ID]*tabMilestones
}

// tabMilestones are those of a tab.
type tabMilestones struct {
	restored bool // the top document is from the back/forward cache, for which nothing is announced again
	frames   map[cdproto.FrameID]reached
}

// reached is what one document has.
type reached struct {
	document     cdproto.LoaderID
	loaded, idle bool
}

// Note takes an event of a tab, with what the state machine takes it for; nil: nothing.
func (m *Milestones) Note(tab target.ID, heard cdp.Message, decoded supervise.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if gone, ok := decoded.(supervise.TargetDestroyed); ok {
		delete(m.of, gone.Target)
	}
	if tab == "" {
		return
	}
	t := m.of[tab]
	if t == nil {
		t = &tabMilestones{frames: map[cdproto.FrameID]reached{}}
		if m.of == nil {
			m.of = map[target.ID]*tabMilestones{}
		}
		m.of[tab] = t
	}
	switch decoded := decoded.(type) {
	case supervise.FrameDetached:
		delete(t.frames, decoded.Frame)
	case supervise.FrameNavigated:
		if decoded.Frame.ID == cdproto.FrameID(tab) { // the other frames are gone with their document
			t.restored = decoded.Frame.Restored
			maps.DeleteFunc(t.frames, func(frame cdproto.FrameID, _ reached) bool { return frame != decoded.Frame.ID })
		}
	}
	if heard.Method == eventLifecycle {
		t.note(heard.Params)
	}
}

func (t *tabMilestones) note(params []byte) {
	var e cdppage.EventLifecycleEvent
	if cdp.Unmarshal(params, &e) != nil || e.Name != "load" && e.Name != "networkIdle" {
		return
	}
	r := t.frames[e.FrameID]
	if r.document != e.LoaderID {
		r = reached{document: e.LoaderID}
	}
	r.loaded, r.idle = r.loaded || e.Name == "load", r.idle || e.Name == "networkIdle"
	t.frames[e.FrameID] = r
}

// Reached reports whether a document of a frame of a tab has loaded, and whether its network has been idle since.
func (m *Milestones) Reached(tab target.ID, frame cdproto.FrameID, document cdproto.LoaderID) (loaded, idle bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.of[tab]
	switch {
	case t == nil:
		return false, false
	case t.restored:
		return true, true
	}
	r := t.frames[frame]
	return r.loaded && r.document == document, r.idle && r.document == document
}
