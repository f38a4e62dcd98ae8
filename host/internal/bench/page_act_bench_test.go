package bench

import (
	"context"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// BenchmarkAct acts on elements of a page, including all checks of the element and the input.
func BenchmarkAct(b *testing.B) {
	ctx := context.Background()
	task := taskWithFrames(b, 0)
	_, err := task.Tab("").Evaluate(ctx, `document.body.innerHTML = "<div style='height: 3000px'><button id=b>press me</button><input id=f></div>"; 0`, nil)
	must(b, err)
	_, err = task.Tab("").Read(ctx, nil)
	must(b, err)
	for _, bm := range []struct {
		name string
		act  func() error
	}{
		{"click", func() error {
			_, err := task.Tab("").Click(ctx, host.BySelector("#b"), nil)
			return err
		}},
		{"click by ref", func() error {
			_, err := task.Tab("").Click(ctx, host.ByRef("@e1"), nil)
			return err
		}},
		{"press", func() error {
			_, err := task.Tab("").Press(ctx, "Shift", nil)
			return err
		}},
		{"type", func() error {
			_, err := task.Tab("").Type(ctx, host.BySelector("#f"), "text", &host.TypeOptions{Clear: true})
			return err
		}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			for b.Loop() {
				must(b, bm.act())
			}
		})
	}
}

// BenchmarkFirstClick clicks on pages that have received no input yet, after a reading.
func BenchmarkFirstClick(b *testing.B) {
	ctx := context.Background()
	task := taskWithFrames(b, 0)
	page := task.Snapshot().Page().URL
	for b.Loop() {
		b.StopTimer()
		_, err := task.Tab("").Navigate(ctx, page, nil)
		must(b, err)
		_, err = task.Tab("").Evaluate(ctx, `document.body.innerHTML = "<button id=b>press me</button>"; 0`, nil)
		must(b, err)
		_, err = task.Tab("").Read(ctx, nil)
		must(b, err)
		b.StartTimer()
		_, err = task.Tab("").Click(ctx, host.BySelector("#b"), nil)
		must(b, err)
	}
}
