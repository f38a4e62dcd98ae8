package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// verdict waits for the filtered tree of a raw tree with n frames below the top.
func (w *world) verdict(n int) *host.FrameTree {
	w.t.Helper()
	return w.await(fmt.Sprintf("a verdict on %d frames", n), func(s *host.Snapshot) bool {
		tree, raw := s.Page().FrameTree, s.Page().RawFrameTree
		return tree != nil && len(raw.Children) == n && tree.Revision == raw.Revision
	}).Page().FrameTree
}

func TestTheFrameFilterKeepsThirtyChildren(t *testing.T) {
	var frames strings.Builder
	for i := range 40 {
		fmt.Fprintf(&frames, `<iframe name="f%d"></iframe>`, i)
	}
	w := newPoliticalWorld(t, host.Options{}, map[string]string{"/page": frames.String(), "/few": `<iframe></iframe>`}, host.TaskOptions{})
	w.open("/page")
	tree := w.verdict(40)
	want(t, "children", len(tree.Children), 30)
	want(t, "truncated", tree.Truncated, true)
	want(t, "module", tree.DecidedBy.Module, "frame-filter")
	want(t, "hash", tree.DecidedBy.SHA256, w.pluginInfo("frame-filter").SHA256)
	for i, f := range tree.Children {
		want(t, "name", f.Name, fmt.Sprintf("f%d", i))
	}
	w.start("frames[39].alert('from the last')")
	d := w.dialog()
	s := w.await("the verdict with the dialog", func(s *host.Snapshot) bool {
		tree, raw := s.Page().FrameTree, s.Page().RawFrameTree
		return tree.Revision == raw.Revision && len(framesWithDialog(raw)) == 1
	})
	if kept := framesWithDialog(s.Page().FrameTree); len(kept) != 1 || kept[0] != d.FrameID {
		t.Errorf("the frame with the dialog was not kept: %s", shared.Dump(s.Page().FrameTree))
	}
	w.answer(host.DialogResponse{Accept: true})
	w.open("/few")
	if tree := w.verdict(1); tree.Truncated || len(tree.Children) != 1 {
		t.Errorf("a small tree was cut: %s", shared.Dump(tree))
	}
}

func TestTheFrameFilterKeepsTwoLevelsOfOOPIFs(t *testing.T) {
	pages := map[string]string{
		"/page": `<iframe src="{{127.0.0.1}}/two"></iframe>`, "/two": `<iframe src="{{127.0.0.2}}/three"></iframe>`,
		"/three": `<iframe src="{{x.localhost}}/asks"></iframe>`, "/asks": `<script>onmessage = () => report('said', confirm('deep'))</script>`,
	}
	for _, tc := range []struct {
		name   string
		module map[string]any
		task   map[string]any
		kept   int
	}{
		{"by default", nil, nil, 2},
		{"the module's configuration", map[string]any{"max_oopif_depth": 1}, nil, 1},
		{"the task's configuration", map[string]any{"max_oopif_depth": 1}, map[string]any{"max_oopif_depth": 3}, 3},
		{"a rule", nil, map[string]any{"rules": []any{map[string]any{"origin": "http://127.0.0.1:*", "action": "drop"}}}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newPoliticalWorld(t, host.Options{Plugins: map[string]host.PluginOptions{"frame-filter": {Config: tc.module}}}, pages,
				host.TaskOptions{PluginConfig: map[string]map[string]any{"frame-filter": tc.task}})
			w.open("/page")
			w.await("the deepest page", func(s *host.Snapshot) bool {
				c := s.Page().RawFrameTree.Children
				return len(c) == 3 && c[2].URL == w.url("x.localhost", "/asks")
			})
			tree := w.verdict(3)
			want(t, "kept", len(tree.Children), tc.kept)
			w.start("frames[0][0][0].postMessage(1, '*')")
			d := w.dialog()
			s := w.await("the verdict with the dialog", func(s *host.Snapshot) bool {
				tree, raw := s.Page().FrameTree, s.Page().RawFrameTree
				return tree.Revision == raw.Revision && len(framesWithDialog(raw)) == 1
			})
			// Whatever the caps are, the frame with the dialog stays, and the path to it.
			if tree := s.Page().FrameTree; len(tree.Children) != 3 || tree.Children[2].FrameID != d.FrameID {
				t.Errorf("the path to the dialog was not kept: %s", shared.Dump(tree))
			}
			w.answer(host.DialogResponse{Accept: true})
			want(t, "the page", w.reported("said"), "true")
		})
	}
}
