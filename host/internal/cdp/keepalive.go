package cdp

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// heartbeatMethod is a command that every backend knows, without parameters, effects or a domain to enable.
//
// https://chromedevtools.github.io/devtools-protocol/tot/Browser/#method-getVersion
const heartbeatMethod = "Browser.getVersion"

// keepPinging finds out that the peer is dead although nothing reports it: a half-open connection accepts writes for
// many minutes. A ping is answered within the timeout (RFC 6455, 5.5.2), unless a long message is coming in, which also
// shows that the peer is alive.
func (c *Conn) keepPinging(interval, timeout time.Duration) {
	defer c.workers.Done()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-c.ending:
			return
		}
		before := c.transport.received()
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		err := c.transport.ping(ctx)
		cancel()
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			return
		case err != nil && c.transport.received() == before:
			c.shutdown(fmt.Errorf("%w within %v", errNoPong, timeout))
			return
		}
	}
}

// errNoPong is the cause of a [LostError] when a ping was not answered.
var errNoPong = errors.New("the peer did not answer a ping")

// keepSending sends a command whenever none was sent for some time: some backends close a connection without commands,
// even if it is pinged.
func (c *Conn) keepSending(silence time.Duration) {
	defer c.workers.Done()
	timer := time.NewTimer(silence)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-c.ending:
			return
		}
		wait := silence - time.Since(time.Unix(0, c.lastSent.Load()))
		if wait <= 0 {
			ctx, cancel := context.WithTimeout(context.Background(), silence)
			_ = c.Call(ctx, "", heartbeatMethod, nil, nil) // only sending matters; pings find a dead connection
			cancel()
			wait = silence
		}
		timer.Reset(wait)
	}
}
