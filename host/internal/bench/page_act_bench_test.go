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
	_, err := task.Evaluate(ctx, `document.body.innerHTML = "<div style='height: 3000px'><button id=b>press me</button><input id=f></div>"; 0`, host.EvaluateOptions{})
	must(b, err)
	for _, bm := range []struct {
		name string
		act  func() error
	}{
		{"click", func() error {
			_, err := task.Click(ctx, host.Locator{Selector: "#b"}, host.ClickOptions{})
			return err
		}},
		{"press", func() error {
			_, err := task.Press(ctx, "Shift", host.PressOptions{})
			return err
		}},
		{"type", func() error {
			_, err := task.Type(ctx, host.Locator{Selector: "#f"}, "text", host.TypeOptions{Clear: true})
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
