// Package spans exports the calls of agents as spans of OpenTelemetry, with their hook calls and their commands to the
// browser as children.
package spans

import (
	"context"
	"fmt"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// scope names what records spans.
const scope = "github.com/hermes-cdp/hermes-cdp"

// Options says where spans go.
type Options struct {
	// Endpoint is the http:// or https:// address of a receiver of OTLP; without a path, /v1/traces. Headers, time-outs
	// and certificates come from the variables that OpenTelemetry has for them, such as OTEL_EXPORTER_OTLP_HEADERS.
	Endpoint string
	// Sample is the share of calls that are recorded, unless the caller's own trace decides: from 0 to 1.
	Sample float64
	// Version is that of the daemon.
	Version string
}

// Exporter sends spans to a receiver.
type Exporter struct{ provider *sdk.TracerProvider }

// Start starts an exporter. The receiver need not be there.
func Start(ctx context.Context, o Options) (*Exporter, error) {
	client, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(o.Endpoint))
	if err != nil {
		return nil, fmt.Errorf("otel.endpoint: %w", err)
	}
	about := resource.NewSchemaless(attribute.String("service.name", "hermes-cdp"), attribute.String("service.version", o.Version))
	if own, err := resource.New(ctx, resource.WithFromEnv()); err == nil { // OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES
		if merged, err := resource.Merge(about, own); err == nil {
			about = merged
		}
	}
	return &Exporter{sdk.NewTracerProvider(
		sdk.WithBatcher(client), sdk.WithResource(about), sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(o.Sample))),
	)}, nil
}

// End sends what is left, until ctx ends.
func (e *Exporter) End(ctx context.Context) error {
	if e == nil {
		return nil
	}
	return e.provider.Shutdown(ctx)
}

// Tools returns tools whose calls are spans; without an exporter they are the same.
func (e *Exporter) Tools(tools agent.Tools) agent.Tools {
	if e == nil {
		return tools
	}
	return recorded{tools, e.provider.Tracer(scope)}
}

type offered = agent.Tools // embedded under another name than its method's

type recorded struct {
	offered
	tracer trace.Tracer
}

func (r recorded) Call(ctx context.Context, c agent.Call) (agent.Result, error) {
	ctx, span := r.tracer.Start(ctx, c.Name, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("gen_ai.tool.name", c.Name), attribute.String("hermes_cdp.task", c.Task), attribute.String("hermes_cdp.client", c.Client),
	))
	defer span.End()
	result, err := r.offered.Call(ctx, c)
	code := ""
	switch {
	case err != nil:
		code = "unknown_tool"
	case result.IsError:
		if code, _ = result.Structured["code"].(string); code == "" {
			code = "tool_failed"
		}
	}
	if code != "" { // and not the text, which may be a page's
		span.SetAttributes(attribute.String("error.type", code))
		span.SetStatus(codes.Error, code)
	}
	return result, err
}

// The names under which a caller gives its trace, in headers and in _meta.
//
// https://www.w3.org/TR/trace-context/
const (
	parent = "traceparent"
	state  = "tracestate"
)

// From adds to a context the trace that a caller gives: in the _meta of a request of MCP, or else in the headers of
// HTTP. Either may be nil.
func From(ctx context.Context, meta map[string]any, header http.Header) context.Context {
	of, ok := meta[parent].(string)
	vendors, _ := meta[state].(string)
	if !ok {
		of, vendors = header.Get(parent), header.Get(state)
	}
	if of == "" {
		return ctx
	}
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{parent: of, state: vendors})
}
