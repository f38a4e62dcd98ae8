package page

import (
	"context"
	"slices"
	"sync"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
)

// rest is how a tab that was read is found not to have changed since. The walker of each document watches for
// mutations, and for what has no mutation, such as the value of a field. What is left comes from style sheets, from
// scripts that change them, from loaded images and fonts, and from the size of the window: it makes Chromium compute
// styles or layouts, which it counts. So a page that is at rest costs no more than these questions.
type rest struct {
	readings map[cdproto.FrameID]int // the walker's number of the reading of each document
	counts   map[string]counts       // by session
}

// counts are how often styles and layouts were computed in the documents of a session, and how many listeners there are
// in its process.
type counts struct{ styles, layouts, listeners float64 }

// rest returns nil if a change would not be noticed: where a document was not read by the walker, or was computed again
// while it was read.
func (r *raw) rest() *rest {
	out := &rest{readings: map[cdproto.FrameID]int{}, counts: r.counts}
	for _, f := range OpenFrames(r.frames) {
		d := r.documents[f.ID]
		if _, counted := r.counts[f.Session]; d == nil || !counted || r.states[f.ID] != "" {
			return nil
		}
		out.readings[f.ID] = d.list.Reading
	}
	return out
}

// holds reports whether a tab may still be as it was read: its frames and their documents are the same.
func (t *Tree) holds(frames []Frame) bool {
	return t != nil && t.rest != nil && t.Below == nil && slices.Equal(t.all, frames)
}

// hasListeners reports whether a session had as many listeners after the reading as it has now.
func (t *Tree) hasListeners(session string, now *counts) bool {
	if t == nil || t.rest == nil || now == nil {
		return false
	}
	then, counted := t.rest.counts[session]
	return counted && then.listeners == now.listeners
}

// unchanged asks the frames of a session whether they are still as they were when the tab was last read. Their styles
// and layouts are up to date afterwards; counts are those from then on.
func (g *gathering) unchanged(frames []Frame) (now *counts, holds bool) {
	var questions []func()
	var mu sync.Mutex
	holds = g.vote.open()
	if !slices.ContainsFunc(frames, g.walks) {
		return nil, false
	}
	for _, f := range frames {
		if g.walks(f) {
			questions = append(questions, func() {
				same := g.same(frames[0].ID, f)
				mu.Lock()
				defer mu.Unlock()
				holds = holds && same
			})
		}
	}
	g.atOnce(questions)
	if g.stopped(frames) {
		return nil, false
	}
	now = g.counts(frames[0].ID)
	return now, holds && now != nil && *now == g.want.last.rest.counts[frames[0].Session]
}

// same asks one frame.
func (g *gathering) same(root cdproto.FrameID, f Frame) (same bool) {
	number := -1
	if last := g.want.last; last != nil && last.rest != nil {
		number = last.rest.readings[f.ID]
	}
	ctx, cancel := context.WithTimeout(g.ctx, g.content(root))
	defer cancel()
	if err := g.driver.RunWithin(ctx, f.ID, nil, isSame, []any{number}, &same); err != nil {
		g.noteError(ctx, f, err)
	}
	return same
}

// isSame asks the walker, if there is one, and makes sure that style and layout are up to date.
const isSame = `(_, number) => {
	if (Object.hasOwn(globalThis, "hermesWalker")) return hermesWalker.same(number);
	document.documentElement?.getBoundingClientRect();
	return false;
}`

// counts asks for the counts of a session; nil: it has none.
func (g *gathering) counts(root cdproto.FrameID) *counts {
	for range 2 {
		var r performance.GetMetricsResult
		if g.ask(g.content(root), root, performance.CommandGetMetrics, nil, &r) != "" {
			return nil
		}
		if len(r.Metrics) > 0 {
			return countsOf(r.Metrics)
		}
		g.ask(g.content(root), root, performance.CommandEnable, nil, nil) // until then nothing is counted
	}
	return nil
}

func countsOf(metrics []*performance.Metric) *counts {
	c := &counts{}
	at := map[string]*float64{"RecalcStyleCount": &c.styles, "LayoutCount": &c.layouts, "JSEventListeners": &c.listeners}
	for _, m := range metrics {
		if count := at[m.Name]; count != nil {
			*count = m.Value
			delete(at, m.Name)
		}
	}
	if len(at) > 0 {
		return nil
	}
	return c
}

// noteCounts notes the counts of a session after it was read, if they are those from before.
func (g *gathering) noteCounts(frames []Frame, before *counts) {
	if before == nil {
		return
	}
	after := g.counts(frames[0].ID)
	if after == nil || *after != *before {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.raw.counts[frames[0].Session] = *after
}

// vote is that of the sessions of a tab on whether its last reading still holds. One against is enough.
type vote struct {
	mu      sync.Mutex
	missing int
	against chan struct{} // closed with the first vote against
	all     chan struct{} // closed with the last vote
}

func newVote(voters int, open bool) *vote {
	v := &vote{missing: voters, against: make(chan struct{}), all: make(chan struct{})}
	if !open || voters == 0 {
		close(v.against)
	}
	return v
}

// open reports whether nobody has voted against it yet.
func (v *vote) open() bool {
	select {
	case <-v.against:
		return false
	default:
		return true
	}
}

// cast casts one vote, and returns what comes of all: as soon as one is against it, or after the last.
func (v *vote) cast(holds bool) bool {
	v.mu.Lock()
	if v.missing--; v.missing == 0 {
		close(v.all)
	}
	if !holds && v.open() {
		close(v.against)
	}
	v.mu.Unlock()
	select {
	case <-v.against:
	case <-v.all:
	}
	return v.open()
}
