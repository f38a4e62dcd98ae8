package metrics

import (
	"context"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// scrapeTimeout bounds how long a scrape waits for the owners of connections.
const scrapeTimeout = 10 * time.Second

// collector turns one status into metrics.
type collector struct {
	from    Source
	measure func(known []host.BrowserInfo) ([]host.BrowserInfo, error) // [host.LocalBrowsers]

	mu    sync.Mutex                 // one scrape at a time
	seen  map[string]map[string]bool // the values of each label
	local measured
	out   chan<- prometheus.Metric
	sums  map[*prometheus.Desc]map[string]*sum // values that share their labels are added up
}

// sum is one value and its labels.
type sum struct {
	kind   prometheus.ValueType
	value  float64
	labels []string
}

// Describe implements [prometheus.Collector].
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range descriptions {
		out <- d
	}
}

// Collect implements [prometheus.Collector].
func (c *collector) Collect(out chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	s, err := c.from.Status(ctx)
	if err != nil {
		out <- prometheus.NewInvalidMetric(buildInfo, err)
		return
	}
	c.out, c.sums = out, map[*prometheus.Desc]map[string]*sum{}
	c.daemon(s.Daemon)
	c.tasks(s.Tasks)
	c.browsers(s.Browsers)
	c.counters(s.Counters)
	c.plugins(s.Plugins, s.Counters.Plugins)
	c.modules(ctx, s.Plugins)
	c.audit(s.Audit)
	c.tools(s.Tools)
	for _, server := range s.MCPServers {
		c.gauge(mcpServerUp, truth(server.Error == ""), c.bounded("server", server.Name))
		c.count(mcpServerRestarts, uint64(server.Restarts), c.bounded("server", server.Name))
	}
	c.send()
}

func (c *collector) daemon(d control.DaemonStatus) {
	c.gauge(buildInfo, 1, d.Version, runtime.Version())
	c.gauge(configProblem, truth(d.Config.Error != "" || len(d.Config.PluginProblems) > 0))
	c.gauge(startTime, float64(d.StartedAt.UnixNano())/1e9)
}

func (c *collector) tasks(list []control.TaskStatus) {
	states := map[string]float64{"connected": 0, "disconnected": 0}
	var frames, sessions, pending float64
	for _, t := range list {
		frames, sessions, pending = frames+float64(t.Frames), sessions+float64(t.Sessions), pending+float64(t.PendingDialogs)
		if t.Disconnected != "" {
			states["disconnected"]++
		} else {
			states["connected"]++
		}
	}
	for state, n := range states {
		c.gauge(tasks, n, state)
	}
	c.gauge(frameCount, frames)
	c.gauge(sessionCount, sessions)
	c.gauge(pendingDialogs, pending)
}

