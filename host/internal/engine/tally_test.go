package engine

import (
	"context"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func TestEvaluationsAreCounted(t *testing.T) {
	var e evaluations
	e.ended(3*time.Second, nil)
	e.ended(time.Second, fmt.Errorf("Runtime.evaluate: %w", fault.Stopped(context.DeadlineExceeded, context.DeadlineExceeded)))
	e.ended(time.Second, &fault.RendererBusyError{Cause: context.DeadlineExceeded})
	e.ended(time.Second, &fault.EvaluateError{})
	e.ended(time.Second, &fault.EvaluateError{})
	e.terminated()
	e.fallback(fallbackDocument)
	c := e.copied()
	if c.Calls != 5 || c.Timeouts != 1 || c.Terminations != 1 || c.TotalNS != int64(7*time.Second) || c.MaxNS != int64(3*time.Second) ||
		!maps.Equal(c.Errors, map[string]uint64{"timeout": 1, "renderer_busy": 1, "js_exception": 2}) ||
		!maps.Equal(c.Fallbacks, map[string]uint64{fallbackDocument: 1}) {
		t.Errorf("the counters are %+v", c)
	}
	e.ended(0, &fault.EvaluateError{})
	if c.Errors["js_exception"] != 2 {
		t.Error("the copy changes with the counters")
	}
}
