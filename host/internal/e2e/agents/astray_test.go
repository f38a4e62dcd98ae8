package agents

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// The browser finds the frame under the pointer by what was drawn last, which Chromium does not always draw again when
// a frame of another process has been scrolled and scrolled back: events then went to the frame around it.
func TestThePointerDoesNotGoAstrayAfterScrolling(t *testing.T) {
	t.Parallel()
	s := newBench(t, common.Address(t), host.Options{}).at(t, places[3], "wall")
	for round := range 8 {
		for _, id := range []string{"file", "cover", "day", "cover"} {
			s.good("browser_click", s.inTab(arguments{"selector": "#" + id, "force": round%2 == 0}))
			if list := s.took("click", id); !list[0].Trusted || !list[0].Inside {
				t.Fatalf("round %d: %s got %s", round, id, shared.Dump(list))
			}
		}
	}
}
