package loading

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

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
	mu   sync.Mutex
	of   map[target.ID]*tabMilestones
	news chan struct{} // is closed at the next event; nil: nobody waits for it
}

// tabMilestones are those of a tab.
type tabMilestones struct {
	restored bool // the top document is from the back/forward cache, for which nothing is announced again
	frames   map[cdproto.FrameID]reached
	coming   map[cdproto.FrameID]bool // child frames that load a document which is not there yet
}

// reached is what one document has.
type reached struct {
	document             cdproto.LoaderID
	committed            time.Time // zero: not since the tab is known
	parsed, loaded, idle bool
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
		t = &tabMilestones{frames: map[cdproto.FrameID]reached{}, coming: map[cdproto.FrameID]bool{}}
		if m.of == nil {
			m.of = map[target.ID]*tabMilestones{}
		}
		m.of[tab] = t
	}
	switch decoded := decoded.(type) {
	case supervise.NavigationStarted:
		if decoded.Frame != cdproto.FrameID(tab) {
			t.coming[decoded.Frame] = true
		}
	case supervise.LoadingStopped:
		delete(t.coming, decoded.Frame)
		if r, ok := t.frames[decoded.Frame]; ok { // of a response that breaks off, Chromium announces nothing else
			r.parsed = true
			t.frames[decoded.Frame] = r
		}
	case supervise.FrameDetached:
		if !decoded.Swap { // by then the document in the other process may be there
			delete(t.frames, decoded.Frame)
			delete(t.coming, decoded.Frame)
		}
	case supervise.FrameNavigated:
		if decoded.Frame.ID == cdproto.FrameID(tab) { // the other frames are gone with their document
			t.restored = decoded.Frame.Restored
			maps.DeleteFunc(t.frames, func(frame cdproto.FrameID, _ reached) bool { return frame != decoded.Frame.ID })
			clear(t.coming)
		}
		delete(t.coming, decoded.Frame.ID)
		if heard.Method == eventNavigated {
			t.frames[decoded.Frame.ID] = reached{document: decoded.Frame.Loader, committed: time.Now(), parsed: decoded.Frame.Restored}
		}
	}
	if heard.Method == eventLifecycle {
		t.note(heard.Params)
	}
	if m.news != nil {
		close(m.news)
		m.news = nil
	}
}

func (t *tabMilestones) note(params []byte) {
	var e cdppage.EventLifecycleEvent
	if cdp.Unmarshal(params, &e) != nil || e.Name != "DOMContentLoaded" && e.Name != "load" && e.Name != "networkIdle" {
		return
	}
	r := t.frames[e.FrameID]
	if r.document != e.LoaderID {
		r = reached{document: e.LoaderID}
	}
	r.parsed, r.loaded, r.idle = true, r.loaded || e.Name == "load", r.idle || e.Name == "networkIdle"
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

// Lost forgets which documents were being loaded, because nobody hears what happens to them.
func (m *Milestones) Lost() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.of {
		clear(t.coming)
		for frame, r := range t.frames {
			r.parsed = true
			t.frames[frame] = r
		}
	}
}

// IsParsed reports whether all documents of a tab have been parsed whose commits were seen.
func (m *Milestones) IsParsed(tab target.ID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.of[tab]
	return t == nil || !slices.ContainsFunc(slices.Collect(maps.Values(t.frames)), reached.isParsing)
}

func (r reached) isParsing() bool { return !r.parsed && !r.committed.IsZero() }

// AwaitParsed waits until the document of a frame has been parsed, if it was committed in the time before. Without a
// frame, it is those of all frames of the tab, and if the top one is among them, those that its frames have yet to get.
// A tab that is held, as by a dialog, is not awaited.
func (m *Milestones) AwaitParsed(ctx context.Context, tab target.ID, frame cdproto.FrameID, since time.Duration, held func() bool) {
	for {
		left, news := m.unparsed(tab, frame, since)
		if left <= 0 || held() {
			return
		}
		select {
		case <-news:
		case <-time.After(left):
		case <-ctx.Done():
			return
		}
	}
}

// unparsed is how long the documents are to be awaited from now on, at most, and a channel that is closed when that may
// have changed.
func (m *Milestones) unparsed(tab target.ID, frame cdproto.FrameID, since time.Duration) (left time.Duration, news <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.of[tab]
	if t == nil {
		return 0, nil
	}
	for id, r := range t.frames {
		if r.isParsing() && (frame == "" || frame == id) {
			left = max(left, since-time.Since(r.committed))
		}
	}
	if top := t.frames[cdproto.FrameID(tab)]; frame == "" && len(t.coming) > 0 && !top.committed.IsZero() {
		left = max(left, since-time.Since(top.committed))
	}
	if m.news == nil {
		m.news = make(chan struct{})
	}
	return left, m.news
}
