package e2e

import (
	"fmt"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// A renderer announces its new document before the browser process has taken note of it. A navigation that begins in
// between must not be lost.
func TestANavigationThatBeginsAsAnotherCommits(t *testing.T) {
	w := newWorld(t, map[string]string{"/guarded": guarded}, host.TaskOptions{})
	for i := range 30 {
		w.openGuarded()
		from, to := w.url("localhost", fmt.Sprintf("/empty?from=%d", i)), w.url("localhost", fmt.Sprintf("/empty?to=%d", i))
		w.blocks("navigate", commit(w.ctx, w.Tab(""), from))
		w.answer(host.DialogResponse{Accept: true})
		w.await(from, func(s *host.Snapshot) bool { return s.Page().RawFrameTree.Top.URL == from })
		if err := commit(w.ctx, w.Tab(""), to); err != nil {
			t.Fatalf("navigation %d: %v", i, err)
		}
	}
}
