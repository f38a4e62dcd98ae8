package bench

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// BenchmarkSnapshot reads the snapshot of a task whose page has 200 frames, alone and from all processors at once.
func BenchmarkSnapshot(b *testing.B) {
	task := taskWithFrames(b, 200)
	b.Run("one reader", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if task.Snapshot().Page() == nil {
				b.Fatal("no page")
			}
		}
	})
	b.Run("all processors", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if task.Snapshot().Page() == nil {
					b.Error("no page")
				}
			}
		})
	})
}

// BenchmarkFrameStorm measures a page that adds and removes 200 frames until the filtered tree is settled again, with
// everything between: the browser, the events, the state machine, the frame filter.
func BenchmarkFrameStorm(b *testing.B) {
	ctx := context.Background()
	task := taskWithFrames(b, 0)
	for b.Loop() {
		for _, script := range []string{addFrames(200), `document.body.replaceChildren(); 0`} {
			_, err := task.Tab("").Evaluate(ctx, script, nil)
			must(b, err)
		}
		task.SettledSnapshot(ctx)
	}
}

func addFrames(n int) string {
	return fmt.Sprintf(`for (let i = 0; i < %d; i++) document.body.append(document.createElement("iframe")); 0`, n)
}

func taskWithFrames(b *testing.B, frames int) *host.Task {
	b.Helper()
	ctx := context.Background()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, "<!doctype html><title>frames</title><body></body>")
	}))
	b.Cleanup(server.Close)
	h, err := host.New(ctx, nil)
	must(b, err)
	b.Cleanup(func() { must(b, h.Close(ctx)) })
	task, err := h.Launch(ctx, "bench", nil, nil)
	must(b, err)
	_, err = task.Tab("").Navigate(ctx, server.URL, nil)
	must(b, err)
	_, err = task.Tab("").Evaluate(ctx, addFrames(frames), nil)
	must(b, err)
	task.Wait(ctx, func(s *host.Snapshot) bool { p := s.Page(); return p != nil && len(p.RawFrameTree.Children) == frames })
	return task
}
