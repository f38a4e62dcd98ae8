package charts

import (
	"maps"
	"math"
	"slices"
	"time"

	dto "github.com/prometheus/client_model/go"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// numbers are metrics by name.
type numbers map[string]*dto.MetricFamily

func numbersOf(families []*dto.MetricFamily) numbers {
	n := numbers{}
	for _, f := range families {
		n[f.GetName()] = f
	}
	return n
}

func sampleOf(before, now numbers, at time.Time) Sample {
	since := func(name string) float64 { return now.sum(name) - before.sum(name) }
	s := Sample{
		At:            host.UnixTime{Time: at},
		Dialogs:       Dialogs{Opened: since("hermes_cdp_dialogs_total"), Closed: since("hermes_cdp_dialogs_closed_total"), Open: now.sum("hermes_cdp_pending_dialogs")},
		Calls:         Calls{Ended: since("hermes_cdp_tool_calls_total"), Failed: since("hermes_cdp_tool_errors_total")},
		PluginSeconds: now.by("hermes_cdp_hook_duration_seconds", "plugin"),
		Bytes: Bytes{
			Daemon: now.sum("process_resident_memory_bytes"), Browsers: now.sum("hermes_cdp_browser_memory_bytes"), Plugins: now.sum("hermes_cdp_plugin_memory_bytes"),
		},
		Queues: now.by("hermes_cdp_queue_length", "queue"),
	}
	for plugin, total := range before.by("hermes_cdp_hook_duration_seconds", "plugin") {
		if _, there := s.PluginSeconds[plugin]; there {
			s.PluginSeconds[plugin] = max(0, s.PluginSeconds[plugin]-total) // one that was removed and added again counts from 0
		}
	}
	took := now.buckets("hermes_cdp_tool_duration_seconds")
	for bound, n := range before.buckets("hermes_cdp_tool_duration_seconds") {
		took[bound] -= n
	}
	s.Calls.P50Seconds, s.Calls.P99Seconds = quantile(took, 0.5), quantile(took, 0.99)
	return s
}

// value is that of a counter or gauge, or the sum of a histogram.
func value(m *dto.Metric) float64 {
	return m.GetCounter().GetValue() + m.GetGauge().GetValue() + m.GetHistogram().GetSampleSum()
}

// sum adds up all that a metric has.
func (n numbers) sum(name string) (all float64) {
	for _, m := range n[name].GetMetric() {
		all += value(m)
	}
	return all
}

// by adds up by the value of a label.
func (n numbers) by(name, label string) map[string]float64 {
	all := map[string]float64{}
	for _, m := range n[name].GetMetric() {
		for _, pair := range m.GetLabel() {
			if pair.GetName() == label {
				all[pair.GetValue()] += value(m)
			}
		}
	}
	return all
}

// buckets adds up the buckets of histograms, each of which contains those before it, by their upper bounds.
func (n numbers) buckets(name string) map[float64]float64 {
	all := map[float64]float64{}
	for _, m := range n[name].GetMetric() {
		for _, b := range m.GetHistogram().GetBucket() {
			all[b.GetUpperBound()] += float64(b.GetCumulativeCount())
		}
	}
	return all
}

// quantile estimates as histogram_quantile of Prometheus does: evenly within a bucket, and in the one without a bound
// the highest bound. It returns nil if there is nothing in the buckets.
func quantile(buckets map[float64]float64, q float64) *float64 {
	bounds := slices.Sorted(maps.Keys(buckets))
	if len(bounds) == 0 || buckets[bounds[len(bounds)-1]] == 0 {
		return nil
	}
	rank := q * buckets[bounds[len(bounds)-1]]
	low, below := 0.0, 0.0
	for _, high := range bounds {
		if math.IsInf(high, 1) {
			break
		}
		if n := buckets[high]; n >= rank {
			estimate := low + (high-low)*(rank-below)/(n-below)
			return &estimate
		}
		low, below = high, buckets[high]
	}
	return &low
}
