package cdp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

func wsCloseError(code int, reason string) error {
	return websocket.CloseError{Code: websocket.StatusCode(code), Reason: reason}
}

func TestAReplyOverTheReadLimitFailsItsCallOnly(t *testing.T) {
	onEachTransport(t, func(t *testing.T, open func(Options) (*Conn, *fake)) {
		for _, limit := range []int64{500, detachSize, 4 * detachSize} {
			t.Run(fmt.Sprint(limit), func(t *testing.T) {
				box := newMailbox()
				conn, browser := open(Options{ReadLimit: limit, Handler: box.handle})
				conn.Subscribe("E")
				ask := func(size int64) error {
					done := call(conn, t.Context(), "S", "Page.captureScreenshot", nil)
					head := fmt.Sprintf(`{"id":%d,"result":{"data":"`, browser.next(t).ID)
					const tail = `"},"sessionId":"S"}`
					fill := strings.Repeat("A", int(size)-len(head)-len(tail))
					go func() { _ = browser.write(head + fill + tail) }()
					return within(t, done, "the reply")
				}
				for _, size := range []int64{limit + 1, limit + 2, 2 * limit, 20*limit + 12345} {
					var large *TooLargeError
					if err := ask(size); !errors.As(err, &large) || !errors.Is(err, ErrTooLarge) {
						t.Fatalf("a reply of %d bytes gives %v", size, err)
					} else if large.Size != size || large.Limit != limit {
						t.Errorf("the error says %d of %d, want %d of %d", large.Size, large.Limit, size, limit)
					}
				}
				for _, size := range []int64{limit, limit - 1} {
					if err := ask(size); err != nil {
						t.Errorf("a reply of %d bytes gives %v", size, err)
					}
				}
				browser.say(t, `{"method":"E","params":"`+strings.Repeat("x", int(limit))+`"}`, `{"method":"E","params":1}`)
				if m := box.next(t); string(m.Params) != "1" {
					t.Errorf("got an event of %d bytes, want the small one", len(m.Params))
				}
				if s := conn.Stats(); s.Discarded != 5 {
					t.Errorf("%d discarded, want 5", s.Discarded)
				}
			})
		}
	})
}

func TestSendingNeverBlocksAndFailsOverTheQueueLimit(t *testing.T) {
	onEachTransport(t, func(t *testing.T, open func(Options) (*Conn, *fake)) {
		conn, browser := open(Options{QueueLimit: 1 << 20})
		params := []byte(`"` + strings.Repeat("x", 100<<10) + `"`)
		sent := 0
		var err error
		for ; err == nil; sent++ { // the browser does not read: first the system's buffers fill, then the queue
			if sent > 10000 {
				t.Fatal("the queue has no limit")
			}
			_, err = conn.Send("", "Runtime.evaluate", params)
		}
		var full *QueueFullError
		if !errors.As(err, &full) || !errors.Is(err, ErrQueueFull) || full.Limit != 1<<20 || full.Queued > full.Limit {
			t.Fatalf("got %v", err)
		}
		s := conn.Stats()
		if s.Queued == 0 || s.QueuedSize == 0 || s.Pending != int64(sent-1) {
			t.Errorf("the counters are %+v after %d commands", s, sent-1)
		}
		for range sent - 1 { // the browser reads again: nothing was lost, and sending works again
			browser.next(t)
		}
		if _, err := conn.Send("", "Page.enable", nil); err != nil {
			t.Error(err)
		}
		if got := browser.next(t); got.Method != "Page.enable" || got.ID != int64(sent)+1 {
			t.Errorf("then came %s with id %d", got.Method, got.ID)
		}
	})
}

func TestCloseDoesNotWaitForABrowserThatDoesNotRead(t *testing.T) {
	onEachTransport(t, func(t *testing.T, open func(Options) (*Conn, *fake)) {
		conn, _ := open(Options{QueueLimit: 1 << 20})
		params := []byte(`"` + strings.Repeat("x", 100<<10) + `"`)
		for {
			if _, err := conn.Send("", "M", params); err != nil {
				break
			}
		}
		_ = conn.Close()
		within(t, conn.Done(), "the end, while the writer is held")
	})
}

func TestPing(t *testing.T) {
	t.Run("a WebSocket that is read from answers", func(t *testing.T) {
		conn, browser := openWebSocket(t, Options{})
		go func() { _, _ = browser.read() }()
		if err := conn.Ping(t.Context()); err != nil {
			t.Error(err)
		}
	})
	t.Run("no answer ends with the context", func(t *testing.T) {
		conn, _ := openWebSocket(t, Options{})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- conn.Ping(ctx) }()
		cancel()
		if err := within(t, done, "the ping"); err == nil {
			t.Error("no error")
		}
	})
	t.Run("a lost connection says so", func(t *testing.T) {
		conn, browser := openWebSocket(t, Options{})
		browser.close()
		within(t, conn.Done(), "the loss")
		if err := conn.Ping(t.Context()); !errors.Is(err, ErrConnectionLost) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a pipe has none", func(t *testing.T) {
		conn, _ := openPipe(t, Options{})
		if err := conn.Ping(t.Context()); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("got %v", err)
		}
	})
}
