package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/endpoint"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

const (
	// firstBackoff is the upper bound of the pause after the first failed attempt to reconnect. Each further failure
	// doubles it, up to maxBackoff.
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 10 * time.Second
	// attemptTimeout bounds one attempt, in case an endpoint accepts connections and never answers.
	attemptTimeout = 10 * time.Second
	// steadyAfter is how long a connection must last for its loss to count as a first one, after which the host reconnects
	// without a pause.
	steadyAfter = maxBackoff
)

// backoff is the pause before an attempt, counted from 1: none before the first, then a random time below a bound that
// doubles, so that hosts which lost the same server do not all return at the same moment.
//
// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ ("full jitter")
func backoff(attempt int) time.Duration {
	if attempt <= 1 {
		return 0
	}
	bound := min(firstBackoff<<min(attempt-2, 16), maxBackoff)
	return rand.N(bound) //nolint:gosec // spreads load, guards nothing
}

// Pause waits; it returns false if ctx ended first.
func Pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// dialer opens a connection to the browser of a link, the first time or again.
type dialer func(context.Context, cdp.Options) (*cdp.Conn, error)

// reconnection is what a link needs to restore its connection. The goroutine of Link.redial and the owner of the link
// communicate through the inbox: redial puts every new connection, the end of each, and finally the outcome there.
type reconnection struct {
	dial    dialer        // nil: a loss is final
	timeout time.Duration // how long to try

	// owned by run
	running bool      // whether redial is running
	flaps   int       // connections in a row that were soon lost
	since   time.Time // when the connection was made
}

// The items of the inbox that belong to reconnecting.
type (
	// connected is a new connection; its messages follow.
	connected struct{ conn *cdp.Conn }
	// restored reports that all targets of the browser have been attached on it.
	restored struct{ conn *cdp.Conn }
	// gaveUp reports that there will be no connection any more.
	gaveUp struct{ err error }
)

// reconnectCounters count over all browsers of a host.
type reconnectCounters struct{ restored, attempts, failures atomic.Uint64 }

// connectionLost ends what was under way and starts to reconnect, if that is enabled.
func (l *Link) connectionLost(err error) {
	l.Log.Info("connection to the browser ended", "reason", err)
	if !l.connection.alive() {
		return
	}
	l.connection.setDown()
	clear(l.sent)
	l.loads.Clear()
	l.milestones.Lost()
	for _, t := range l.tasks {
		t.network.Leave(supervise.ConnectionLost{})
	}
	if l.reconnection.dial == nil || l.reconnection.timeout < 0 || l.ctx.Err() != nil {
		l.end(err)
		return
	}
	l.apply(supervise.ConnectionLost{Reason: err.Error(), Reconnecting: true})
	l.failCalls()
	l.beginRedial()
}

// end tells everybody that there will be no connection any more. It does so once: Close may coincide with a failed
// attempt to reconnect.
func (l *Link) end(err error) {
	if !l.connection.setEnded(err) {
		return
	}
	l.apply(supervise.ConnectionLost{Reason: err.Error()})
	l.failCalls()
	l.perform(l.state.Settle(time.Now()))
	l.flush()
	for _, t := range l.tasks {
		t.End()
	}
}

// failCalls ends the calls whose commands were sent to the browser.
func (l *Link) failCalls() {
	clear(l.commands)
	clear(l.sentAs)
	l.schedule(schedule.ConnectionLost{})
}

// beginRedial starts redial, unless it is running.
func (l *Link) beginRedial() {
	if l.reconnection.running {
		return
	}
	l.reconnection.running = true
	if time.Since(l.reconnection.since) < steadyAfter {
		l.reconnection.flaps++
	} else {
		l.reconnection.flaps = 0
	}
	flaps := l.reconnection.flaps
	l.work.Go(func() { l.redial(flaps) })
}

// redial tries to restore the connection. A connection that was lost soon after it was made counts as a failed attempt.
func (l *Link) redial(flaps int) {
	ctx, cancel := context.WithTimeoutCause(l.ctx, l.reconnection.timeout, fmt.Errorf("no connection within %v", l.reconnection.timeout))
	defer cancel()
	last := errors.New("no attempt was made")
	for attempt := 1; Pause(ctx, backoff(attempt+flaps)); attempt++ {
		l.inbox.put(supervise.Event(supervise.Redialing{Attempt: attempt}))
		l.group.reconnects.attempts.Add(1)
		conn, err := l.attempt(ctx)
		if err == nil {
			l.inbox.put(restored{conn})
			return
		}
		l.Log.Info("could not reconnect to the browser", "attempt", attempt, "reason", err)
		if last = err; errors.Is(err, fault.ErrBrowserGone) {
			break
		}
	}
	l.inbox.put(gaveUp{last})
}

