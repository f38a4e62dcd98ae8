package cdp

import (
	"log/slog"
	"net/http"
	"time"
)

// The limits in bytes of a connection whose options leave them at zero.
const (
	DefaultReadLimit  = 256 << 20
	DefaultQueueLimit = 64 << 20
)

// DefaultPingTimeout is how long a ping may stay unanswered if the options do not say.
const DefaultPingTimeout = 10 * time.Second

// Options configures a connection. The zero value is valid.
type Options struct {
	// Logger receives what is dropped and why; nil logs nothing. Neither message contents nor URLs are logged.
	Logger *slog.Logger
	// ReadLimit is the size in bytes of the largest message that is accepted from the browser; 0 means DefaultReadLimit. A
	// larger one is discarded while it is read, and the call that it answers fails with a [*TooLargeError].
	ReadLimit int64
	// QueueLimit is how many bytes may wait to be written before sending fails with a [*QueueFullError]; 0 means
	// DefaultQueueLimit.
	QueueLimit int64
	// Handler receives each subscribed event and each reply to [Conn.Send], one at a time, in the order of arrival. It
	// runs on the reader goroutine, or on that of the caller of [Conn.FailSession]. It must not block; it may call Send,
	// Subscribe, FailSession and Close. A reply can reach it before Send has returned the id.
	Handler func(Message)
	// OnClose is called once, after the last call of Handler, with the [*LostError] that Err returns from then on.
	OnClose func(error)
	// PingInterval is the time between WebSocket pings; 0 or less sends none. A pipe needs none.
	PingInterval time.Duration
	// PingTimeout is how long a ping may stay unanswered before the connection is given up; 0 means DefaultPingTimeout.
	PingTimeout time.Duration
	// Heartbeat is the time without commands after which Browser.getVersion is sent; 0 or less sends none.
	Heartbeat time.Duration
	// HTTPHeader is added to the WebSocket handshake.
	HTTPHeader http.Header
	// HTTPClient does the WebSocket handshake; nil means a client of its own that uses the proxy of the environment and
	// follows no redirects.
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
