package engine

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

// pictureRoutes are the ways from the sessions of a link to those who record them. The zero value is ready.
type pictureRoutes struct {
	mu     sync.RWMutex
	routes map[string]*Slot
}

// route sends the frames of a session to a slot; nil ends that.
func (r *pictureRoutes) route(session string, to *Slot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if to == nil {
		delete(r.routes, session)
		return
	}
	if r.routes == nil {
		r.routes = map[string]*Slot{}
	}
	r.routes[session] = to
}

// take takes a message that is a frame. One that nobody records belongs to an agent's own session, and is dropped.
func (r *pictureRoutes) take(m cdp.Message) bool {
	if m.Method != eventFrame || m.ID != 0 {
		return false
	}
	r.mu.RLock()
	to := r.routes[m.SessionID]
	r.mu.RUnlock()
	if to != nil {
		to.put(Picture{Session: m.SessionID, Params: m.Params, At: time.Now()})
	}
	return true
}

// Picture is one that has come, undecoded.
type Picture struct {
	Session string
	Params  []byte
	At      time.Time
	Before  int // how many of the same session came before it and were replaced by it
}

// Slot holds the newest frame of a tab until its recorder takes it.
type Slot struct {
	mu    sync.Mutex
	frame Picture
	full  bool
	Ready chan struct{} // has one token while there is a frame
}

func NewSlot() *Slot { return &Slot{Ready: make(chan struct{}, 1)} }

// put replaces a frame that was not taken: what is shown now counts. It never waits.
func (s *Slot) put(f Picture) {
	s.mu.Lock()
	if s.full && s.frame.Session == f.Session {
		f.Before = s.frame.Before + 1
	}
	s.frame, s.full = f, true
	s.mu.Unlock()
	select {
	case s.Ready <- struct{}{}:
	default:
	}
}

// Take empties the slot; false where it is empty.
func (s *Slot) Take() (Picture, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, full := s.frame, s.full
	s.frame, s.full = Picture{}, false
	return f, full
}
