package cdp

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// quietEnd is a peer that sends nothing by itself.
type quietEnd struct {
	closed  chan struct{}
	pings   atomic.Int64
	answers atomic.Bool // whether it answers pings
	growing atomic.Bool // whether a long message is coming in
	count   atomic.Int64
	written chan string
}

func newQuietEnd() *quietEnd {
	return &quietEnd{closed: make(chan struct{}), written: make(chan string, 100)}
}

func (q *quietEnd) read() (incoming, error) {
	<-q.closed
	return incoming{}, io.EOF
}

func (q *quietEnd) write(message []byte) error {
	q.written <- string(message)
	return nil
}

func (q *quietEnd) ping(ctx context.Context) error {
	q.pings.Add(1)
	if q.answers.Load() {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-q.closed:
		return io.EOF
	}
}

func (q *quietEnd) received() int64 {
	if q.growing.Load() {
		return q.count.Add(1)
	}
	return q.count.Load()
}

func (q *quietEnd) close(bool) {
	select {
	case <-q.closed:
	default:
		close(q.closed)
	}
}

func TestAPeerThatAnswersNoPingIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := newQuietEnd()
		end.answers.Store(true)
		began := time.Now()
		conn := newConn(end, Options{PingInterval: 15 * time.Second, PingTimeout: 10 * time.Second}.withDefaults())
		pass(40 * time.Second)
		if err := conn.Err(); err != nil || end.pings.Load() != 2 {
			t.Fatalf("after %d pings that were answered: %v", end.pings.Load(), err)
		}
		end.answers.Store(false)
		<-conn.Done()
		if got := time.Since(began); got != 55*time.Second {
			t.Errorf("given up after %v, want the third ping and its timeout", got)
		}
		if !errors.Is(conn.Err(), errNoPong) {
			t.Errorf("ended by %v", conn.Err())
		}
	})
}

func TestAPongThatALongMessageDelaysIsNoLoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := newQuietEnd()
		end.growing.Store(true)
		conn := newConn(end, Options{PingInterval: 15 * time.Second, PingTimeout: 10 * time.Second}.withDefaults())
		pass(5 * time.Minute)
		if err := conn.Err(); err != nil {
			t.Fatal(err)
		}
		end.growing.Store(false)
		<-conn.Done()
	})
}

func TestAHeartbeatIsSentOnlyIfNothingElseWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := newQuietEnd()
		conn := newConn(end, Options{Heartbeat: time.Minute}.withDefaults())
		began := time.Now()
		next := func() (method string, at time.Duration) {
			message := <-end.written
			if strings.Contains(message, heartbeatMethod) {
				return heartbeatMethod, time.Since(began)
			}
			return message, time.Since(began)
		}
		pass(50 * time.Second)
		if _, err := conn.Send("", "Page.enable", nil); err != nil {
			t.Fatal(err)
		}
		if method, _ := next(); method == heartbeatMethod {
			t.Fatal("a heartbeat came before a minute was over")
		}
		if method, at := next(); method != heartbeatMethod || at != 110*time.Second {
			t.Errorf("%s came after %v, want the heartbeat a minute after the last command", method, at)
		}
		_ = conn.Close()
		<-conn.Done()
	})
}

// pass lets time pass on the clock of the synctest bubble.
func pass(d time.Duration) {
	time.Sleep(d) //nolint:forbidigo // no real time passes
}
