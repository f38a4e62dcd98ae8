package cdp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// Conn is a connection to a browser. Any goroutine may call its methods, even from inside the handler, except that Call
// and Ping wait for the reader and so must not be called there.
//
// Lock order: mu, then the locks of out and deliver. None is held while a callback runs.
type Conn struct {
	transport transport
	log       *slog.Logger
	limit     int64
	out       *queue
	deliver   *delivery
	count     counters
	wanted    atomic.Pointer[map[string]string] // subscribed methods, each naming itself; replaced, never changed
	workers   sync.WaitGroup                    // reader, writer, pings, heartbeat and FailSession
	lastSent  atomic.Int64                      // when the last command was sent, in Unix nanoseconds
	ending    chan struct{}                     // closed when the connection begins to end
	done      chan struct{}

	mu      sync.Mutex
	lastID  int64
	pending map[int64]pendingCommand
	lost    *LostError // set once
}

// pendingCommand is a command without a reply so far.
type pendingCommand struct {
	sessionID, method string
	reply             chan Message // buffered, for a Call; nil for a Send
}

// Dial connects to a browser's WebSocket URL (ws or wss; see [Resolve] for other endpoints). ctx bounds the handshake.
// Errors are an [*AddressError], which never contains the secrets of the URL.
func Dial(ctx context.Context, webSocketURL string, opts Options) (*Conn, error) {
	opts = opts.withDefaults()
	t, err := dialWebSocket(ctx, webSocketURL, opts)
	if err != nil {
		return nil, err
	}
	return newConn(t, opts), nil
}

// NewPipe connects over the pipes of a browser that was started with --remote-debugging-pipe: r is what the browser
// writes, w is what it reads. The connection closes both when it ends; a Read of r must return when r is closed.
func NewPipe(r io.ReadCloser, w io.WriteCloser, opts Options) *Conn {
	opts = opts.withDefaults()
	return newConn(newPipe(r, w, opts.ReadLimit), opts)
}

func newConn(t transport, opts Options) *Conn {
	c := &Conn{
		transport: t,
		log:       opts.Logger,
		limit:     opts.ReadLimit,
		out:       newQueue(opts.QueueLimit),
		deliver:   newDelivery(opts.Handler, opts.OnClose),
		ending:    make(chan struct{}),
		done:      make(chan struct{}),
		pending:   map[int64]pendingCommand{},
	}
	c.wanted.Store(&map[string]string{})
	c.workers.Add(2)
	go c.readAll()
	go c.writeAll()
	c.lastSent.Store(time.Now().UnixNano())
	if opts.PingInterval > 0 {
		c.workers.Add(1)
		go c.keepPinging(opts.PingInterval, opts.PingTimeout)
	}
	if opts.Heartbeat > 0 {
		c.workers.Add(1)
		go c.keepSending(opts.Heartbeat)
	}
	return c
}

// Subscribe adds events, by full names such as "Page.frameNavigated", to those that the handler receives. All others
// are dropped undecoded. The browser only sends events of domains that were enabled.
func (c *Conn) Subscribe(methods ...string) {
	for {
		old := c.wanted.Load()
		next := make(map[string]string, len(*old)+len(methods))
		for name := range *old {
			next[name] = name
		}
		for _, name := range methods {
			next[name] = name
		}
		if c.wanted.CompareAndSwap(old, &next) {
			return
		}
	}
}

// Done returns a channel that is closed once the connection has ended, its goroutines are gone and OnClose has
// returned.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns the [*LostError] that ended the connection; nil while it is open.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost == nil {
		return nil
	}
	return c.lost
}

// Ping sends a WebSocket ping and waits for the pong. That shows that the peer is alive, and keeps hosted backends from
// closing an idle connection. Over a pipe it fails with errors.ErrUnsupported.
func (c *Conn) Ping(ctx context.Context) error {
	if err := c.transport.ping(ctx); err != nil {
		if lost := c.Err(); lost != nil {
			return lost
		}
		return lossCause(err)
	}
	return nil
}

// Close ends the connection: everything pending fails at once, and queued messages are dropped. It does not wait for
// the closing handshake, which takes at most a second; Done does. It always returns nil.
func (c *Conn) Close() error {
	c.shutdown(ErrClosed)
	return nil
}

// shutdown ends the connection once: the first caller sets the cause.
func (c *Conn) shutdown(cause error) {
	lost := &LostError{Cause: cause}
	c.mu.Lock()
	if c.lost != nil {
		c.mu.Unlock()
		return
	}
	c.lost = lost
	pending := c.pending
	c.pending = nil
	c.mu.Unlock()

	close(c.ending)
	c.out.close()
	c.fail(pending, lost)
	go func() {
		c.transport.close(errors.Is(cause, ErrClosed))
		c.workers.Wait()
		c.deliver.finish(lost)
		<-c.deliver.ended
		close(c.done)
	}()
}

// fail ends commands that were already removed from pending.
func (c *Conn) fail(commands map[int64]pendingCommand, err error) {
	for id, p := range commands {
		c.finish(p, Message{ID: id, SessionID: p.sessionID, Method: p.method, Err: err})
	}
}

// finish hands a reply to whoever waits for it.
func (c *Conn) finish(p pendingCommand, m Message) {
	if p.reply != nil {
		p.reply <- m // never blocks: a command is finished once
		return
	}
	c.deliver.deliver(m)
}
