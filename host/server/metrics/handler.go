package metrics

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// Path is where Prometheus looks for metrics.
const Path = "/metrics"

// Source gives what is counted. [control.Local] is one.
type Source interface {
	Status(context.Context) (control.Status, error)
}

// Handler serves the metrics of a daemon, of this process and of its Go runtime.
func Handler(from Source, log *slog.Logger) http.Handler {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(
		&collector{from: from, seen: map[string]map[string]bool{}},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorLog: errorLog{log}, MaxRequestsInFlight: 4})
}

// Route is the handler in the table of routes, for the operator.
func Route(from Source, log *slog.Logger) access.Route {
	return access.Route{Pattern: "GET " + Path, Role: access.Operator, Does: "show counters to Prometheus", Handler: Handler(from, log)}
}

// errorLog takes the errors of a scrape.
type errorLog struct{ log *slog.Logger }

func (e errorLog) Println(v ...any) {
	e.log.Error("metrics cannot be collected", "error", fmt.Sprint(v...))
}
