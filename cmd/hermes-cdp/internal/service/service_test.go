package service

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A daemon that does not answer is not said to be alive, and one that answers again is.
func TestOnlyADaemonThatAnswersIsAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var said []time.Duration
		m := &Manager{watchdog: 40 * time.Second, log: slog.New(slog.DiscardHandler), tell: func(state string) error {
			if state != "WATCHDOG=1" {
				t.Errorf("said %q", state)
			}
			said = append(said, time.Since(start))
			return nil
		}}
		ctx, cancel := context.WithTimeout(t.Context(), 95*time.Second)
		defer cancel()
		m.Watch(ctx, func(ctx context.Context) error {
			switch at := time.Since(start); {
			case at >= 20*time.Second && at < 50*time.Second: // it hangs
				<-ctx.Done()
				return ctx.Err()
			case at >= 70*time.Second && at < 90*time.Second:
				return errors.New("it answers nonsense")
			}
			return nil
		})
		want := []time.Duration{0, 10 * time.Second, 60 * time.Second, 90 * time.Second}
		if !slices.Equal(said, want) {
			t.Errorf("said to be alive at %v, want %v", said, want)
		}
	})
}

func TestWithoutAManagerNothingIsSaid(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	m, err := Find(slog.New(slog.DiscardHandler))
	if m != nil || err != nil {
		t.Fatalf("found %v, %v", m, err)
	}
	m.Ready("")
	m.Reloading()
	m.Stopping()
	m.Watch(t.Context(), func(context.Context) error { return errors.New("it is asked") })
	if sockets, err := Sockets("a"); err != nil || len(sockets) != 0 {
		t.Errorf("the sockets are %v, %v", sockets, err)
	}
}

func TestWhatIsSaid(t *testing.T) {
	var said []string
	m := &Manager{log: slog.New(slog.DiscardHandler), tell: func(state string) error { said = append(said, state); return errors.New("nobody hears it") }}
	m.Ready("at\nX=1")
	m.Reloading()
	m.Stopping()
	if len(said) != 3 || said[0] != "READY=1\nSTATUS=at X=1" || !strings.HasPrefix(said[1], "RELOADING=1\n") || said[2] != "STOPPING=1" {
		t.Errorf("said %q", said)
	}
}
