package bench

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// BenchmarkEvaluate measures 1 + 1 in the same browser by a bare Runtime.evaluate, by that behind a fence, and by the
// host, which sends the fence, keeps the turn on the main thread and can be interrupted.
func BenchmarkEvaluate(b *testing.B) {
	ctx := context.Background()
	process, err := browser.Launch(ctx, browser.LaunchOptions{Transport: browser.TransportPort})
	must(b, err)
	b.Cleanup(func() { must(b, process.Close(ctx)) })
	conn, err := cdp.Dial(ctx, process.WebSocketURL(), cdp.Options{})
	must(b, err)
	b.Cleanup(func() { must(b, conn.Close()) })
	h, err := host.New(ctx, nil)
	must(b, err)
	b.Cleanup(func() { must(b, h.Close(ctx)) })
	task, err := h.Attach(ctx, "bench", process.WebSocketURL(), &host.TaskOptions{Scope: host.ScopeContext})
	must(b, err)
	flatten := true
	var attached target.AttachToTargetResult
	must(b, conn.Call(ctx, "", target.CommandAttachToTarget, &target.AttachToTargetParams{TargetID: target.ID(task.Snapshot().Page().ID), Flatten: &flatten}, &attached))
	session := string(attached.SessionID)
	bare := func(fenced bool) func(*testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				if fenced {
					must(b, conn.Call(ctx, session, runtime.CommandGetIsolateID, nil, nil))
				}
				var r runtime.EvaluateResult
				must(b, conn.Call(ctx, session, runtime.CommandEvaluate, &runtime.EvaluateParams{Expression: "1 + 1"}, &r))
			}
		}
	}
	byHost := func(expression string) func(*testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				_, err := task.Tab("").Evaluate(ctx, expression, nil)
				must(b, err)
			}
		}
	}
	b.Run("bare", bare(false))
	b.Run("bare with a fence", bare(true))
	b.Run("host", byHost("1 + 1"))
	b.Run("host, an object", byHost("({a: 1})"))
}
