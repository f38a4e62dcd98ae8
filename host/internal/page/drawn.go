package page

import (
	"math"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// drawn waits for the next frame to be drawn, but not for long.
const drawn = `() => new Promise(done => { requestAnimationFrame(() => done(null)); setTimeout(() => done(null), 100) })`

// AwaitDrawn waits until a frame and its ancestors have been drawn: the ancestors of a frame of another process are
// scrolled by their own processes, for which the reply to a command does not wait.
func AwaitDrawn(d Driver, frame cdproto.FrameID) error {
	frames := byID(d.Frames())
	for range len(frames) {
		if err := d.Run(frame, 0, drawn, nil, nil); err != nil {
			return err
		}
		if frame = frames[frame].Parent; frame == "" {
			break
		}
	}
	return nil
}

// forcedLimit bounds the wait until the pointer reaches the frame of an element that may be covered.
const forcedLimit = time.Second

// ScrollToPoint scrolls an element into view and finds its point, which must be the same twice in a row, without a hit
// test. The pointer does not move.
func ScrollToPoint(d Actor, n Element) (Point, error) {
	s, err := scrollAndLocate(d, n)
	if err != nil {
		return Point{}, err
	}
	return s.inTab(), nil
}

func scrollAndLocate(d Actor, n Element) (*spot, error) {
	path, err := framePath(d, n.Frame)
	if err != nil {
		return nil, err
	}
	if err := scrollTo(d, n); err != nil {
		return nil, err
	}
	end := time.Now().Add(forcedLimit / 2)
	last := Point{X: math.Inf(1)}
	for {
		s, err := locate(d, n, path)
		if err != nil || s.inTab() == last || time.Now().After(end) {
			return s, err
		}
		last = s.inTab()
		if err := AwaitDrawn(d, n.Frame); err != nil {
			return nil, err
		}
	}
}

// aimForced aims at the point of an element without a hit test, once the pointer reaches its frame.
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