// attempt makes a connection and attaches to everything on it. If it fails, it leaves nothing behind.
func (l *Link) attempt(ctx context.Context) (*cdp.Conn, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, attemptTimeout, fmt.Errorf("no answer within %v", attemptTimeout))
	defer cancel()
	conn, err := l.reconnection.dial(ctx, l.options())
	if err != nil {
		return nil, err
	}
	l.subscribe(conn)
	l.inbox.put(connected{conn})
	l.redirectAgain(ctx, conn)
	if err := l.start(ctx, conn); err != nil {
		_ = conn.Close() // it only reports that we closed it
		<-conn.Done()    // then its end is in the inbox
		return nil, err
	}
	return conn, nil
}

// reconnected handles the success of redial.
func (l *Link) reconnected(conn *cdp.Conn) {
	l.reconnection.running, l.reconnection.since = false, time.Now()
	if !l.connection.alive() {
		_ = conn.Close() // it came too late
		return
	}
	if l.state.DisconnectedReason() != "" { // it was lost again at once
		l.beginRedial()
		return
	}
	l.group.reconnects.restored.Add(1)
	l.Log.Info("reconnected to the browser")
	l.connection.setUp(conn)
}

// redialEndpoint reopens the connection to the browser that an endpoint led to. The endpoint is resolved again, as the
// route to a browser can change. If it now leads to another browser, the original one is gone.
func redialEndpoint(address, resolved string) dialer {
	return func(ctx context.Context, o cdp.Options) (*cdp.Conn, error) {
		now, err := endpoint.Resolve(ctx, address)
		if err != nil {
			return nil, err
		}
		return dialAgain(ctx, resolved, now, o)
	}
}

// dialAgain connects to a browser at the WebSocket URL that it has now.
func dialAgain(ctx context.Context, before, now string, o cdp.Options) (*cdp.Conn, error) {
	if was, is := browserID(before), browserID(now); was != is && was != "" && is != "" {
		return nil, fmt.Errorf("%w: another browser is at its endpoint", fault.ErrBrowserGone)
	}
	return cdp.Dial(ctx, now, o)
}

// redialRented reopens the connection to a rented browser at the endpoint that its service now gives: a signed one may
// work only once.
func redialRented(resolved string, renew func(context.Context) (string, error)) dialer {
	return func(ctx context.Context, o cdp.Options) (*cdp.Conn, error) {
		address, err := renew(ctx)
		if err != nil {
			return nil, err
		}
		now, err := cdp.Resolve(ctx, address, nil)
		if err != nil {
			return nil, err
		}
		return dialAgain(ctx, resolved, now, o)
	}
}

// browserID returns the id in the WebSocket URL of a browser; empty if there is none.
//
// https://chromedevtools.github.io/devtools-protocol/#endpoints
func browserID(webSocketURL string) string {
	u, err := url.Parse(webSocketURL)
	if err != nil {
		return ""
	}
	_, id, _ := strings.Cut(u.Path, "/devtools/browser/")
	return id
}

// dialProcess opens the connection to a browser that the host launched.
func dialProcess(process *browser.Process) dialer {
	return func(ctx context.Context, o cdp.Options) (*cdp.Conn, error) {
		if u := process.WebSocketURL(); u != "" {
			return cdp.Dial(ctx, u, o)
		}
		r, w := process.Pipe()
		return cdp.NewPipe(r, w, o), nil
	}
}

// redialProcess reopens it. It is nil for a browser with a pipe: a pipe cannot be reopened, and when it ends, so does
// the browser.
func redialProcess(process *browser.Process) dialer {
	if process.WebSocketURL() == "" {
		return nil
	}
	return func(ctx context.Context, o cdp.Options) (*cdp.Conn, error) {
		select {
		case <-process.Done():
			return nil, fmt.Errorf("%w: its process ended", fault.ErrBrowserGone)
		default:
			return cdp.Dial(ctx, process.WebSocketURL(), o)
		}
	}
}
