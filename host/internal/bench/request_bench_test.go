package bench

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// requests is how many requests one iteration makes.
const requests = 200

// fetches makes requests one after the other, or all at once, and says how many milliseconds they took.
var fetches = map[string]string{
	"in turn": `(async () => { const begin = performance.now(); for (let i = 0; i < %d; i++) await fetch("/?" + i); return performance.now() - begin })()`,
	"at once": `(async () => { const begin = performance.now(); await Promise.all([...Array(%d).keys()].map(i => fetch("/?" + i))); return performance.now() - begin })()`,
}

// BenchmarkRequests measures what a request costs its page: without a module that serves the request hook, with one
// that allows everything, and with ad-requests. They take turns, on one browser and one server.
func BenchmarkRequests(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Cache-Control", "no-store")
	}))
	b.Cleanup(server.Close)
	browser := hosttest.Browser(b, hosttest.WithPort())
	list, err := os.ReadFile("../../../plugins/examples/dist/ad-requests.wasm")
	must(b, err)
	modules := map[string][]byte{"none": nil, "trivial": contrary.Request(), "ad-requests": list}
	tasks := map[string]*host.Task{}
	for name, wasm := range modules {
		tasks[name] = requestTask(b, browser.WebSocketURL(), server.URL, name, wasm, host.RequestNetwork{})
	}
	tasks["guard"] = requestTask(b, browser.WebSocketURL(), server.URL, "guard", nil, host.RequestNetwork{Allow: []string{"loopback"}})
	for how, script := range fetches {
		b.Run(how, func(b *testing.B) {
			total := map[string]float64{}
			for b.Loop() {
				for name, task := range tasks {
					value, err := task.Tab("").Evaluate(context.Background(), fmt.Sprintf(script, requests), &host.EvaluateOptions{AwaitPromise: true})
					must(b, err)
					total[name] += milliseconds(b, value.Value)
				}
			}
			for name, ms := range total {
				b.ReportMetric(ms*1e3/float64(b.N*requests), name+"-µs/request")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// requestTask is a task on a page of the server, in a host with this module only, and with this network guard.
func requestTask(b *testing.B, address, page, name string, wasm []byte, network host.RequestNetwork) *host.Task {
	b.Helper()
	ctx := context.Background()
	options := &host.Options{}
	if wasm != nil {
		path := filepath.Join(b.TempDir(), "module.wasm")
		must(b, os.WriteFile(path, wasm, 0o600))
		options.Plugins = map[string]host.PluginOptions{"sieve": {PluginSource: host.PluginSource{Path: path}, Hooks: []abi.Hook{abi.HookRequest}}}
	}
	h, err := host.New(ctx, options)
	must(b, err)
	b.Cleanup(func() { must(b, h.Close(ctx)) })
	task, err := h.Attach(ctx, name, address, &host.TaskOptions{Scope: host.ScopeContext, Network: network})
	must(b, err)
	_, err = task.Tab("").Navigate(ctx, page, nil)
	must(b, err)
	return task
}
