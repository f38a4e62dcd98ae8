package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

const (
	// firstBackoff is the upper bound of the pause after the first attempt to reconnect that failed; each further one
	// doubles it, up to maxBackoff.
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 10 * time.Second
	// attemptTimeout bounds one attempt, for an address that takes connections and says nothing.
	attemptTimeout = 10 * time.Second
	// steadyAfter is how long a connection has to stand until its loss is taken for a first one, that is tried to be made
	// good at once.
	steadyAfter = maxBackoff
)

// backoff is the pause before an attempt, counted from 1: none before the first, and then a random part of a bound that
// doubles, so that the hosts that lost one server do not all come back at the same moment.
//
// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ ("full jitter")
func backoff(attempt int) time.Duration {
	if attempt <= 1 {
		return 0
	}
	bound := min(firstBackoff<<min(attempt-2, 16), maxBackoff)
	return rand.N(bound) //nolint:gosec // spreads load, guards nothing
}

// Pause waits; it returns false when ctx ended first.
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

// dialer opens a connection to the browser of a link, as the first time or once more.
type dialer func(context.Context, cdp.Options) (*cdp.Conn, error)

// reconnection is what a link needs to have its connection back. The goroutine of [Link.redial] and the owner of the link
// meet in the inbox: every connection that was made is put there, every end of one, and at last how it came out.
type reconnection struct {
	dial    dialer        // nil: a lost connection is gone for good
	timeout time.Duration // how long it is tried

	// owned by run
	running bool      // redial does
	flaps   int       // connections in a row that did not stand for long
	since   time.Time // when the connection was made
}

// The items of the inbox that belong to reconnecting.
type (
	// connected is a new connection; what comes of it follows.
	connected struct{ conn *cdp.Conn }
	// restored says that all of the browser's targets have been attached on it.
	restored struct{ conn *cdp.Conn }
	// gaveUp says that there will be no connection any more.
	gaveUp struct{ err error }
)

// reconnectCounters count over all browsers of a host.
type reconnectCounters struct{ restored, attempts, failures atomic.Uint64 }

// beginRedial starts redial, unless it runs.
func (l *Link) beginRedial() {
	if l.again.running {
		return
	}
	l.again.running = true
	if time.Since(l.again.since) < steadyAfter {
		l.again.flaps++
	} else {
		l.again.flaps = 0
	}
	flaps := l.again.flaps
	l.work.Go(func() { l.redial(flaps) })
}

// redial tries to have the connection back. A connection that was lost soon after it was made counts as an attempt that
// failed.
func (l *Link) redial(flaps int) {
	ctx, cancel := context.WithTimeoutCause(l.ctx, l.again.timeout, fmt.Errorf("no connection within %v", l.again.timeout))
	defer cancel()
	last := errors.New("it was not tried")
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

// attempt makes a connection and attaches to everything on it, or leaves nothing of it behind.
func (l *Link) attempt(ctx context.Context) (*cdp.Conn, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, attemptTimeout, fmt.Errorf("no answer within %v", attemptTimeout))
	defer cancel()
	conn, err := l.again.dial(ctx, l.options())
	if err != nil {
		return nil, err
	}
	l.subscribe(conn)
	l.inbox.put(connected{conn})
	if err := l.start(ctx, conn); err != nil {
		_ = conn.Close() // the reason it would return is our own closing
		<-conn.Done()    // its end is in the inbox
		return nil, err
	}
	return conn, nil
}

// reconnected takes the outcome of redial.
func (l *Link) reconnected(conn *cdp.Conn) {
	l.again.running, l.again.since = false, time.Now()
	if !l.connection.alive() {
		_ = conn.Close() // it came too late
		return
	}
	if l.state.Down() != "" { // it was lost again at once
		l.beginRedial()
		return
	}
	l.group.reconnects.restored.Add(1)
	l.Log.Info("reconnected to the browser")
	l.connection.setUp(conn)
}

// connState is the connection for those who do not own the link.
type connState struct {
	mu   sync.Mutex
	conn *cdp.Conn
	up   chan struct{} // closed while conn can be used; replaced when it is lost
	end  chan struct{} // closed when there will be none any more
}

func newConnState() *connState { return &connState{up: make(chan struct{}), end: make(chan struct{})} }

func (n *connState) setUp(conn *cdp.Conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.conn = conn
	close(n.up)
}

func (n *connState) setDown() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.conn != nil {
		n.conn, n.up = nil, make(chan struct{})
	}
}

// setEnded says that there will be no connection any more; false where that was said before. Only the owner calls it.
func (n *connState) setEnded() bool {
	if !n.alive() {
		return false
	}
	close(n.end)
	return true
}

// current gives the connection; nil where there is none.
func (n *connState) current() *cdp.Conn {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.conn
}

// wait gives the connection as soon as there is one. Errors: ErrBrowserGone, the context's.
func (n *connState) wait(ctx context.Context) (*cdp.Conn, error) {
	for {
		n.mu.Lock()
		conn, up := n.conn, n.up
		n.mu.Unlock()
		if conn != nil {
			return conn, nil
		}
		select {
		case <-up:
		case <-n.end:
			return nil, fault.ErrBrowserGone
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// returnGrace is how long the end of a task waits for a connection that is lost just then. Without one its tabs can not be
// left in order: they stay in the browser, as those of a client that was killed.
const returnGrace = time.Second

// waitBriefly tells whether there is a connection, at once or within a moment.
func (n *connState) waitBriefly(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, returnGrace)
	defer cancel()
	_, err := n.wait(ctx)
	return err == nil
}

// alive tells whether there is a connection, or may be one again.
func (n *connState) alive() bool {
	select {
	case <-n.end:
		return false
	default:
		return true
	}
}

// Call runs a command of the browser's own session, once there is a connection.
func (l *Link) Call(ctx context.Context, method string, params, result any) error {
	conn, err := l.connection.wait(ctx)
	if err != nil {
		return err
	}
	return callError(conn.Call(ctx, "", method, params, result))
}

// redialAddress opens a connection to the browser that an address led to. The address is resolved anew, because the way to
// a browser can change; when it leads to another browser, the one that was is gone.
func redialAddress(address, resolved string) dialer {
	return func(ctx context.Context, o cdp.Options) (*cdp.Conn, error) {
		now, err := cdp.Resolve(ctx, address, nil)
		if err != nil {
			return nil, err
		}
		if was, is := browserID(resolved), browserID(now); was != is && was != "" && is != "" {
			return nil, fmt.Errorf("%w: another browser is at its address", fault.ErrBrowserGone)
		}
		return cdp.Dial(ctx, now, o)
	}
}

// browserID is the id in the address of a browser's own target; empty where it has none.
//
// https://chromedevtools.github.io/devtools-protocol/#endpoints
func browserID(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	_, id, _ := strings.Cut(u.Path, "/devtools/browser/")
	return id
}

// dialProcess opens the connection to a browser that was launched.
func dialProcess(process *browser.Process) dialer {
	return func(ctx context.Context, o cdp.Options) (*cdp.Conn, error) {
		if address := process.WebSocketURL(); address != "" {
			return cdp.Dial(ctx, address, o)
		}
		r, w := process.Pipe()
		return cdp.NewPipe(r, w, o), nil
	}
}

// redialProcess opens it once more. A pipe can not be opened again, and its end is that of the browser; nil then.
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
