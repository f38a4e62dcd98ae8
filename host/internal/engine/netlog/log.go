package netlog

import (
	"fmt"
	"slices"
	"sync"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// The bounds of what is kept of a task's requests; the oldest ones go first.
const (
	maxRequests     = 1000
	maxRequestBytes = 4 << 20
)

// Log has the recent requests of a task. The zero value is ready to use. The owner of the connection writes it, without
// waiting for a reader longer than a copy takes.
type Log struct {
	mu      sync.Mutex
	watched bool
	list    []*Exchange
	latest  map[network.RequestID]*Exchange // the last hop of each request
	bytes   int
	number  uint64
	dropped uint64
	blocked map[network.RequestID]blockedNote // not announced yet; see Block
	hidden  map[string]bool                   // the names, in small letters, of headers that somebody has added
}

// Exchange is a request and its response.
type Exchange struct {
	view.Request
	ID      network.RequestID
	Session target.SessionID // which has the body
	loader  cdproto.LoaderID // of the document that asked for it
	began   float64          // of the browser's own clock, in seconds
	timing  *network.ResourceTiming
	bytes   int
	heard   time.Time // when its beginning was announced
}

// grew counts again what a request takes, and drops the oldest ones above the bounds.
func (n *Log) grew(x *Exchange) {
	size := 256 + len(x.URL) + len(x.Method) + len(x.Initiator) + len(x.Redirection) + len(x.Failure) + len(x.BlockedBy) + len(x.StatusText)
	for _, h := range slices.Concat(x.RequestHeaders, x.ResponseHeaders) {
		size += 32 + len(h.Name) + len(h.Value)
	}
	n.bytes += size - x.bytes
	x.bytes = size
	for len(n.list) > maxRequests || n.bytes > maxRequestBytes {
		oldest := n.list[0]
		n.list[0] = nil
		n.list = n.list[1:]
		n.bytes -= oldest.bytes
		n.dropped++
		if n.latest[oldest.ID] == oldest {
			delete(n.latest, oldest.ID)
		}
	}
}

// Watch reports whether nobody has watched the requests before.
func (n *Log) Watch() (first bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	first = !n.watched
	n.watched = true
	return first
}

// Last returns the number of the latest request; 0: there was none.
func (n *Log) Last() uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.number
}

// Since returns the first request of a tab after a number that matches: one that has ended, or else the first that has
// not. Those of a worker that several tabs share are of each.
func (n *Log) Since(after uint64, tab string, match func(view.Request) bool) (found view.Request, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, x := range n.list {
		if x.Number <= after || x.TargetID != tab && x.TargetID != "" || ok && !x.Ended || !match(x.Request) {
			continue
		}
		if found, ok = x.Request, true; x.Ended {
			break
		}
	}
	return found, ok
}

// Requests returns the recorded requests.
func (n *Log) Requests() view.Requests {
	n.mu.Lock()
	defer n.mu.Unlock()
	r := view.Requests{Watched: n.watched, Dropped: n.dropped, List: make([]view.Request, len(n.list))}
	for i, x := range n.list {
		r.List[i] = x.Request
	}
	return r
}

// answering are the types of requests whose answers change a page.
var answering = []string{"document", "fetch", "script", "xhr"}

// Awaited returns what a tab has asked for since some time that may change its page and has not ended, the latest
// first. What has been open for long is a connection that the page keeps.
func (n *Log) Awaited(tab string, since time.Time) (list []view.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, x := range slices.Backward(n.list) {
		if x.heard.Before(since) {
			break
		}
		if x.TargetID == tab && !x.Ended && slices.Contains(answering, x.Type) {
			list = append(list, x.Request)
		}
	}
	return list
}

// Leave takes an event that may end a document, with all that it has asked for: Chromium announces no end of that.
func (n *Log) Leave(event supervise.Event) {
	// A navigation that has no response yet is the browser's, which goes on with it, or announces its end.
	navigates := func(x *Exchange) bool { return x.Type == "document" && x.Status == 0 }
	switch e := event.(type) {
	case supervise.FrameNavigated:
		n.end("its document was left", func(x *Exchange) bool {
			return x.FrameID == string(e.Frame.ID) && x.loader != e.Frame.Loader && !navigates(x)
		})
	case supervise.FrameDetached:
		if !e.Swap {
			n.end("its frame was removed", func(x *Exchange) bool { return x.FrameID == string(e.Frame) })
		}
	case supervise.Detached:
		n.end("its document or worker is gone", func(x *Exchange) bool { return x.Session == e.Session && !navigates(x) })
	case supervise.ConnectionLost:
		n.end("the connection to the browser was lost before its end", func(*Exchange) bool { return true })
	}
}

// end ends the requests that are under way and meant.
func (n *Log) end(why string, meant func(*Exchange) bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, x := range n.list {
		if !x.Ended && meant(x) {
			x.Ended, x.Took, x.Failure = true, time.Since(x.heard), why
		}
	}
}

// Find returns a request by its number.
func (n *Log) Find(number uint64) (Exchange, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, x := range n.list {
		if x.Number == number {
			return *x, nil
		}
	}
	return Exchange{}, fmt.Errorf("%w: there is no request r%d; it may have been dropped for newer ones", fault.ErrBadArguments, number)
}
