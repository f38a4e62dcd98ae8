package cdp

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// closeGrace is how long a graceful close waits for the browser's part of the closing handshake (RFC 6455, 7.1.2).
const closeGrace = time.Second

// webSocket is a transport over a WebSocket connection.
type webSocket struct {
	conn  *websocket.Conn
	limit int64
	buf   []byte
	bytes atomic.Int64 // received so far
	// life bounds every read and write: the library closes the connection when it ends.
	life context.Context
	end  context.CancelFunc
}

// dialWebSocket opens the connection. ctx bounds the handshake only.
func dialWebSocket(ctx context.Context, webSocketURL string, opts Options) (*webSocket, error) {
	client := opts.HTTPClient
	if client == nil {
		own := newHTTPClient()
		defer own.CloseIdleConnections()
		client = own
	}
	//nolint:bodyclose // the library says that the body must not be closed
	conn, resp, err := websocket.Dial(ctx, webSocketURL, &websocket.DialOptions{
		HTTPClient:      client,
		HTTPHeader:      opts.HTTPHeader,
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		status := 0
		if resp != nil && resp.StatusCode != http.StatusSwitchingProtocols {
			status = resp.StatusCode
		}
		return nil, newAddressError(webSocketURL, "WebSocket handshake", status, err)
	}
	conn.SetReadLimit(-1) // the limit of the library closes the connection; ours fails one reply
	life, end := context.WithCancel(context.Background())
	return &webSocket{conn: conn, limit: opts.ReadLimit, life: life, end: end}, nil
}

func (w *webSocket) read() (incoming, error) {
	_, r, err := w.conn.Reader(w.life)
	if err != nil {
		return incoming{}, err
	}
	if w.buf == nil {
		w.buf = make([]byte, 0, detachSize)
	}
	in, buf, err := gather(counted{r, &w.bytes}, w.buf, w.limit)
	if w.buf = buf; in.detached() {
		w.buf = nil
	}
	return in, err
}

func (w *webSocket) write(message []byte) error {
	return w.conn.Write(w.life, websocket.MessageText, message)
}

func (w *webSocket) received() int64 { return w.bytes.Load() }

func (w *webSocket) ping(ctx context.Context) error { return w.conn.Ping(ctx) }

func (w *webSocket) close(graceful bool) {
	if graceful {
		force := time.AfterFunc(closeGrace, w.end)
		_ = w.conn.Close(websocket.StatusNormalClosure, "") // the connection is closed afterwards, whatever it returns
		force.Stop()
	} else {
		_ = w.conn.CloseNow()
	}
	w.end()
}

// counted counts what is read.
type counted struct {
	io.Reader
	total *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.total.Add(int64(n))
	return n, err
}
