package record

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/recording"
)

const (
	// frameInterval is the least time between two frames. The next one is requested after it. A page that does not change
	// sends none.
	frameInterval = 200 * time.Millisecond
	// frameSide is the maximum width and height of a frame in pixels; the browser scales larger ones down.
	frameSide = 1280
	// frameQuality is the quality of the pictures, of 100; text stays legible.
	frameQuality = 50
	// screencastTimeout bounds the commands of a recording. The browser process itself answers them, whatever the page
	// does.
	screencastTimeout = 10 * time.Second
	// A tab that is changing its process may refuse a recording. It is tried again after a pause.
	startAttempts = 5
	startPause    = 500 * time.Millisecond
	// maxUnusable is how many unusable pictures in a row end the recording: the browser apparently sends no others.
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
	session string        // the current one of the tab
	moved   chan struct{} // holds one token when session has changed

	// owned by run
	tape     *recording.Tape
	started  string // the session that was asked for frames
	number   int64  // of its last picture, for acknowledgements
	unusable int
}

// setSession sets the current session of the tab, which is a new one after a lost connection. It never blocks.
func (b *tabRecorder) setSession(session string) {
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

// start requests the frames of the tab. An error means that there will be none.
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
			return nil // it works, or the tab or the connection is gone; setSession announces a new one
		}
	}
	return fmt.Errorf("the browser refuses a recording: %w", refused)
}

// screencast requests one frame in flight, and the newest one if several came up in the meantime: the browser drops
// those in between before it encodes them.
func (b *tabRecorder) screencast() error {
	quality, last := int64(frameQuality), true
	return b.call(cdppage.CommandStartScreencast, &cdppage.StartScreencastParams{
		Format: "webp", Quality: &quality, MaxWidth: frameSide, MaxHeight: frameSide, MaxFramesInFlight: 1, SendLastFrame: &last,
	})
}

// sessionGone is the code of an error for a session that does not exist, or no longer does.
const sessionGone = -32001

// call runs a command on the session of the tab, bypassing the state machine: the browser process itself answers the
// commands of a screencast, even for a page that a dialog or a loop holds.
func (b *tabRecorder) call(method string, params any) error {
	ctx, cancel := context.WithTimeout(b.ctx, screencastTimeout)
	defer cancel()
	return b.recorder.task.CallSession(ctx, b.started, method, params, nil)
}

// take records a frame, and requests the next one when it is time. An error means that nothing more can be recorded.
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
		// This fails only if the tab or the connection is gone.
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
	defer b.notifyNewFile(b.tape.Current())
	return b.tape.Frame(f.At, frame)
}

// notifyNewFile reports a file that replaced the one before.
func (b *tabRecorder) notifyNewFile(before string) {
	if b.tape.Current() != before {
		b.recorder.changed()
	}
}

// giveUp stops the frames and records why.
func (b *tabRecorder) giveUp(err error) {
	if !b.tape.Failed() {
		b.tape.Fail(time.Now(), err)
	}
	b.recorder.logFailure(b.handle, err)
	_ = b.call(cdppage.CommandStopScreencast, nil) // frames that still arrive are dropped
}

// end completes the file, with the last frame that arrived.
func (b *tabRecorder) end() {
	b.recorder.task.RouteFrames(b.started, nil)
	if f, ok := b.slot.Take(); ok && !b.tape.Failed() {
		if err := b.record(f); err != nil {
			b.recorder.logFailure(b.handle, err)
		}
	}
	if err := b.tape.End(time.Now(), recording.EndedTab); err != nil {
		b.recorder.logFailure(b.handle, err)
	}
	b.recorder.changed()
}