func (c *collector) counters(n host.Counters) {
	c.countMap(dialogs, "type", n.Dialogs.ByType)
	c.countMap(dialogsByPolicy, "policy", n.Dialogs.ByPolicy)
	c.countMap(dialogsClosed, "closed_by", n.Dialogs.ByClosedBy)
	for by, times := range n.Dialogs.OpenTimes {
		h := histogram{}
		for _, bucket := range times.Within {
			h.add(float64(bucket.UpToMS)/1000, bucket.Dialogs)
		}
		c.out <- h.metric(dialogOpen, float64(times.TotalNS)/1e9, c.bounded("closed_by", by))
	}
	c.count(answerRetries, n.Dialogs.AnswerRetries)
	c.countMap(bridgeProven, "mechanism", n.Bridge.Proven)
	c.countMap(bridgeRefused, "reason", n.Bridge.Refused)
	c.count(verdicts, n.Verdicts.Applied, "applied")
	c.count(verdicts, n.Verdicts.Dropped, "dropped")
	for what, count := range map[string]uint64{
		"decoded": n.Events.Decoded, "undecodable": n.Events.Undecodable, "skipped": n.Events.Skipped,
		"dropped": n.Events.Dropped, "ignored": n.Events.Ignored,
	} {
		c.count(events, count, what)
	}
	for what, count := range map[string]uint64{"restored": n.Reconnects, "given_up": n.ReconnectFailures} {
		c.count(reconnects, count, what)
	}
	c.count(reconnectAttempts, n.ReconnectAttempts)
	for queue, length := range map[string]int{
		"inbox": n.Queues.Inbox, "outgoing": n.Queues.Outgoing, "in_flight": n.Queues.InFlight, "held": n.Queues.Held, "hooks": n.Queues.Hooks,
	} {
		c.gauge(queues, float64(length), queue)
	}
	c.count(networkRequests, n.Network.Requests, "passed")
	c.count(networkRequests, n.Network.Refused, "refused")
	c.count(networkRequests, n.Network.Failed, "failed")
	c.count(evaluations, n.Evaluate.Calls)
	c.count(evaluationTimeouts, n.Evaluate.Timeouts)
	c.count(evaluationTerminations, n.Evaluate.Terminations)
	for failure, count := range n.Evaluate.Errors {
		c.count(evaluationErrors, count, code(failure))
	}
	for outcome, count := range map[string]uint64{
		"allowed": n.Requests.Allowed, "blocked": n.Requests.Blocked, "aborted": n.Requests.Aborted,
		"failed_open": n.Requests.FailedOpen, "failed_closed": n.Requests.FailedClosed,
	} {
		c.count(requests, count, outcome)
	}
	for outcome, count := range map[string]uint64{
		"allowed": n.Navigations.Allowed, "denied": n.Navigations.Denied, "rewritten": n.Navigations.Rewritten,
		"failed_open": n.Navigations.FailedOpen, "failed_closed": n.Navigations.FailedClosed, "refused": n.Navigations.Refused,
	} {
		c.count(navigations, count, outcome)
	}
}

func (c *collector) plugins(list []host.PluginInfo, counted map[string]host.PluginCounters) {
	for _, p := range list {
		name := c.bounded("plugin", p.Name)
		c.gauge(pluginGeneration, float64(p.Generation), name)
		c.gauge(pluginOutage, truth(p.Outage != ""), name)
		c.gauge(storeProblem, truth(p.StoreProblem != ""), name)
		if name != other {
			c.gauge(pluginInfo, 1, name, p.SHA256[:min(len(p.SHA256), moduleDigits)], c.bounded("version", p.Version))
		}
	}
	for plugin, n := range counted {
		name := c.bounded("plugin", plugin)
		for outcome, count := range map[string]uint64{"decided": n.Decided, "abstained": n.Abstained, "error": n.Errors, "busy": n.Busy} {
			c.count(hookCalls, count, name, outcome)
		}
		for kind, count := range n.Faults {
			c.count(hookFaults, count, name, c.bounded("fault", kind))
		}
		c.add(hookFuel, prometheus.CounterValue, float64(n.Fuel), name)
		c.gauge(pluginInstances, float64(n.Instances), name)
		c.gauge(pluginMemory, float64(n.MemoryBytes), name)
		c.gauge(storedBytes, float64(n.StoredBytes), name)
		c.gauge(storedKeys, float64(n.StoredKeys), name)
		c.count(storeRefused, uint64(n.StoreRefused), name)
		c.count(storeEvicted, uint64(n.StoreEvicted), name)
		c.count(pluginSwaps, n.Swaps, name, "in_service")
		c.count(pluginSwaps, n.Refused, name, "refused")
		c.count(pluginSwaps, n.Returns, name, "returned")
		c.count(shadowCalls, n.ShadowCompared-n.ShadowDiffering, name, "same")
		c.count(shadowCalls, n.ShadowDiffering, name, "different")
		c.count(shadowCalls, n.ShadowSkipped, name, "skipped")
		if name == other {
			continue
		}
		h := histogram{}
		for _, bucket := range n.Durations {
			h.add(bucket.UpTo.Seconds(), bucket.Calls)
		}
		c.out <- h.metric(hookDuration, n.TotalTime.Seconds(), name)
	}
}

