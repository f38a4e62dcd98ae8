package record

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/screencast"
)

const (
	// frameQuality is the quality of the pictures, of 100; text stays legible.
	frameQuality = 50
	// screencastTimeout bounds the commands of a recording. The browser process itself answers them, whatever the page
	// does.
	screencastTimeout = 10 * time.Second
	// A tab that is changing its process may refuse a recording. It is tried again after a pause.
	startAttempts = 5
	startPause    = 500 * time.Millisecond
	// maxUnusable is how many unusable pictures in a row end it: the browser apparently sends no others.
	maxUnusable = 10
)

// tabShoot takes the pictures of one tab.
type tabShoot struct {
	shoot  *shoot
	target string
	handle string
	ctx    context.Context // ends with the tab
	stop   context.CancelFunc
	slot   *screencast.Slot

	mu      sync.Mutex
	session string        // the current one of the tab
	healed  uint64        // see [view.Target]
	moved   chan struct{} // holds one token when one of both has changed

	// owned by run
	missed   int    // pictures since the last that was shown
	started  string // the session that was asked for frames
	number   int64  // of its last picture, for acknowledgements
	unusable int
}

// setSession sets the current session of the tab, which is a new one after a lost connection, and how often the tab was
// healed, which ends a screencast. It never blocks.
func (b *tabShoot) setSession(session string, healed uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.session == session && b.healed == healed {
		return
	}
	b.session, b.healed = session, healed
	select {
	case b.moved <- struct{}{}:
	default:
	}
}

func (b *tabShoot) run() {
	defer b.end()
	for {
		var err error
		select {
		case <-b.ctx.Done():
			b.tellStop()
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
func (b *tabShoot) start() error {
	b.mu.Lock()
	session := b.session
	b.mu.Unlock()
	b.shoot.task.RouteFrames(b.started, nil)
	b.shoot.task.RouteFrames(session, b.slot)
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
func (b *tabShoot) screencast() error {
	quality, side, last := int64(frameQuality), b.shoot.side, true
	return b.call(cdppage.CommandStartScreencast, &cdppage.StartScreencastParams{
		Format: "webp", Quality: &quality, MaxWidth: side, MaxHeight: side, MaxFramesInFlight: 1, SendLastFrame: &last,
	})
}

// sessionGone is the code of an error for a session that does not exist, or no longer does.
const sessionGone = -32001

// call runs a command on the session of the tab, bypassing the state machine: the browser process itself answers the
// commands of a screencast, even for a page that a dialog or a loop holds.
func (b *tabShoot) call(method string, params any) error {
	ctx, cancel := context.WithTimeout(b.ctx, screencastTimeout)
	defer cancel()
	return b.shoot.task.CallSession(ctx, b.started, method, params, nil)
}

// take shows a picture, and requests the next one when it is time. An error means that no more will come.
func (b *tabShoot) take() error {
	f, ok := b.slot.Take()
	if !ok {
		return nil
	}
	if err := b.show(f); err != nil {
		return err
	}
	if !engine.Pause(b.ctx, time.Until(f.At.Add(b.shoot.every))) || f.Session != b.started {
		return nil
	}
	for range 1 + f.Before {
		// This fails only if the tab or the connection is gone.
		_ = b.call(cdppage.CommandScreencastFrameAck, &cdppage.ScreencastFrameAckParams{SessionID: b.number})
	}
	return nil
}

func (b *tabShoot) show(f screencast.Picture) error {
	b.missed += f.Before
	picture, number, err := decodeFrame(f)
	if number != 0 {
		b.number = number
	}
	if err != nil {
		b.missed++
		if b.unusable++; b.unusable >= maxUnusable {
			return fmt.Errorf("the browser sends no pictures that can be recorded: %w", err)
		}
		return nil
	}
	b.unusable = 0
	picture.Target, picture.Handle, picture.Missed = b.target, b.handle, b.missed
	b.missed = 0
	b.shoot.show(picture)
	return nil
}

// giveUp stops the pictures and says why.
func (b *tabShoot) giveUp(err error) {
	b.shoot.refused(b.handle, err)
	b.tellStop()
}

// tellStop asks for no more pictures; those that still arrive are dropped.
func (b *tabShoot) tellStop() {
	b.shoot.task.Tell(target.SessionID(b.started), cdppage.CommandStopScreencast, nil)
}

// end shows the last picture that arrived.
func (b *tabShoot) end() {
	b.shoot.task.RouteFrames(b.started, nil)
	if f, ok := b.slot.Take(); ok {
		_ = b.show(f) // there is no other one to wait for
	}
}
