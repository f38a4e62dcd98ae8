package host

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestABrowserIsTriedAgainOnceTheWindowHasPassed(t *testing.T) {
	const window = time.Minute
	start := time.Unix(1_000_000, 0)
	var l restarts
	if err := l.of("task").allow(start, 2, window); err != nil {
		t.Errorf("the first start: %v", err)
	}
	for i, c := range []struct {
		after time.Duration // since the start; the browser ends then
		loop  bool
	}{{0, false}, {10 * time.Second, true}, {75 * time.Second, false}, {76 * time.Second, true}} {
		now := start.Add(c.after)
		l.noteEnd("task", now, window)
		if err := l.of("task").allow(now, 2, window); errors.Is(err, ErrRestartLoop) != c.loop {
			t.Errorf("end %d: %v", i+1, err)
		}
	}
	last := start.Add(76 * time.Second)
	err := l.of("task").allow(last.Add(9*time.Second), 2, window)
	if err == nil || !strings.Contains(err.Error(), "tries again in 50s") {
		t.Errorf("the error is %v", err)
	}
	if err := l.of("task").allow(last.Add(59*time.Second), 2, window); err != nil {
		t.Errorf("after the window: %v", err)
	}
	if err := l.of("task").allow(last, -1, window); err != nil {
		t.Errorf("without a limit: %v", err)
	}
	l.forget("task")
	if err := l.of("task").allow(last, 1, window); err != nil {
		t.Errorf("once it is forgotten: %v", err)
	}
}
