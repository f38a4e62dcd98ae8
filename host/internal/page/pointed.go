package page

import "math"

const (
	// notePointer writes down where the pointer is in a frame, where the page's scripts can not see it. It tells whether the
	// document has heard of none so far, for the first seconds: a page can keep us from hearing of it for good.
	trackPointer = `() => {
	const note = e => { if (e.isTrusted) { globalThis.pointerAt = [e.clientX, e.clientY]; globalThis.pointerHeard = true } };
	if (globalThis.pointerAt === undefined) {
		globalThis.pointerSince = performance.now();
		for (const type of ["pointermove", "mousemove"]) addEventListener(type, note, {capture: true, passive: true});
		globalThis.timersFire = false;
		setTimeout(() => { globalThis.timersFire = true });
	}
	globalThis.pointerAt = null;
	return !globalThis.pointerHeard && performance.now() - globalThis.pointerSince < 3000;
}`
	// pointerAt gives where the pointer is; null where nothing was heard of it, and an empty list where nothing can be: in a
	// frame whose scripts are switched off no listener is called, and no timer fires.
	pointerAt = `async () => {
	for (let i = 0; !globalThis.pointerAt && !globalThis.timersFire && i < 20; i++) await new Blob([""]).arrayBuffer();
	return globalThis.pointerAt ?? (globalThis.timersFire ? null : []);
}`
)

// pointed moves the pointer to a spot, and tells whether the frame of its target has heard of that. In a tab of several
// processes the browser sends events to the frame that was at the place when the frames around it were drawn last. That may
// have been before something was scrolled, and one with nothing new to show is not drawn again (seen in Chromium 156): so
// those on the way are, where the pointer went astray.
func (s *spot) movePointer(d Actor) (bool, error) {
	there, err := s.pointerReaches(d)
	if err != nil || there {
		return there, err
	}
	return false, s.redraw(d)
}

// redrawn draws frames anew: it moves them by a fiftieth of a pixel and back. Neither the document nor its layout changes.
const redrawFrames = `frames => {
	const moves = frames.map(e => e.animate([{translate: "0.02px 0"}, {translate: "0 0"}], 60).finished);
	return Promise.race([Promise.allSettled(moves), new Promise(done => setTimeout(done, 200))]).then(() => null);
}`

const (
	redrawOne = "(e) => (" + redrawFrames + ")([e])"
	redrawAll = `() => (` + redrawFrames + `)([...document.querySelectorAll("iframe")].slice(0, 20))`
)

// redraw draws anew the frames on the way to a spot, and those in its own.
func (s *spot) redraw(d Actor) error {
	for _, l := range s.path[1:] {
		if err := d.Run(l.owner.Frame, l.owner.ID, redrawOne, nil, nil); err != nil {
			return err
		}
	}
	return d.Run(s.target.Frame, 0, redrawAll, nil, nil)
}

// reaches moves the pointer to a spot, and tells whether the frame of its target has heard of that. A document that has just
// come may be sent none for a moment, so it has to hear of one first.
func (s *spot) pointerReaches(d Actor) (bool, error) {
	frame, to := s.target.Frame, s.local[len(s.local)-1]
	var unheard bool
	if err := d.Run(frame, 0, trackPointer, nil, &unheard); err != nil {
		return false, err
	}
	if !unheard && !s.isMultiProcess(d) {
		return true, nil
	}
	// From beside it: a pointer that stays where it is does not move.
	for _, at := range []Point{{s.inTab().X + 1, s.inTab().Y}, s.inTab()} {
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

// apart tells whether the tab has frames of several processes.
func (s *spot) isMultiProcess(d Actor) bool {
	for _, f := range d.Frames() {
		if f.Session != s.path[0].frame.Session {
			return true
		}
	}
	return false
}
