package page

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

// Reader is a [Driver] that can also give up on one frame and continue with the others.
type Reader interface {
	Driver
	// ReadWithin is Read with a limit of its own, after which the reply is no longer awaited.
	ReadWithin(ctx context.Context, frame cdproto.FrameID, method string, params, result any) error
	// RunWithin is Run with any number of nodes, as RunOn, and with a limit of its own, after which the reply is no longer
	// awaited. Nodes that no longer exist are undefined. The function only looks at the page. If result is a
	// *[]Described, the value is an array of nodes.
	RunWithin(ctx context.Context, frame cdproto.FrameID, nodes []cdproto.BackendNodeID, function string, args []any, result any) error
	// Ends reports whether an error concerns the whole operation, and not only the frame that was asked.
	Ends(err error) bool
}

// Looks is the group of the objects that a reading makes in a session; it is released at its end.
const Looks = "hermes-cdp-looks"

// Described is a node of an array that RunWithin returns.
type Described struct {
	ID     cdproto.BackendNodeID // 0: there is no such node
	Closed cdproto.BackendNodeID // its closed shadow root; 0: it has none
}

// DescribedNodes is how Runtime.evaluate returns an array of nodes.
type DescribedNodes struct {
	Value []struct {
		Value struct {
			ID   cdproto.BackendNodeID `json:"backendNodeId"`
			Root *struct {
				Value struct {
					ID   cdproto.BackendNodeID `json:"backendNodeId"`
					Mode string                `json:"mode"`
				} `json:"value"`
			} `json:"shadowRoot"`
		} `json:"value"`
	} `json:"value"`
}

// List lists the nodes.
func (n *DescribedNodes) List() []Described {
	list := make([]Described, len(n.Value))
	for i, v := range n.Value {
		list[i].ID = v.Value.ID
		if root := v.Value.Root; root != nil && root.Value.Mode == "closed" {
			list[i].Closed = root.Value.ID
		}
	}
	return list
}

// The states of a frame that could not be read.
const (
	Unresponsive = "unresponsive" // its main thread did not answer
	Loading      = "loading"      // it has no document yet, or the document was just replaced
	Unreadable   = "unreadable"   // the browser refused, or the reply was too large
)

const (
	// probeTimeout is how long a main thread may take to answer at all, such as while it runs a script.
	probeTimeout = 1500 * time.Millisecond
	// contentTimeout is how long a thread that did answer may take to describe its documents.
	contentTimeout = 15 * time.Second
	// topTimeout is how long the top frame's thread, without which there is nothing to show, may take. For 10,000 elements
	// the reply has 30 MB, which takes a second or two, and ten times that on a busy machine.
	topTimeout = time.Minute
	// atOnce is how many commands a session is sent at the same time.
	atOnce = 8
)

// raw is what the frames of a tab replied.
type raw struct {
	frames    []Frame
	documents map[cdproto.FrameID]*document // of frames that the walker has read
	trees     map[cdproto.FrameID][]axNode
	owners    map[cdproto.FrameID]cdproto.BackendNodeID // the element of the parent that shows the frame
	listed    map[cdproto.FrameID]cdproto.BackendNodeID // the same element as the walker has numbered it, if it has
	states    map[cdproto.FrameID]string                // of frames that were not read
	layouts   map[cdproto.FrameID]*layout
	below     Element                    // that is wanted; its id is that in its document
	viewed    map[cdproto.FrameID]string // the texts of PDF files, by the frame of the viewer
	viewport  geometry.Size              // of the top frame, in CSS pixels; zero where it is not known
	counts    map[string]counts          // of sessions in which nothing was computed while they were read
	same      bool                       // nothing was read, because the last reading still holds
}

// bounds are the time limits of one session's commands.
type bounds struct{ probe, content, top time.Duration }

// boundsWithin divides the available time; 0: no limit.
func boundsWithin(limit time.Duration) bounds {
	if limit <= 0 {
		return bounds{probeTimeout, contentTimeout, topTimeout}
	}
	return bounds{min(probeTimeout, limit/3), min(contentTimeout, limit/2), min(topTimeout, limit*3/4)}
}

// gather asks all sessions of a tab at the same time. If a document is replaced meanwhile, all are asked once more.
func gather(d Reader, limit time.Duration, want content) (*raw, error) {
	r, err := gatherOnce(d, limit, want)
	if err != nil || !r.outdated(d.Frames()) {
		return r, err
	}
	want.last = nil
	if r, err = gatherOnce(d, limit, want); err != nil {
		return nil, err
	}
	for _, id := range r.replaced(d.Frames()) {
		delete(r.trees, id)
		delete(r.documents, id)
		r.states[id] = Loading
	}
	return r, nil
}

// content says what the frames are asked for.
type content struct {
	tree, layout bool
	boxes        bool                                 // of all nodes, not only of those in view
	walk         bool                                 // by the walker, where it can read all of a document
	below        Element                              // whose node is wanted, whatever it says; zero: none
	last         *Tree                                // that is enough if it still holds; nil: none
	told         map[cdproto.FrameID]cdproto.LoaderID // the documents that are read from the accessibility tree
}

func gatherOnce(d Reader, limit time.Duration, want content) (*raw, error) {
	r := &raw{
		frames: d.Frames(), documents: map[cdproto.FrameID]*document{}, trees: map[cdproto.FrameID][]axNode{}, owners: map[cdproto.FrameID]cdproto.BackendNodeID{},
		listed: map[cdproto.FrameID]cdproto.BackendNodeID{}, counts: map[string]counts{},
		states: map[cdproto.FrameID]string{}, layouts: map[cdproto.FrameID]*layout{}, below: want.below,
	}
	ctx, cancel := context.WithCancelCause(d.Context())
	defer cancel(nil)
	g := &gathering{driver: d, raw: r, want: want, bounds: boundsWithin(limit), ctx: ctx, fail: cancel}
	groups := g.sessions()
	g.vote = newVote(len(groups), want.last.holds(r.frames))
	var sessions sync.WaitGroup
	for _, frames := range groups {
		sessions.Go(func() { g.session(frames) })
	}
	sessions.Wait()
	r.same = g.vote.open()
	if g.failed != nil {
		return nil, g.failed
	}
	return r, nil
}

// outdated reports whether a document was replaced since it was read, or found to be as it was.
func (r *raw) outdated(now []Frame) bool {
	return len(r.replaced(now)) > 0 || r.same && !slices.Equal(r.frames, now)
}

// replaced lists the frames that were read, and show another document now, or one that agents may not look into.
func (r *raw) replaced(now []Frame) (ids []cdproto.FrameID) {
	after := ByID(now)
	for _, f := range r.frames {
		if (r.trees[f.ID] != nil || r.documents[f.ID] != nil) && (after[f.ID].Document != f.Document || after[f.ID].Filtered != "") {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// owner is the id of the element of the parent that shows a frame, as that was read; 0: it is not known.
func (r *raw) owner(f cdproto.FrameID) cdproto.BackendNodeID { return cmp.Or(r.listed[f], r.owners[f]) }

func ByID(frames []Frame) map[cdproto.FrameID]Frame {
	m := make(map[cdproto.FrameID]Frame, len(frames))
	for _, f := range frames {
		m[f.ID] = f
	}
	return m
}
