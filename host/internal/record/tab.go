package record

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/recording"
)

const (
	// frameInterval is the least time between two frames. The next is asked for when it is over; a page that does not change
	// has none.
	frameInterval = 200 * time.Millisecond
	// frameSide is the most that a frame has in width and height, in pixels; larger ones are made smaller by the browser.
	frameSide = 1280
	// frameQuality is that of the pictures, of 100: texts are well to read.
	frameQuality = 50
	// screencastTimeout bounds the commands of a recording. The browser itself answers them, whatever its page does.
	screencastTimeout = 10 * time.Second
	// A tab that just changes its process can refuse a recording, so that it is tried again after a pause.
	startAttempts = 5
	startPause    = 500 * time.Millisecond
	// maxUnusable is how many pictures in a row may be useless until the browser is taken for one that has no others.
	maxUnusable = 10
)

// tabRecorder records one tab.
type tabRecorder struct {
	recorder *Recorder
	handle   string
	ctx      context.Context // ends with the tab
	stop     context.CancelFunc
	slot     *engine.Slot

	mu      sync.Mutex
	session string        // that shows the tab
	moved   chan struct{} // has one token when session has changed

	// Owned by run:
	tape     *recording.Tape
	started  string // the session whose frames come
	number   int64  // of its screencast
	unusable int
}

// on names the session that shows the tab, which is another one after a lost connection. It never waits.
func (b *tabRecorder) on(session string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.session == session {
		return
	}
	b.session = session
	select {
	case b.moved <- struct{}{}:
	default:
	}
}

func (b *tabRecorder) run() {
	defer b.end()
	for {
		var err error
		select {
		case <-b.ctx.Done():
			return
		case <-b.moved:
			err = b.start()
		case <-b.slot.Ready:
			err = b.take()
		}
		if err != nil {
			b.giveUp(err)
			return
		}
	}
}

// start asks for the frames of the tab. An error says that there will be none.
func (b *tabRecorder) start() error {
	b.mu.Lock()
	session := b.session
	b.mu.Unlock()
	b.recorder.task.RouteFrames(b.started, nil)
	b.recorder.task.RouteFrames(session, b.slot)
	b.started = session
	var refused *cdp.Error
	for attempt := range startAttempts {
		if attempt > 0 && !engine.Pause(b.ctx, startPause) {
			return nil
		}
		err := b.screencast()
		if !errors.As(err, &refused) || refused.Code == sessionGone {
			return nil // it works; or the tab or the connection is gone, and a new one will be told
		}
	}
	return fmt.Errorf("the browser refuses a recording: %w", refused)
}

// screencast asks for one frame in flight, and for the newest where several came up since: what is between them the browser
// drops before it makes a picture of it.
func (b *tabRecorder) screencast() error {
	quality, last := int64(frameQuality), true
	return b.call(cdppage.CommandStartScreencast, &cdppage.StartScreencastParams{
		Format: "webp", Quality: &quality, MaxWidth: frameSide, MaxHeight: frameSide, MaxFramesInFlight: 1, SendLastFrame: &last,
	})
}

// sessionGone is the code of an error that says that there is no such session (any more).
const sessionGone = -32001

// call runs a command on the tab's session, beside the state machine: the browser itself answers those of a screencast, also
// for a page that a dialog or a loop holds.
func (b *tabRecorder) call(method string, params any) error {
	ctx, cancel := context.WithTimeout(b.ctx, screencastTimeout)
	defer cancel()
	return b.recorder.task.CallSession(ctx, b.started, method, params, nil)
}

// take records a frame, and asks for the next one when it is time. An error says that nothing more can be recorded.
func (b *tabRecorder) take() error {
	f, ok := b.slot.Take()
	if !ok {
		return nil
	}
	if err := b.record(f); err != nil {
		return err
	}
	if !engine.Pause(b.ctx, time.Until(f.At.Add(frameInterval))) || f.Session != b.started {
		return nil
	}
	for range 1 + f.Before {
		// One that fails has no tab or no connection any more.
		_ = b.call(cdppage.CommandScreencastFrameAck, &cdppage.ScreencastFrameAckParams{SessionID: b.number})
	}
	return nil
}

func (b *tabRecorder) record(f engine.Picture) error {
	b.tape.Drop(f.Before)
	frame, number, err := decodeFrame(f)
	if number != 0 {
		b.number = number
	}
	if err != nil {
		b.tape.Drop(1)
		if b.unusable++; b.unusable >= maxUnusable {
			return fmt.Errorf("the browser sends no pictures that can be recorded: %w", err)
		}
		return nil
	}
	b.unusable = 0
	defer b.tell(b.tape.Current())
	return b.tape.Frame(f.At, frame)
}

// tell tells of a file that took the place of the one before.
func (b *tabRecorder) tell(before string) {
	if b.tape.Current() != before {
		b.recorder.changed()
	}
}

// giveUp ends the frames, and remembers why.
func (b *tabRecorder) giveUp(err error) {
	if !b.tape.Failed() {
		b.tape.Fail(time.Now(), err)
	}
	b.recorder.say(b.handle, err)
	_ = b.call(cdppage.CommandStopScreencast, nil) // those that come all the same are dropped
}

// end ends the file, with the frame that came last.
func (b *tabRecorder) end() {
	b.recorder.task.RouteFrames(b.started, nil)
	if f, ok := b.slot.Take(); ok && !b.tape.Failed() {
		if err := b.record(f); err != nil {
			b.recorder.say(b.handle, err)
		}
	}
	if err := b.tape.End(time.Now(), recording.EndedTab); err != nil {
		b.recorder.say(b.handle, err)
	}
	b.recorder.changed()
}
