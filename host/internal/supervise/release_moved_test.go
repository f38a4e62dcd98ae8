package supervise_test

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// While a tab is healed its Page domain is disabled, and nobody announces that a frame moves to a process of its own.
// The page's next tree lacks that frame, as it would one that was removed.
func TestAFrameThatMovesOutWhileItsTabIsHealedStays(t *testing.T) {
	s := withOOPIF(t).on(supervise.FrameAttached{Session: "page", Frame: "other", Parent: "tab"}, opens("frame", abi.DialogTypeConfirm))
	s.on(supervise.FrameDetached{Session: "page", Frame: "frame"}, supervise.Detached{Session: "x"}).quiet()
	s.on(oopif("other", "tab", "y", "page")).ok(release)
	s.reply("y Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("other", "tab", "https://other/")}})
	s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("tab", "", "https://top/")}})
	s.wantTree("tab", "  other (y)")
	s.reply("y Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("other", "tab", "https://other/")}})
	s.on(supervise.Detached{Session: "y"})
	s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("tab", "", "https://top/")}})
	s.wantTree("tab")
}
