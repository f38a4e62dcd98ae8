package span

import (
	"context"
	"errors"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func provider(t *testing.T) (*tracetest.SpanRecorder, func(name string) (context.Context, func())) {
	t.Helper()
	recorder := tracetest.NewSpanRecorder()
	p := sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder))
	t.Cleanup(func() { _ = p.Shutdown(context.Background()) })
	return recorder, func(name string) (context.Context, func()) {
		ctx, s := p.Tracer("test").Start(context.Background(), name)
		return ctx, func() { s.End() }
	}
}

func TestAChildIsOfTheContextOrOfTheTask(t *testing.T) {
	recorder, call := provider(t)
	first, end := call("first")
	second, end2 := call("second")
	var tasks Tasks
	leave := tasks.Enter(first, "shop")
	leave2 := tasks.Enter(second, "shop")
	begin := func(ctx context.Context, task, name string) {
		_, s := tasks.Begin(ctx, task, name)
		s.Set(attribute.Int("n", 1))
		s.End(nil)
	}
	begin(first, "shop", "own")
	begin(context.Background(), "shop", "of the last")
	begin(context.Background(), "other", "nobody's")
	leave2()
	begin(context.Background(), "shop", "of the first")
	leave()
	begin(context.Background(), "shop", "late")
	_, s := Begin(first, "failed")
	s.End(errors.Join(fault.ErrTimeout, errors.New("text of a page")))
	end()
	end2()
	parents := map[string]string{}
	names := map[string]string{}
	for _, s := range recorder.Ended() {
		names[s.SpanContext().SpanID().String()] = s.Name()
	}
	for _, s := range recorder.Ended() {
		parents[s.Name()] = names[s.Parent().SpanID().String()]
		if s.Name() == "failed" && s.Status().Description != "timeout" {
			t.Errorf("the failed one has the status %+v", s.Status())
		}
	}
	want := map[string]string{"first": "", "second": "", "own": "first", "of the last": "second", "of the first": "first", "failed": "first"}
	if len(parents) != len(want) {
		t.Errorf("the spans are %v", parents)
	}
	for name, parent := range want {
		if got, ok := parents[name]; !ok || got != parent {
			t.Errorf("%s is a child of %q, want %q", name, got, parent)
		}
	}
}

func TestNothingIsAllocatedWithoutASpan(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var tasks Tasks
	if n := testing.AllocsPerRun(100, func() {
		tasks.Enter(ctx, "shop")()
		_, s := tasks.Begin(ctx, "shop", "hook")
		s.End(nil)
		_, s = Begin(ctx, "command")
		s.End(fault.ErrTimeout)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkOff is what a command of a call costs that is not recorded.
func BenchmarkOff(b *testing.B) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	b.ReportAllocs()
	for b.Loop() {
		_, s := Begin(ctx, "command")
		s.End(nil)
	}
}
