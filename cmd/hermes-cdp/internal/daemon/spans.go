package daemon

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel"

	"github.com/hermes-cdp/hermes-cdp/host/server/spans"
)

// startSpans starts the export of spans; nil: there are none.
func startSpans(ctx context.Context, o Options) (*spans.Exporter, error) {
	c := o.Config.Otel
	if c.Endpoint == "" {
		return nil, nil
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { o.Logger.Warn("spans are lost", "error", err) }))
	return spans.Start(context.WithoutCancel(ctx), spans.Options{Endpoint: c.Endpoint, Sample: c.Sample, Version: o.Version})
}

// endSpans sends what is left.
func endSpans(e *spans.Exporter, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), spansTimeout)
	defer cancel()
	if err := e.End(ctx); err != nil {
		log.Warn("spans are lost", "error", err)
	}
}