// modules counts by module what is still in the history of its plugin.
func (c *collector) modules(ctx context.Context, list []host.PluginInfo) {
	for _, p := range list {
		history, err := c.from.PluginHistory(ctx, p.Name)
		if err != nil {
			continue // it was removed meanwhile
		}
		name := c.bounded("plugin", p.Name)
		for _, g := range history {
			if g.SHA256 == "" || g.Calls == 0 && g.Number != p.Generation {
				continue
			}
			module := c.bounded("module", g.SHA256[:min(len(g.SHA256), moduleDigits)])
			c.count(moduleCalls, g.Calls, name, module)
			c.count(moduleFaults, g.Faults, name, module)
			c.add(moduleFuel, prometheus.CounterValue, float64(g.Fuel), name, module)
			c.add(moduleTime, prometheus.CounterValue, g.TotalTime.Seconds(), name, module)
		}
	}
}

// moduleDigits is how much of a module's SHA-256 identifies it, as in lists of plugins.
const moduleDigits = 12

func (c *collector) audit(s control.AuditStatus) {
	for outcome, by := range map[string]map[string]uint64{"done": s.Done, "failed": s.Failed} {
		for action, n := range by {
			c.count(operatorActions, n, c.bounded("action", action), outcome)
		}
	}
	c.count(auditLost, s.Lost)
}

func (c *collector) tools(all map[string]agent.ToolCounters) {
	for tool, n := range all {
		name := c.bounded("tool", tool)
		c.count(toolCalls, n.Calls, name)
		c.count(toolTimeouts, n.Timeouts, name)
		c.count(toolTerminations, n.Terminations, name)
		for failure, count := range n.Failures {
			c.count(toolErrors, count, name, code(failure))
		}
		for reason, count := range n.Fallbacks {
			c.count(toolFallbacks, count, name, c.bounded("fallback", reason))
		}
		if name == other {
			continue
		}
		h := histogram{}
		for _, bucket := range n.Durations {
			h.add(float64(bucket.UpToMS)/1000, bucket.Calls)
		}
		c.out <- h.metric(toolDuration, time.Duration(n.TotalNS).Seconds(), name)
	}
}

// countMap counts by one label.
func (c *collector) countMap(d *prometheus.Desc, label string, by map[string]uint64) {
	for value, n := range by {
		c.count(d, n, c.bounded(label, value))
	}
}

func (c *collector) count(d *prometheus.Desc, n uint64, labels ...string) {
	c.add(d, prometheus.CounterValue, float64(n), labels...)
}

func (c *collector) gauge(d *prometheus.Desc, value float64, labels ...string) {
	c.add(d, prometheus.GaugeValue, value, labels...)
}

func (c *collector) add(d *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
	key := ""
	for _, l := range labels {
		key += l + "\x00"
	}
	if c.sums[d] == nil {
		c.sums[d] = map[string]*sum{}
	}
	if c.sums[d][key] == nil {
		c.sums[d][key] = &sum{kind: kind, labels: labels}
	}
	c.sums[d][key].value += value
}

func (c *collector) send() {
	for d, values := range c.sums {
		for _, v := range values {
			metric, err := prometheus.NewConstMetric(d, v.kind, v.value, v.labels...)
			if err != nil {
				metric = prometheus.NewInvalidMetric(d, err)
			}
			c.out <- metric
		}
	}
}

// histogram is made from buckets that do not contain each other.
type histogram struct {
	count   uint64
	buckets map[float64]uint64
}

// add adds the next bucket; the last one has no bound, which is 0.
func (h *histogram) add(bound float64, n uint64) {
	h.count += n
	if h.buckets == nil {
		h.buckets = map[float64]uint64{}
	}
	if bound == 0 {
		bound = math.Inf(1)
	}
	h.buckets[bound] = h.count
}

func (h *histogram) metric(d *prometheus.Desc, total float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstHistogram(d, h.count, total, h.buckets, labels...)
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
