package metrics

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// Path is where Prometheus looks for metrics.
const Path = "/metrics"

// Source gives what is counted. [control.Local] is one.
type Source interface {
	Status(context.Context) (control.Status, error)
	PluginHistory(ctx context.Context, name string) ([]host.PluginGeneration, error)
}

// Registry has the metrics of a daemon, of this process and of its Go runtime.
func Registry(from Source) *prometheus.Registry {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(
		&collector{from: from, measure: host.LocalBrowsers, seen: map[string]map[string]bool{}},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return registry
}

// Handler serves metrics.
func Handler(from prometheus.Gatherer, log *slog.Logger) http.Handler {
	return promhttp.HandlerFor(from, promhttp.HandlerOpts{ErrorLog: errorLog{log}, MaxRequestsInFlight: 4})
}

// Route is a [Handler] in the table of routes, for the operator.
func Route(handler http.Handler) access.Route {
	return access.Route{Pattern: "GET " + Path, Role: access.Operator, Does: "show counters to Prometheus", Handler: handler}
}

// Alone serves the metrics and nothing else, to everybody who reaches it. Names can be made to lead to any address, so
// a request must name an address, localhost, or the given name; empty: there is none.
func Alone(handler http.Handler, name string, log *slog.Logger) http.Handler {
	fail := func(w http.ResponseWriter, err error) {
		e := control.ErrorOf(err)
		control.WriteJSON(w, e.Code.HTTPStatus(), control.ErrorBody{Error: e}, log)
	}
	mux := http.NewServeMux()
	mux.Handle("GET "+Path, handler)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, fmt.Errorf("%w: only GET %s is served here", fault.ErrUnknownPath, Path))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !access.IsOwnHost(r.Host, name) {
			fail(w, fmt.Errorf("%w: the Host header names another host than control.metrics_address", fault.ErrForbidden))
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// errorLog takes the errors of a scrape.
type errorLog struct{ log *slog.Logger }

func (e errorLog) Println(v ...any) {
	e.log.Error("metrics cannot be collected", "error", fmt.Sprint(v...))
}
