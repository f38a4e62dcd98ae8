package host

import (
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// eventFrame brings a picture of a tab. These events are large and many, so that they never come to the owner of a link:
// the connection's reader puts them where their tab's recorder finds them.
//
// https://chromedevtools.github.io/devtools-protocol/tot/Page/#event-screencastFrame
const eventFrame = "Page.screencastFrame"

// frameRoutes are the ways from the sessions of a link to those who record them. The zero value is ready.
type frameRoutes struct {
	mu     sync.RWMutex
	routes map[string]*frameSlot
}

// route sends the frames of a session to a slot; nil ends that.
func (r *frameRoutes) route(session string, to *frameSlot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if to == nil {
		delete(r.routes, session)
		return
	}
	if r.routes == nil {
		r.routes = map[string]*frameSlot{}
	}
	r.routes[session] = to
}

// take takes a message that is a frame. One that nobody records belongs to an agent's own session, and is dropped.
func (r *frameRoutes) take(m cdp.Message) bool {
	if m.Method != eventFrame || m.ID != 0 {
		return false
	}
	r.mu.RLock()
	to := r.routes[m.SessionID]
	r.mu.RUnlock()
	if to != nil {
		to.put(shownFrame{session: m.SessionID, params: m.Params, at: time.Now()})
	}
	return true
}

// shownFrame is one that has come, undecoded.
type shownFrame struct {
	session string
	params  []byte
	at      time.Time
	before  int // how many of the same session came before it and were replaced by it
}

// frameSlot holds the newest frame of a tab until its recorder takes it.
type frameSlot struct {
	mu    sync.Mutex
	frame shownFrame
	full  bool
	ready chan struct{} // has one token while there is a frame
}

func newFrameSlot() *frameSlot { return &frameSlot{ready: make(chan struct{}, 1)} }

// put replaces a frame that was not taken: what is shown now counts. It never waits.
func (s *frameSlot) put(f shownFrame) {
	s.mu.Lock()
	if s.full && s.frame.session == f.session {
		f.before = s.frame.before + 1
	}
	s.frame, s.full = f, true
	s.mu.Unlock()
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// take empties the slot; false where it is empty.
func (s *frameSlot) take() (shownFrame, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, full := s.frame, s.full
	s.frame, s.full = shownFrame{}, false
	return f, full
}
