package charts

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

const (
	// Interval is the time between two samples.
	Interval = 10 * time.Second
	// Kept is how many samples are kept, which is one hour.
	Kept = 360
	// Path is where the samples are served.
	Path = "/v1/charts"
)

// Charts keeps the samples of the last hour. It is safe for concurrent use.
type Charts struct {
	from prometheus.Gatherer
	log  *slog.Logger

	mu      sync.Mutex
	samples []Sample // the oldest first
}

// New returns charts without a sample. [Charts.Run] takes them.
func New(from prometheus.Gatherer, log *slog.Logger) *Charts { return &Charts{from: from, log: log} }

// Run takes samples until ctx ends.
func (c *Charts) Run(ctx context.Context) {
	before := c.gather()
	tick := time.NewTicker(Interval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		now := c.gather()
		if before != nil && now != nil {
			c.keep(sampleOf(before, now, time.Now()))
		}
		if now != nil { // what happened meanwhile is otherwise part of the next sample
			before = now
		}
	}
}

// gather returns nil if a metric cannot be collected, as /metrics then fails as well.
func (c *Charts) gather() numbers {
	families, err := c.from.Gather()
	if err != nil {
		c.log.Warn("a sample for the charts is missing", "error", err)
		return nil
	}
	return numbersOf(families)
}

func (c *Charts) keep(s Sample) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.samples = append(c.samples, s)
	if extra := len(c.samples) - Kept; extra > 0 {
		c.samples = slices.Delete(c.samples, 0, extra)
	}
}

// After returns the samples that were taken after a time, the oldest first.
func (c *Charts) After(at time.Time) []Sample {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := slices.IndexFunc(c.samples, func(s Sample) bool { return s.At.After(at) })
	if first < 0 {
		return []Sample{}
	}
	return slices.Clone(c.samples[first:])
}

// Document is what is served.
type Document struct {
	// IntervalMS is the time between two samples. Where one could not be taken, the next one covers its time too.
	IntervalMS int64 `json:"interval_ms"`
	// Samples are those of the last hour, the oldest first.
	Samples []Sample `json:"samples"`
}

// Sample is what happened since the sample before, and what there is at the moment.
type Sample struct {
	At      host.UnixTime `json:"at"`
	Dialogs Dialogs       `json:"dialogs"`
	Calls   Calls         `json:"calls"`
	// PluginSeconds is the time that hooks took since the sample before, by plugin.
	PluginSeconds map[string]float64 `json:"plugin_seconds"`
	Bytes         Bytes              `json:"bytes"`
	// Queues are what waits, by queue, as in the metric queue_length.
	Queues map[string]float64 `json:"queues"`
}

// Dialogs are those that opened and closed since the sample before, and those that are open.
type Dialogs struct {
	Opened float64 `json:"opened"`
	Closed float64 `json:"closed"`
	Open   float64 `json:"open"`
}

// Calls are those of tools that ended since the sample before. Quantiles are estimated from a histogram, as Prometheus
// does, and missing if no call ended.
type Calls struct {
	Ended      float64  `json:"ended"`
	Failed     float64  `json:"failed"`
	P50Seconds *float64 `json:"p50_seconds,omitempty"`
	P99Seconds *float64 `json:"p99_seconds,omitempty"`
}

// Bytes is memory: of the daemon's process, of local browsers, and of modules, which is part of the daemon's.
type Bytes struct {
	Daemon   float64 `json:"daemon"`
	Browsers float64 `json:"browsers"`
	Plugins  float64 `json:"plugins"`
}

// Route is the samples' place among the routes of the daemon, for the operator.
func Route(c *Charts, log *slog.Logger) access.Route {
	return access.Route{Pattern: "GET " + Path, Role: access.Operator, Does: "show what was counted in the last hour", Handler: http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) {
			control.WriteJSON(w, http.StatusOK, Document{Interval.Milliseconds(), c.After(time.Time{})}, log)
		})}
}
