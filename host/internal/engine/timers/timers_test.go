package timers

import (
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func TestTimersExpireInTheOrderOfTheirTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		timers := New()
		defer timers.Stop()
		start := time.Now()
		timers.Arm(1, start.Add(3*time.Second))
		timers.Arm(2, start.Add(1*time.Second))
		timers.Arm(3, start.Add(2*time.Second))
		timers.Disarm(3)
		for _, want := range []struct {
			token supervise.Token
			after time.Duration
		}{{2, time.Second}, {1, 3 * time.Second}} {
			<-timers.C()
			token, ok := timers.Due(time.Now())
			if !ok || token != want.token || time.Since(start) != want.after {
				t.Errorf("timer %d (%v) ran out after %v, want %d after %v", token, ok, time.Since(start), want.token, want.after)
			}
		}
		if token, ok := timers.Due(time.Now().Add(time.Hour)); ok {
			t.Errorf("timer %d ran out, though none is armed", token)
		}
	})
}

func TestTimersHoldWhatIsArmedAndNotDisarmed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		timers := New()
		defer timers.Stop()
		start := time.Unix(1000, 0)
		live := map[supervise.Token]time.Time{}
		var next supervise.Token
		t.Repeat(map[string]func(*rapid.T){
			"arm": func(t *rapid.T) {
				next++
				live[next] = start.Add(time.Duration(rapid.IntRange(0, 100).Draw(t, "in")) * time.Second)
				timers.Arm(next, live[next])
			},
			"disarm": func(t *rapid.T) {
				token := supervise.Token(rapid.Uint64Range(0, uint64(next)).Draw(t, "token"))
				if _, ok := live[token]; ok { // the state machine never disarms twice, nor what ran out
					timers.Disarm(token)
					delete(live, token)
				}
			},
			"pass": func(t *rapid.T) {
				now := start.Add(time.Duration(rapid.IntRange(0, 100).Draw(t, "now")) * time.Second)
				var last time.Time
				for {
					token, ok := timers.Due(now)
					if !ok {
						break
					}
					at, known := live[token]
					if !known || at.After(now) || at.Before(last) {
						t.Fatalf("timer %d (known %v) of %v ran out at %v after one of %v", token, known, at, now, last)
					}
					last = at
					delete(live, token)
				}
				for token, at := range live {
					if !at.After(now) {
						t.Fatalf("timer %d of %v did not run out at %v", token, at, now)
					}
				}
			},
		})
	})
}
