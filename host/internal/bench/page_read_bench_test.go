package bench

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkReadPage reads pages of different sizes, including the browser's part.
func BenchmarkReadPage(b *testing.B) {
	ctx := context.Background()
	for _, elements := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprintf("%d elements", elements), func(b *testing.B) {
			task := taskWithFrames(b, 0)
			fill := `let text = ""; for (let i = 0; i < %d; i++) text += "<li><button>Order number " + i + "</button></li>"; document.body.innerHTML = "<ul>" + text + "</ul>"; 0`
			_, err := task.Tab("").Evaluate(ctx, fmt.Sprintf(fill, elements/2), nil)
			must(b, err)
			b.ReportAllocs()
			for b.Loop() {
				r, err := task.Tab("").Read(ctx, nil)
				must(b, err)
				if r.Refs != elements/2 {
					b.Fatalf("%d refs", r.Refs)
				}
			}
		})
	}
}
