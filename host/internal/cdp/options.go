package cdp

import (
	"log/slog"
	"net/http"
	"time"
)

// The limits of a connection whose options leave them at zero, in bytes.
const (
	DefaultReadLimit  = 256 << 20
	DefaultQueueLimit = 64 << 20
)

// DefaultPingTimeout is how long a ping may stay unanswered when the options do not say.
const DefaultPingTimeout = 10 * time.Second

// Options configures a connection. The zero value works.
type Options struct {
	// Logger receives what is dropped and why; nil logs nothing. No message contents and no addresses are logged.
	Logger *slog.Logger
	// ReadLimit is the largest message in bytes that is taken from the browser; 0 is DefaultReadLimit. A larger one is
	// discarded while it streams in, and the call that it answers fails with a [*TooLargeError].
	ReadLimit int64
	// QueueLimit is how many bytes may wait to be written before sending fails with a [*QueueFullError]; 0 is
	// DefaultQueueLimit.
	QueueLimit int64
	// Handler receives each subscribed event and each reply to [Conn.Send], one at a time, in the order of arrival. It
	// runs on the reader goroutine (what [Conn.FailSession] ends may come on its caller's) and must not block; it may
	// call Send, Subscribe, FailSession and Close. A reply can reach it before Send has returned the id.
	Handler func(Message)
	// OnClose is called once, after the last call of Handler, with the [*LostError] that Err gives from then on.
	OnClose func(error)
	// PingInterval is the time between WebSocket pings; 0 or less sends none. A pipe has no pings and needs none.
	PingInterval time.Duration
	// PingTimeout is how long a ping may stay unanswered before the connection is given up; 0 is DefaultPingTimeout.
	PingTimeout time.Duration
	// Heartbeat is how long no command may be sent before Browser.getVersion is; 0 or less sends none.
	Heartbeat time.Duration
	// HTTPHeader is added to the WebSocket handshake.
	HTTPHeader http.Header
	// HTTPClient does the WebSocket handshake; nil is a client of its own that obeys the proxy environment and follows
	// no redirect.
	HTTPClient *http.Client
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.ReadLimit <= 0 {
		o.ReadLimit = DefaultReadLimit
	}
	if o.QueueLimit <= 0 {
		o.QueueLimit = DefaultQueueLimit
	}
	if o.PingTimeout <= 0 {
		o.PingTimeout = DefaultPingTimeout
	}
	return o
}
