package metrics

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// However often and by how many metrics are asked for, a hundredth of a processor is spent on measuring browsers.
func TestBrowsersAreMeasuredAsOftenAsItCosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		status := &source{}
		looks := 0
		var failure error
		c := &collector{from: status, seen: map[string]map[string]bool{}, measure: func(known []host.BrowserInfo) ([]host.BrowserInfo, error) {
			looks++
			<-time.After(100 * time.Millisecond)
			list := append([]host.BrowserInfo{}, known...)
			for i := range list {
				list[i].Memory, list[i].Processes = int64(1000*looks), 3
			}
			return append(list, host.BrowserInfo{PID: 99, Memory: 1 << 40, Processes: 50}), failure // of another host
		}}
		registry := prometheus.NewPedanticRegistry()
		registry.MustRegister(c)
		handler := Handler(registry, slog.New(slog.DiscardHandler))
		at := func(wait time.Duration, code int, want string, pids ...int) {
			t.Helper()
			<-time.After(wait)
			status.status.Browsers = nil
			for _, pid := range pids {
				status.status.Browsers = append(status.status.Browsers, host.BrowserInfo{PID: pid})
			}
			if got, text := scrape(t, handler); got != code || !strings.Contains(text, want) {
				t.Errorf("%d, want %d with %q in:\n%s", got, code, want, text)
			}
		}
		at(0, 200, "hermes_cdp_browser_memory_bytes 0\n")
		at(0, 200, "hermes_cdp_browser_memory_bytes 1000\n", 1)
		at(time.Second, 200, "hermes_cdp_browser_memory_bytes 1000\n", 1)
		at(10*time.Second, 200, "hermes_cdp_browser_memory_bytes 2000\n", 1)
		at(0, 200, "hermes_cdp_browser_memory_bytes 6000\n", 2, 1) // another browser
		at(0, 200, "hermes_cdp_browser_processes 6\n", 1, 2)
		failure = errors.New("no processes")
		at(10*time.Second, 500, "no processes", 1, 2)
		failure = nil
		at(0, 200, "hermes_cdp_browser_memory_bytes 10000\n", 1, 2)
		at(0, 200, "hermes_cdp_browser_memory_bytes 0\n")
		if looks != 5 {
			t.Errorf("looked %d times", looks)
		}
	})
}
