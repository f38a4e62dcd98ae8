// Package span records what a call does as spans of OpenTelemetry, if the call's context has one that is recorded. It
// costs a look into the context where there is none.
package span

import (
	"context"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Scope names what records spans.
const Scope = "github.com/hermes-cdp/hermes-cdp"

// Span is a span, or none: the zero value.
type Span struct{ span trace.Span }

// Recording reports whether a context has a span that is recorded.
func Recording(ctx context.Context) bool { return trace.SpanFromContext(ctx).IsRecording() }

// Alone returns a context that has the span of another, and neither its end nor its values.
func Alone(ctx context.Context) context.Context {
	if s := trace.SpanFromContext(ctx); s.IsRecording() {
		return trace.ContextWithSpan(context.Background(), s)
	}
	return context.Background()
}

// Begin begins a child of the context's span.
func Begin(ctx context.Context, name string) (context.Context, Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, Span{}
	}
	ctx, s := parent.TracerProvider().Tracer(Scope).Start(ctx, name)
	return ctx, Span{s}
}

// On reports whether there is a span. Attributes are worth making only then.
func (s Span) On() bool { return s.span != nil }

// Set sets attributes.
func (s Span) Set(attributes ...attribute.KeyValue) {
	if s.span != nil {
		s.span.SetAttributes(attributes...)
	}
}

// Fail says that it failed, with the code of an error. Texts of errors may be a page's.
func (s Span) Fail(code string) {
	if s.span != nil {
		s.span.SetAttributes(attribute.String("error.type", code))
		s.span.SetStatus(codes.Error, code)
	}
}

// End ends the span.
func (s Span) End(err error) {
	if s.span == nil {
		return
	}
	if err != nil {
		s.Fail(string(fault.CodeOf(err)))
	}
	s.span.End()
}

// Tasks are the spans of the calls that work on tasks: what a browser sets off during a call, and is decided without
// its context, belongs to it. The zero value is ready.
type Tasks struct {
	n  atomic.Int64
	mu sync.Mutex
	by map[string][]trace.Span // the last is the call that began last
}

// Enter says that the call of a context works on a task, until leave is called.
func (t *Tasks) Enter(ctx context.Context, task string) (leave func()) {
	s := trace.SpanFromContext(ctx)
	if !s.IsRecording() {
		return func() {}
	}
	t.n.Add(1)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by = map[string][]trace.Span{}
	}
	t.by[task] = append(t.by[task], s)
	return func() {
		t.n.Add(-1)
		t.mu.Lock()
		defer t.mu.Unlock()
		list := t.by[task]
		for i, one := range list {
			if one == s {
				list = append(list[:i:i], list[i+1:]...)
				break
			}
		}
		if t.by[task] = list; len(list) == 0 {
			delete(t.by, task)
		}
	}
}

// Begin begins a child of the context's span, or else of the call that began last on the task.
func (t *Tasks) Begin(ctx context.Context, task, name string) (context.Context, Span) {
	if t.n.Load() == 0 || Recording(ctx) {
		return Begin(ctx, name)
	}
	t.mu.Lock()
	list := t.by[task]
	t.mu.Unlock()
	if len(list) == 0 {
		return ctx, Span{}
	}
	return Begin(trace.ContextWithSpan(ctx, list[len(list)-1]), name)
}
