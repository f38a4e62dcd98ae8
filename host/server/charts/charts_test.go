package charts

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/metrics"
)

// source counts one more of everything at each look. The registry looks from goroutines of its own.
type source struct {
	looks  atomic.Uint64
	fails  atomic.Bool
	silent atomic.Bool // nothing happens
}

func (s *source) Status(context.Context) (control.Status, error) {
	if s.fails.Load() {
		return control.Status{}, errors.New("nobody answers")
	}
	n := s.looks.Load()
	if !s.silent.Load() {
		n = s.looks.Add(1)
	}
	return control.Status{
		Tasks: []control.TaskStatus{{ID: "a", PendingDialogs: 1}, {ID: "b", PendingDialogs: 1}},
		Counters: host.Counters{
			Dialogs: host.DialogCounters{ByType: map[string]uint64{"alert": n, "confirm": n}, ByClosedBy: map[string]uint64{"agent": n}},
			Queues:  host.QueueDepths{Held: 3},
			Plugins: map[string]host.PluginCounters{"dialog-policy": {
				Calls: n, TotalTime: time.Duration(n) * time.Second, MemoryBytes: 65536, Durations: []host.PluginDurationCount{{UpTo: time.Second, Calls: n}, {}},
			}},
		},
		Tools: map[string]agent.ToolCounters{"browser_click": {
			Calls: 4 * n, Failures: map[string]uint64{"timeout": n}, TotalNS: int64(n),
			Durations: []agent.DurationCount{{UpToMS: 100, Calls: 2 * n}, {UpToMS: 300, Calls: 2 * n}, {}},
		}},
	}, nil
}

func (s *source) PluginHistory(context.Context, string) ([]host.PluginGeneration, error) {
	return nil, host.ErrUnknownPlugin
}

// running takes samples of a source, in the time of a test.
func running(t *testing.T, from *source, log *slog.Logger) *Charts {
	c := New(metrics.Registry(from), log)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); c.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	synctest.Wait()
	return c
}

func TestASampleIsWhatHappenedSinceTheOneBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := &source{}
		c := running(t, from, slog.New(slog.DiscardHandler))
		if got := c.After(time.Time{}); len(got) != 0 {
			t.Fatalf("%d samples at the start", len(got))
		}
		time.Sleep(2 * Interval) //nolint:forbidigo // the time of the bubble
		synctest.Wait()
		got := c.After(time.Time{})
		if len(got) != 2 || got[1].At.Sub(got[0].At.Time) != Interval {
			t.Fatalf("the samples are %+v", got)
		}
		s := got[1]
		if s.Dialogs != (Dialogs{Opened: 2, Closed: 1, Open: 2}) || s.Calls.Ended != 4 || s.Calls.Failed != 1 {
			t.Errorf("dialogs %+v, calls %+v", s.Dialogs, s.Calls)
		}
		if math.Abs(*s.Calls.P50Seconds-0.1) > 1e-9 || math.Abs(*s.Calls.P99Seconds-0.296) > 1e-9 {
			t.Errorf("half of the calls took %v, 99 of 100 took %v", *s.Calls.P50Seconds, *s.Calls.P99Seconds)
		}
		if s.PluginSeconds["dialog-policy"] != 1 || s.Queues["held"] != 3 || s.Bytes.Plugins != 65536 {
			t.Errorf("plugins %v, queues %v, memory %+v", s.PluginSeconds, s.Queues, s.Bytes)
		}
		from.silent.Store(true)
		time.Sleep(Interval) //nolint:forbidigo // the time of the bubble
		synctest.Wait()
		if s := c.After(got[1].At.Time); len(s) != 1 || s[0].Dialogs.Opened != 0 || s[0].Calls.P50Seconds != nil {
			t.Errorf("after nothing happened, the samples are %+v", s)
		}
	})
}

func TestOneHourIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := running(t, &source{}, slog.New(slog.DiscardHandler))
		began := time.Now()
		time.Sleep(90 * time.Minute) //nolint:forbidigo // the time of the bubble
		synctest.Wait()
		got := c.After(time.Time{})
		if len(got) != Kept || !got[0].At.Equal(began.Add(30*time.Minute+Interval)) || !got[Kept-1].At.Equal(began.Add(90*time.Minute)) {
			t.Errorf("%d samples, from %v to %v", len(got), got[0].At, got[len(got)-1].At)
		}
		w := httptest.NewRecorder()
		Route(c, slog.New(slog.DiscardHandler)).Handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", Path, nil))
		var d Document
		if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || len(d.Samples) != Kept || d.IntervalMS != 10_000 {
			t.Errorf("%d, %v: %d samples every %d ms", w.Code, err, len(d.Samples), d.IntervalMS)
		}
	})
}

// What happened while no sample could be taken is part of the next one.
func TestASampleThatCannotBeTakenLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		from := &source{}
		c := running(t, from, slog.New(slog.NewTextHandler(&log, nil)))
		from.fails.Store(true)
		time.Sleep(Interval) //nolint:forbidigo // the time of the bubble
		synctest.Wait()
		from.fails.Store(false)
		from.looks.Store(5)
		time.Sleep(Interval) //nolint:forbidigo // the time of the bubble
		synctest.Wait()
		got := c.After(time.Time{})
		if len(got) != 1 || got[0].Dialogs.Closed != 5 || !strings.Contains(log.String(), "nobody answers") {
			t.Errorf("the samples are %+v; logged: %s", got, log.String())
		}
	})
}

func TestCallsBeyondTheHighestBoundCountAsIt(t *testing.T) {
	if got := quantile(map[float64]float64{0.1: 0, 10: 1, math.Inf(1): 4}, 0.99); *got != 10 {
		t.Errorf("the quantile is %v", *got)
	}
	if got := quantile(map[float64]float64{0.1: 0, math.Inf(1): 0}, 0.5); got != nil {
		t.Errorf("without calls, the quantile is %v", *got)
	}
}
