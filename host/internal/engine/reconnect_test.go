package engine

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/timers"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func TestBackoffDoublesUpToItsLimitAndIsRandom(t *testing.T) {
	if backoff(1) != 0 {
		t.Error("the first attempt is not made at once")
	}
	for attempt, bound := range map[int]time.Duration{
		2: 500 * time.Millisecond, 3: time.Second, 6: 8 * time.Second, 7: 10 * time.Second, 1000: 10 * time.Second,
	} {
		longest := time.Duration(0)
		for range 1000 {
			longest = max(longest, backoff(attempt))
		}
		if longest >= bound || longest < bound/2 {
			t.Errorf("the longest of many pauses before attempt %d is %v, want up to %v", attempt, longest, bound)
		}
	}
}

func TestABrowserIsIdentifiedByTheIDInItsURL(t *testing.T) {
	for address, want := range map[string]string{
		"ws://127.0.0.1:9222/devtools/browser/abc?token=x": "abc", "wss://provider/?token=x": "", "%": "",
	} {
		if got := browserID(address); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}

func TestWaitingForAConnectionEndsWithTheContextOrTheBrowser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newConnState()
		outcome := make(chan error, 1)
		wait := func(ctx context.Context) {
			_, err := n.wait(ctx)
			outcome <- err
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		go wait(ctx)
		if err := <-outcome; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("without a connection: %v", err)
		}
		go wait(t.Context())
		synctest.Wait()
		close(n.end)
		if err := <-outcome; !errors.Is(err, fault.ErrBrowserGone) || !errors.Is(err, fault.ErrDisconnected) {
			t.Errorf("at the end: %v", err)
		}
	})
}

// A failed attempt to reconnect may coincide with the end of the link, and a connection may come after it.
func TestALinkEndsOnce(t *testing.T) {
	err := errors.New("broken pipe")
	for name, late := range map[string][]any{
		"an attempt that failed":      {lost{err}, gaveUp{err}},
		"two that failed":             {gaveUp{err}, gaveUp{err}},
		"a connection that was lost":  {gaveUp{err}, lost{err}, lost{err}},
		"a connection that came late": {gaveUp{err}, restored{cdp.NewPipe(io.NopCloser(strings.NewReader("")), nopWriter{}, cdp.Options{})}, lost{err}},
	} {
		t.Run(name, func(t *testing.T) {
			l := &Link{
				group: &Group{}, Log: slog.New(slog.DiscardHandler), connection: newConnState(), inbox: newInbox(), timers: timers.New(),
				state: supervise.New(supervise.Config{}), scheduled: schedule.New(supervise.New(supervise.Config{})), tasks: map[string]*Task{}, reconnection: reconnection{timeout: -1},
			}
			l.ctx, l.stop = context.WithCancel(t.Context())
			l.stop()
			for _, item := range late {
				l.handle(item)
			}
			if _, err := l.connection.wait(t.Context()); !errors.Is(err, fault.ErrBrowserGone) {
				t.Errorf("waiting for a connection returns %v", err)
			}
			if it, ok := late[1].(restored); ok {
				<-it.conn.Done()
			}
		})
	}
}

// nopWriter accepts everything.
type nopWriter struct{}

func (nopWriter) Write(b []byte) (int, error) { return len(b), nil }
func (nopWriter) Close() error                { return nil }

func TestReconnectsAreCounted(t *testing.T) {
	var g Group
	g.reconnects.attempts.Add(3)
	g.reconnects.restored.Add(2)
	g.reconnects.failures.Add(1)
	if restored, attempts, failures := g.Reconnects(); restored != 2 || attempts != 3 || failures != 1 {
		t.Errorf("%d restored, %d attempts, %d failures", restored, attempts, failures)
	}
}
