package input

import (
	"math"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

const (
	// trackPointer records the position of the pointer in a frame, where the page's scripts cannot see it. It returns
	// whether the document has received no pointer event yet. After some seconds it no longer does: a page can hide them
	// for good.
	trackPointer = `() => {
	const note = e => { if (e.isTrusted) { own.pointerAt = [e.clientX, e.clientY]; own.pointerSeen = true } };
	if (own.pointerAt === undefined) {
		own.pointerSince = performance.now();
		for (const type of ["pointermove", "mousemove"]) addEventListener(type, note, {capture: true, passive: true});
	}
	own.pointerAt = null;
	return !own.pointerSeen && performance.now() - own.pointerSince < 3000;
}`
	// pointerAt returns the position of the pointer; null if no event came, and an empty list if none can come.
	pointerAt = `() => own.pointerAt ?? (scripted() ? null : [])`
)

// movePointer moves the pointer to a spot, and reports whether the frame of its target received that. In a tab of
// several processes the browser sends events to the frame that was at the point when the surrounding frames were last
// drawn. That may have been before something scrolled, and a frame with nothing new to show is not drawn again (seen in
// Chromium 156). So if the event went to another frame, those on the path are redrawn.
func (s *spot) movePointer(d Actor) (bool, error) {
	there, err := s.pointerReaches(d)
	if err != nil || there {
		return there, err
	}
	return false, s.redraw(d)
}

// redrawFrames makes frames be drawn again by moving them by a fiftieth of a pixel and back. Neither the document nor
// its layout changes.
const redrawFrames = `frames => {
	const moves = frames.map(e => e.animate([{translate: "0.02px 0"}, {translate: "0 0"}], 60).finished);
	return Promise.race([Promise.allSettled(moves), after(200)]).then(() => null);
}`

const (
	redrawOne = "(e) => (" + redrawFrames + ")([e])"
	redrawAll = `() => (` + redrawFrames + `)([...document.querySelectorAll("iframe")].slice(0, 20))`
)

// redraw redraws the frames on the path to a spot, and those in the spot's own frame.
func (s *spot) redraw(d Actor) error {
	for _, l := range s.path[1:] {
		if err := d.Run(l.Owner.Frame, l.Owner.ID, redrawOne, nil, nil); err != nil {
			return err
		}
	}
	return d.Run(s.target.Frame, 0, redrawAll, nil, nil)
}

// pointerReaches moves the pointer to a spot, and reports whether the frame of its target received that. For a moment,
// a new document may get no pointer events at all, so it must have received one first.
func (s *spot) pointerReaches(d Actor) (bool, error) {
	frame, to := s.target.Frame, s.local[len(s.local)-1]
	var unseen bool
	if err := d.Run(frame, 0, trackPointer, nil, &unseen); err != nil {
		return false, err
	}
	if !unseen && !s.isMultiProcess(d) {
		return true, nil
	}
	// From one pixel beside it: a pointer that is already there would not move.
	for _, at := range []geometry.Point{{X: s.inTab().X + 1, Y: s.inTab().Y}, s.inTab()} {
		if err := Move(d, at); err != nil {
			return false, err
		}
	}
	var at []float64
	if err := d.Run(frame, 0, pointerAt, nil, &at); err != nil || at == nil {
		return false, err
	}
	return len(at) != 2 || math.Abs(at[0]-to.X) <= 2 && math.Abs(at[1]-to.Y) <= 2, nil
}

// isMultiProcess reports whether the tab has frames of several processes.
func (s *spot) isMultiProcess(d Actor) bool {
	return slices.ContainsFunc(d.Frames(), func(f page.Frame) bool { return f.Session != s.path[0].Frame.Session })
}
