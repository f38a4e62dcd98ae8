package page

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domsnapshot"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

// gathering is one round of commands to all sessions.
type gathering struct {
	driver Reader
	want   content
	bounds bounds
	ctx    context.Context
	fail   context.CancelCauseFunc

	vote *vote // on whether the last reading still holds

	mu     sync.Mutex // guards raw and failed
	raw    *raw
	failed error
}

// sessions groups the frames by session; the first of each group is the root of its session.
func (g *gathering) sessions() [][]Frame {
	at := map[string]int{}
	var groups [][]Frame
	for _, f := range g.raw.frames {
		note, filtered := f.FilteredNote()
		switch {
		case filtered:
			g.raw.states[f.ID] = note.State
			continue
		case f.Session == "" || f.Empty:
			g.raw.states[f.ID] = Loading
			continue
		}
		i, ok := at[f.Session]
		if !ok {
			i = len(groups)
			at[f.Session] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// session asks one session for all of its frames, once its main thread has answered at all.
func (g *gathering) session(frames []Frame) {
	root := frames[0].ID
	if state := g.ask(g.bounds.probe, root, runtime.CommandGetIsolateID, nil, nil); state != "" {
		g.noteState(frames, state)
		g.vote.cast(false)
		return
	}
	before, holds := g.unchanged(frames)
	if g.vote.cast(holds) || g.stopped(frames) {
		return
	}
	var questions []func()
	var objects atomic.Bool
	for _, f := range frames {
		if g.walks(f) {
			questions = append(questions, func() { g.walk(root, f, before, &objects) })
		}
	}
	g.atOnce(questions)
	if g.stopped(frames) {
		return
	}
	g.noteCounts(frames, before)
	if objects.Load() {
		g.ask(g.bounds.probe, root, runtime.CommandReleaseObjectGroup, &runtime.ReleaseObjectGroupParams{ObjectGroup: Looks}, nil)
	}
	questions = nil
	left := g.unwalked(frames)
	if g.want.layout && len(left) > 0 {
		questions = append(questions, func() { g.layout(left) })
	}
	for _, f := range left {
		if g.want.tree {
			questions = append(questions, func() { g.tree(root, f) })
		}
	}
	for _, f := range g.raw.frames {
		if slices.ContainsFunc(frames, func(parent Frame) bool { return parent.ID == f.Parent }) {
			questions = append(questions, func() { g.owner(root, f) })
		}
	}
	if frames[0].Parent == "" && g.raw.viewport == (geometry.Size{}) {
		questions = append(questions, func() { g.metrics(root) })
	}
	g.atOnce(questions)
}

// walks reports whether a frame is read with the walker.
func (g *gathering) walks(f Frame) bool {
	return g.want.walk && (f.Document == "" || g.want.told[f.ID] != f.Document)
}

// stopped reports whether a main thread that answered at first has not answered the walker in time. Nothing else is
// asked of it then: its time is spent.
func (g *gathering) stopped(frames []Frame) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.ContainsFunc(frames, func(f Frame) bool { return g.raw.states[f.ID] == Unresponsive }) {
		return false
	}
	for _, f := range frames {
		if g.raw.documents[f.ID] == nil {
			g.raw.states[f.ID] = Unresponsive
		}
	}
	return true
}

// unwalked are those of some frames that the walker has not read.
func (g *gathering) unwalked(frames []Frame) []Frame {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(frames), func(f Frame) bool { return g.raw.documents[f.ID] != nil })
}

// atOnce asks several questions at the same time.
func (g *gathering) atOnce(questions []func()) {
	slots := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for _, question := range questions {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			question()
		})
	}
	all.Wait()
}

// content is the time limit for the content of a session's frames.
func (g *gathering) content(root cdproto.FrameID) time.Duration {
	if root == g.raw.frames[0].ID {
		return g.bounds.top
	}
	return g.bounds.content
}

// ask sends one command to the session of a frame; the state is empty if it was answered.
func (g *gathering) ask(limit time.Duration, frame cdproto.FrameID, method string, params, result any) string {
	ctx, cancel := context.WithTimeout(g.ctx, limit)
	defer cancel()
	err := g.driver.ReadWithin(ctx, frame, method, params, result)
	switch {
	case err == nil:
		return ""
	case g.ctx.Err() != nil || g.driver.Ends(err):
		g.failWith(err)
		return Unreadable
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Unresponsive
	}
	return Unreadable
}

