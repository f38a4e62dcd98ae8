// Package screencast passes the pictures of tabs from the connection to those who record them.
package screencast

import (
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// Event brings a picture of a tab. These events are large and frequent, so they bypass the owner: the reader of
// the connection puts them where the recorder of the tab finds them.
//
// https://chromedevtools.github.io/devtools-protocol/tot/Page/#event-screencastFrame
const Event = "Page.screencastFrame"

// Routes map the sessions of a link to the slots of those who record them. The zero value is ready to use.
type Routes struct {
	mu     sync.RWMutex
	routes map[string]*Slot
}

// Route sends the pictures of a session to a slot; a nil slot ends that.
func (r *Routes) Route(session string, to *Slot) {
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

// Take consumes a message that is a picture, and reports whether it did. A picture that nobody records comes from a
// session of an agent, and is dropped.
func (r *Routes) Take(m cdp.Message) bool {
	if m.Method != Event || m.ID != 0 {
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

// Picture is a picture of a tab, not yet decoded.
type Picture struct {
	Session string
	Params  []byte
	At      time.Time
	Before  int // how many earlier ones of the same session it replaced
}

// Slot holds the newest picture of a tab until its recorder takes it.
type Slot struct {
	mu      sync.Mutex
	picture Picture
	full    bool
	Ready   chan struct{} // holds one token while there is a picture
}

// NewSlot returns an empty slot.
func NewSlot() *Slot { return &Slot{Ready: make(chan struct{}, 1)} }

// put replaces a picture that was not taken, as only the newest counts. It never blocks.
func (s *Slot) put(f Picture) {
	s.mu.Lock()
	if s.full && s.picture.Session == f.Session {
		f.Before = s.picture.Before + 1
	}
	s.picture, s.full = f, true
	s.mu.Unlock()
	select {
	case s.Ready <- struct{}{}:
	default:
	}
}

// Take empties the slot; false if it was empty.
func (s *Slot) Take() (Picture, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, full := s.picture, s.full
	s.picture, s.full = Picture{}, false
	return f, full
}
