package bench

import (
	"context"
	"strconv"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// BenchmarkStart measures the start of 20 tasks, each with its first tab, in contexts of one browser and in browsers of
// their own. Their ends are not measured.
func BenchmarkStart(b *testing.B) {
	for _, isolation := range []host.Isolation{host.IsolationContext, host.IsolationBrowser} {
		b.Run(string(isolation), func(b *testing.B) {
			ctx := context.Background()
			for b.Loop() {
				h, err := host.New(ctx, nil)
				must(b, err)
				for i := range 20 {
					_, err := h.Launch(ctx, strconv.Itoa(i), &host.LaunchOptions{Isolation: isolation}, nil)
					must(b, err)
				}
				b.StopTimer()
				must(b, h.Close(ctx))
				b.StartTimer()
			}
		})
	}
}