// failWith ends all commands; only the first error is kept.
func (g *gathering) failWith(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed == nil {
		g.failed = err
		g.fail(err)
	}
}

func (g *gathering) noteState(frames []Frame, state string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, f := range frames {
		g.raw.states[f.ID] = state
	}
}

// walk reads a frame with the walker; a frame that it cannot read is left to the accessibility tree. now are the counts
// of its session; objects is set if the page keeps objects afterwards.
func (g *gathering) walk(root cdproto.FrameID, f Frame, now *counts, objects *atomic.Bool) {
	ctx, cancel := context.WithTimeout(g.ctx, g.content(root))
	defer cancel()
	w := walking{driver: g.driver, frame: f.ID, alone: func() bool { return g.alone(f) }, allBoxes: g.want.boxes, last: g.want.last.listOf(f)}
	w.sameListeners = g.want.last.hasListeners(f.Session, now)
	d, err := w.walk(ctx)
	if w.objects {
		objects.Store(true)
	}
	if err == nil {
		err = d.findFrames(ctx, g.driver, f.ID)
	}
	if err != nil {
		g.noteError(ctx, f, err)
		return
	}
	var number cdproto.BackendNodeID
	if g.want.below.Frame == f.ID {
		number, err = numberOf(ctx, g.driver, g.want.below)
		if err != nil {
			return // the accessibility tree knows the element by itself
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.raw.documents[f.ID] = d
	if f.Parent == "" {
		g.raw.viewport = geometry.Size{Width: d.list.Viewport[0], Height: d.list.Viewport[1]}
	}
	if number != 0 {
		g.raw.below.ID = walkedKey + number
	}
}

// noteError notes why a script in a frame, which had the time of a context, did not answer.
func (g *gathering) noteError(ctx context.Context, f Frame, err error) {
	switch {
	case g.ctx.Err() != nil || g.driver.Ends(err):
		g.failWith(err)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		g.noteState([]Frame{f}, Unresponsive)
	}
}

// alone reports whether no other frame of its process is below a frame.
func (g *gathering) alone(f Frame) bool {
	frames := g.driver.Frames()
	known := ByID(frames)
	return !slices.ContainsFunc(frames, func(below Frame) bool {
		if below.ID == f.ID || below.Session != f.Session {
			return false
		}
		for up := below.Parent; up != ""; up = known[up].Parent {
			if up == f.ID {
				return true
			}
		}
		return false
	})
}

func (g *gathering) tree(root cdproto.FrameID, f Frame) {
	var r struct {
		Nodes []axNode `json:"nodes"`
	}
	state := g.ask(g.content(root), root, accessibility.CommandGetFullAXTree, &accessibility.GetFullAXTreeParams{FrameID: f.ID}, &r)
	if state != "" {
		g.noteState([]Frame{f}, state)
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.raw.trees[f.ID] = r.Nodes
}

// owner finds the element that shows a frame, in the process of the frame's parent.
func (g *gathering) owner(root cdproto.FrameID, f Frame) {
	var r dom.GetFrameOwnerResult
	if g.ask(g.content(root), root, dom.CommandGetFrameOwner, &dom.GetFrameOwnerParams{FrameID: f.ID}, &r) != "" {
		return // the frame is then added at the end of its parent
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.raw.owners[f.ID] = r.BackendNodeID
	if d := g.raw.documents[f.Parent]; d != nil {
		g.raw.listed[f.ID] = cmp.Or(d.frames[r.BackendNodeID], unlisted)
	}
}

// layout asks for the boxes of all nodes; without them, nothing counts as in view.
func (g *gathering) layout(frames []Frame) {
	var r layoutReply
	if g.ask(g.content(frames[0].ID), frames[0].ID, domsnapshot.CommandCaptureSnapshot, &domsnapshot.CaptureSnapshotParams{ComputedStyles: []string{}}, &r) != "" {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, f := range frames {
		if l := r.layout(f.ID); l != nil {
			g.raw.layouts[f.ID] = l
		}
	}
}

func (g *gathering) metrics(root cdproto.FrameID) {
	var r cdppage.GetLayoutMetricsResult
	if g.ask(g.content(root), root, cdppage.CommandGetLayoutMetrics, nil, &r) != "" || r.CSSVisualViewport == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.raw.viewport = geometry.Size{Width: r.CSSVisualViewport.ClientWidth, Height: r.CSSVisualViewport.ClientHeight}
}
