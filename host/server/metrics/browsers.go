package metrics

import (
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// measuring is how much of a processor may be spent on measuring browsers. To add up the pages of one process takes the
// kernel some milliseconds, and there may be hundreds of them.
const measuring = 0.01

// measured is what the local browsers took when they were last looked at.
type measured struct {
	pids              []int // of the browsers, sorted
	at                time.Time
	took              time.Duration
	memory, processes float64
}

// browsers counts those that this daemon has. Only the processes of local ones can be looked at.
func (c *collector) browsers(list []host.BrowserInfo) {
	count := map[string]float64{"local": 0, "rented": 0, "attached": 0}
	var local []host.BrowserInfo
	for _, b := range list {
		switch {
		case b.Provider != "":
			count["rented"]++
			c.gauge(providerSessions, 1, c.bounded("provider", b.Provider))
		case b.PID != 0:
			count["local"]++
			local = append(local, b)
		default:
			count["attached"]++
		}
	}
	for kind, n := range count {
		c.gauge(browsers, n, kind)
	}
	if err := c.measureLocal(local); err != nil {
		c.out <- prometheus.NewInvalidMetric(browserMemory, err)
		return
	}
	c.gauge(browserMemory, c.local.memory)
	c.gauge(browserProcesses, c.local.processes)
}

// measureLocal looks at the processes of local browsers, unless it has done so with these browsers a short while ago.
func (c *collector) measureLocal(list []host.BrowserInfo) error {
	var pids []int
	for _, b := range list {
		pids = append(pids, b.PID)
	}
	slices.Sort(pids)
	rest := time.Duration(float64(c.local.took) / measuring)
	if slices.Equal(pids, c.local.pids) && time.Since(c.local.at) < rest {
		return nil
	}
	now := measured{pids: pids, at: time.Now()}
	if len(list) > 0 {
		all, err := c.measure(list)
		if err != nil {
			return err
		}
		for _, b := range all[:len(list)] { // those of other hosts follow
			now.memory, now.processes = now.memory+float64(b.Memory), now.processes+float64(b.Processes)
		}
	}
	now.took = time.Since(now.at)
	c.local = now
	return nil
}
