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
const forcedPatience = time.Second

// Place scrolls an element into view and finds its point, whatever is met there: where it is two times. The pointer is not
// moved.
func Place(d Actor, n Element) (Point, error) {
	s, err := scrolledTo(d, n)
	if err != nil {
		return Point{}, err
	}
	return s.root(), nil
}

func scrolledTo(d Actor, n Element) (*spot, error) {
	way, err := ancestry(d, n.Frame)
	if err != nil {
		return nil, err
	}
	if err := scrollTo(d, n); err != nil {
		return nil, err
	}
	end := time.Now().Add(forcedPatience / 2)
	last := Point{X: math.Inf(1)}
	for {
		s, err := spotOf(d, n, way)
		if err != nil || s.root() == last || time.Now().After(end) {
			return s, err
		}
		last = s.root()
		if err := awaitDrawn(d, n.Frame); err != nil {
			return nil, err
		}
	}
}

// forced aims at the point of an element, whatever is met there, once the pointer reaches its frame.
func forced(d Actor, n Element, signs Signs) (*Aim, error) {
	for end := time.Now().Add(forcedPatience); ; {
		s, err := scrolledTo(d, n)
		if err != nil {
			return nil, err
		}
		there, err := s.pointed(d)
		if err != nil {
			return nil, err
		}
		if there || time.Now().After(end) {
			aim := aimAt(n, signs, true)
			aim.At = s.root()
			return aim, aim.listen(d)
		}
	}
}
