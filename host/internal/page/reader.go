package page

import (
	"context"
	"sync"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// Reader is a [Driver] that can also give up on one frame, and go on with the others.
type Reader interface {
	Driver
	// ReadWithin is Read with a bound of its own: when it ends, nobody waits for the reply any more.
	ReadWithin(ctx context.Context, frame cdproto.FrameID, method string, params, result any) error
	// Ends tells whether an error concerns the whole operation, and not only the frame that was asked.
	Ends(err error) bool
}

// The states of a frame that could not be read.
const (
	Unresponsive = "unresponsive" // its main thread did not answer
	Loading      = "loading"      // it has no document yet, or just got another one
	Unreadable   = "unreadable"   // the browser refused, or the answer was too large
)

const (
	// probeTimeout bounds the wait for a main thread's first word. One that runs a script for longer is not waited for.
	probeTimeout = 1500 * time.Millisecond
	// contentTimeout bounds the wait for what a thread that did answer has to say of its documents.
	contentTimeout = 15 * time.Second
	// topTimeout is that of the tab's own thread, without which there is nothing to show: it has 30 MB to say of 10,000
	// elements, which takes a second or two, and ten times that on a busy machine.
	topTimeout = time.Minute
	// atOnce is how many commands of a session are under way at the same time.
	atOnce = 8
)

// raw is what the frames of a tab told of themselves.
type raw struct {
	frames   []Frame
	trees    map[cdproto.FrameID][]axNode
	owners   map[cdproto.FrameID]cdproto.BackendNodeID // the element of the parent that shows the frame
	states   map[cdproto.FrameID]string                // of frames that have no tree
	layouts  map[cdproto.FrameID]*layout
	viewport size // of the top frame, in CSS pixels; zero where it is not known
}

type size struct{ width, height float64 }

// bounds are the bounds of one session's commands.
type bounds struct{ probe, content, top time.Duration }

// boundsWithin divides what time there is; 0: no limit.
func boundsWithin(limit time.Duration) bounds {
	if limit <= 0 {
		return bounds{probeTimeout, contentTimeout, topTimeout}
	}
	return bounds{min(probeTimeout, limit/3), min(contentTimeout, limit/2), min(topTimeout, limit*3/4)}
}

// gather asks all sessions of a tab at the same time. A frame that got another document meanwhile is asked once more.
func gather(d Reader, limit time.Duration, want content) (*raw, error) {
	r, err := gatherOnce(d, limit, want)
	if err != nil || r.isCurrent(d.Frames()) {
		return r, err
	}
	r, err = gatherOnce(d, limit, want)
	if err == nil {
		r.dropReplaced(d.Frames())
	}
	return r, err
}

// content says what is asked of the frames.
type content struct{ tree, layout bool }

func gatherOnce(d Reader, limit time.Duration, want content) (*raw, error) {
	r := &raw{
		frames: d.Frames(), trees: map[cdproto.FrameID][]axNode{}, owners: map[cdproto.FrameID]cdproto.BackendNodeID{},
		states: map[cdproto.FrameID]string{}, layouts: map[cdproto.FrameID]*layout{},
	}
	ctx, cancel := context.WithCancelCause(d.Context())
	defer cancel(nil)
	g := &gathering{driver: d, raw: r, want: want, bounds: boundsWithin(limit), ctx: ctx, fail: cancel}
	var sessions sync.WaitGroup
	for _, frames := range g.sessions() {
		sessions.Go(func() { g.session(frames) })
	}
	sessions.Wait()
	if g.failed != nil {
		return nil, g.failed
	}
	return r, nil
}

// settled tells whether the frames that were read still have the documents that they had before.
func (r *raw) isCurrent(now []Frame) bool {
	after := byID(now)
	for _, f := range r.frames {
		if r.trees[f.ID] != nil && after[f.ID].Document != f.Document {
			return false
		}
	}
	return true
}

// drop forgets what was read of a document that is not there any more.
func (r *raw) dropReplaced(now []Frame) {
	after := byID(now)
	for _, f := range r.frames {
		if r.trees[f.ID] != nil && after[f.ID].Document != f.Document {
			delete(r.trees, f.ID)
			r.states[f.ID] = Loading
		}
	}
}

func byID(frames []Frame) map[cdproto.FrameID]Frame {
	m := make(map[cdproto.FrameID]Frame, len(frames))
	for _, f := range frames {
		m[f.ID] = f
	}
	return m
}
