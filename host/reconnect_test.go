package host

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestBackoffDoublesUpToItsBoundAndIsSpread(t *testing.T) {
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

func TestABrowserIsKnownByTheIDInItsAddress(t *testing.T) {
	for address, want := range map[string]string{
		"ws://127.0.0.1:9222/devtools/browser/abc?token=x": "abc", "wss://provider/?token=x": "", "%": "",
	} {
		if got := browserID(address); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}

func TestWhoWaitsForALineIsToldOfItsReturnAndOfItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newLine()
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
		if err := <-outcome; !errors.Is(err, ErrBrowserGone) || !errors.Is(err, ErrDisconnected) {
			t.Errorf("at the end: %v", err)
		}
	})
}

func TestReconnectsAreCounted(t *testing.T) {
	var counts reconnectCounters
	counts.attempts.Add(3)
	counts.restored.Add(2)
	counts.failures.Add(1)
	var shown Counters
	counts.add(&shown)
	if shown.ReconnectAttempts != 3 || shown.Reconnects != 2 || shown.ReconnectFailures != 1 {
		t.Errorf("%+v", shown)
	}
}
