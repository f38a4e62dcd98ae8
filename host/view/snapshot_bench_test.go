package view

import (
	"fmt"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// viewWithFrames returns a view of a task with one tab that has the given number of frames.
func viewWithFrames(frames int) supervise.View {
	tree := []supervise.Frame{{ID: "top", URL: "https://a.test/", Origin: "https://a.test", Kind: abi.FrameKindTop, Session: "s1"}}
	for i := range frames {
		tree = append(tree, supervise.Frame{ID: cdproto.FrameID(fmt.Sprint("f", i)), Parent: "top", URL: "https://a.test/f", Origin: "https://a.test", Kind: abi.FrameKindLocal, Session: "s1"})
	}
	return supervise.View{Task: "t", InUse: "top", Targets: []supervise.Target{{
		ID: "top", Type: "page", Session: "s1", Ready: true, Revision: 1, Frames: tree, Filtered: tree[:len(tree)/2], FilteredRevision: 1,
	}}}
}

// BenchmarkPublish measures what a console line costs a task whose frames do not change.
func BenchmarkPublish(b *testing.B) {
	for _, frames := range []int{1, 200, 2000} {
		b.Run(fmt.Sprintf("%d frames", frames), func(b *testing.B) {
			view := viewWithFrames(frames)
			last := NewSnapshot(view, nil)
			b.ReportAllocs()
			for b.Loop() {
				view.Revision++
				last = NewSnapshot(view, last)
			}
			if last.Page() == nil {
				b.Fatal("no page")
			}
		})
	}
}
