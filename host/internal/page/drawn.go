package page

import (
	cdproto "github.com/chromedp/cdproto/cdp"
)

// drawn waits for the next frame to be drawn, but not for long.
const drawn = `() => new Promise(done => { requestAnimationFrame(() => done(null)); setTimeout(() => done(null), 100) })`

// AwaitDrawn waits until a frame and its ancestors have been drawn: the ancestors of a frame of another process are
// scrolled by their own processes, for which the reply to a command does not wait.
func AwaitDrawn(d Driver, frame cdproto.FrameID) error {
	frames := ByID(d.Frames())
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
