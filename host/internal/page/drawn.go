package page

import (
	"math"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// drawn waits for the next frame that is drawn, or for a while.
const drawn = `() => new Promise(done => { requestAnimationFrame(() => done(null)); setTimeout(() => done(null), 100) })`

// awaitDrawn waits until a frame and those around it have been drawn: what is around a frame of another process is scrolled
// by a process of its own, for which the reply to a command does not wait.
func awaitDrawn(d Driver, frame cdproto.FrameID) error {
	parents := map[cdproto.FrameID]cdproto.FrameID{}
	for _, f := range d.Frames() {
		parents[f.ID] = f.Parent
	}
	for range len(parents) {
		if err := d.Run(frame, 0, drawn, nil, nil); err != nil {
			return err
		}
		if frame = parents[frame]; frame == "" {
			break
		}
	}
	return nil
}

// forcedPatience is how long it is waited until the pointer reaches the frame of an element that may be covered there.
const forcedLimit = time.Second

// Place scrolls an element into view and finds its point, whatever is met there: where it is two times. The pointer is not
// moved.
func Place(d Actor, n Element) (Point, error) {
	s, err := scrollAndLocate(d, n)
	if err != nil {
		return Point{}, err
	}
	return s.inTab(), nil
}

func scrollAndLocate(d Actor, n Element) (*spot, error) {
	way, err := framePath(d, n.Frame)
	if err != nil {
		return nil, err
	}
	if err := scrollTo(d, n); err != nil {
		return nil, err
	}
	end := time.Now().Add(forcedLimit / 2)
	last := Point{X: math.Inf(1)}
	for {
		s, err := locateScrolled(d, n, way)
		if err != nil || s.inTab() == last || time.Now().After(end) {
			return s, err
		}
		last = s.inTab()
		if err := awaitDrawn(d, n.Frame); err != nil {
			return nil, err
		}
	}
}

// forced aims at the point of an element, whatever is met there, once the pointer reaches its frame.
func aimForced(d Actor, n Element, signs Signs) (*Aim, error) {
	for end := time.Now().Add(forcedLimit); ; {
		s, err := scrollAndLocate(d, n)
		if err != nil {
			return nil, err
		}
		there, err := s.movePointer(d)
		if err != nil {
			return nil, err
		}
		if there || time.Now().After(end) {
			aim := aimAt(n, signs, true)
			aim.At = s.inTab()
			return aim, aim.listen(d)
		}
	}
}
