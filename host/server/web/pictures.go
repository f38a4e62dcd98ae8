package web

import (
	"encoding/binary"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// newest holds the newest picture of each tab.
type newest struct {
	fresh chan struct{} // holds one token when there is a new one
	mu    sync.Mutex
	by    map[string]host.LivePicture
}

func (n *newest) see(p host.LivePicture) {
	n.mu.Lock()
	n.by[p.TargetID] = p
	n.mu.Unlock()
	select {
	case n.fresh <- struct{}{}:
	default:
	}
}

func (n *newest) of(target string) (host.LivePicture, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	p, ok := n.by[target]
	return p, ok
}

// pictureHead goes before each picture.
type pictureHead struct {
	TargetID   string  `json:"target_id"`
	PageWidth  float64 `json:"page_width"`
	PageHeight float64 `json:"page_height"`
}

// tabEvery is how often it is checked whether another tab is in use now.
const tabEvery = 500 * time.Millisecond

// pictures streams what a tab shows, or the tab in use: for each picture the length of a JSON head, the head, the
// length of the picture, and the picture; lengths are 32 bits, the most significant byte first. A page that does not
// change sends none, and a client that is slow gets the newest.
func (s *Server) pictures(w http.ResponseWriter, r *http.Request) error {
	t, err := s.taskOf(r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	control := http.NewResponseController(w)
	if control.Flush() != nil {
		return nil
	}
	n := &newest{fresh: make(chan struct{}, 1), by: map[string]host.LivePicture{}}
	defer t.Watch(n.see)()
	tick := time.NewTicker(tabEvery)
	defer tick.Stop()
	var sent host.LivePicture
	for {
		target := r.URL.Query().Get("tab")
		if target == "" {
			target = t.Snapshot().TabInUse
		}
		if p, ok := n.of(target); ok && (p.TargetID != sent.TargetID || !p.At.Equal(sent.At)) {
			if writePicture(w, p) != nil || control.Flush() != nil {
				return nil // the client is gone
			}
			sent = p
		}
		select {
		case <-n.fresh:
		case <-tick.C:
		case <-t.Done():
			return nil
		case <-s.closing.Done():
			return nil
		case <-r.Context().Done():
			return nil
		}
	}
}

func writePicture(w http.ResponseWriter, p host.LivePicture) error {
	head, err := json.Marshal(pictureHead{p.TargetID, p.PageWidth, p.PageHeight})
	if err != nil {
		return err
	}
	out := binary.BigEndian.AppendUint32(nil, uint32(len(head)))
	out = binary.BigEndian.AppendUint32(append(out, head...), uint32(len(p.WebP)))
	_, err = w.Write(append(out, p.WebP...))
	return err
}
