package cdp

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// TestHammer uses one connection from many goroutines while the browser answers, stays silent and finally disappears.
// Every command must end exactly once: a Send that was accepted delivers one message, a Call returns.
func TestHammer(t *testing.T) {
	onEachTransport(t, func(t *testing.T, open func(Options) (*Conn, *fake)) {
		for _, end := range []string{"Close", "loss"} {
			t.Run(end, func(t *testing.T) { hammer(t, open, end) })
		}
	})
}

func hammer(t *testing.T, open func(Options) (*Conn, *fake), end string) {
	var inHandler, replies, events, sent atomic.Int64
	var closedBy error
	seen := map[int64]bool{} // touched only by the handler, which never runs concurrently
	closed := make(chan struct{})
	conn, browser := open(Options{
		Handler: func(m Message) {
			if inHandler.Add(1) != 1 {
				t.Error("two calls of the handler at once")
			}
			defer inHandler.Add(-1)
			if m.ID == 0 {
				events.Add(1)
				return
			}
			if seen[m.ID] {
				t.Errorf("command %d ended twice", m.ID)
			}
			seen[m.ID] = true
			replies.Add(1)
		},
		OnClose: func(err error) {
			if inHandler.Load() != 0 {
				t.Error("OnClose while the handler runs")
			}
			closedBy = err
			close(closed)
		},
	})
	conn.Subscribe("E")

	// The browser answers two of three commands, and reports an event with each.
	go func() {
		for n := 0; ; n++ {
			raw, err := browser.read()
			if err != nil {
				return
			}
			e, _ := scanEnvelope(raw, nil)
			if n%3 != 0 {
				_ = browser.write(fmt.Sprintf(`{"id":%d,"result":{"n":%d}}`, e.id, n))
			}
			_ = browser.write(`{"method":"E","params":{},"sessionId":"s1"}`)
		}
	}()

	detached := errors.New("detached")
	const workers, rounds = 4, 300
	var group sync.WaitGroup
	halfway := make(chan struct{}, workers)
	for w := range workers {
		session := fmt.Sprintf("s%d", w%2)
		group.Add(3)
		go func() {
			defer group.Done()
			for range rounds {
				if _, err := conn.Send(session, "M", nil); err == nil {
					sent.Add(1)
				} else if !errors.Is(err, ErrConnectionLost) {
					t.Error(err)
				}
			}
			halfway <- struct{}{}
		}()
		go func() {
			defer group.Done()
			for range rounds {
				err := conn.Call(t.Context(), session, "M", nil, nil)
				if err != nil && !errors.Is(err, detached) && !errors.Is(err, ErrConnectionLost) {
					t.Error(err)
				}
			}
		}()
		go func() {
			defer group.Done()
			for conn.Err() == nil {
				conn.FailSession(session, detached)
				_ = conn.Stats()
			}
		}()
	}
	for range workers {
		within(t, halfway, "the senders")
	}
	if end == "Close" {
		_ = conn.Close()
	} else {
		browser.close()
	}
	group.Wait()
	within(t, closed, "OnClose")
	within(t, conn.Done(), "Done")
	if !errors.Is(closedBy, ErrConnectionLost) {
		t.Errorf("OnClose got %v", closedBy)
	}
	if replies.Load() != sent.Load() {
		t.Errorf("%d commands were sent, %d ended", sent.Load(), replies.Load())
	}
	if s := conn.Stats(); s.Events != events.Load() && end == "loss" {
		t.Errorf("%d events were counted, %d were handed over", s.Events, events.Load())
	}
}
