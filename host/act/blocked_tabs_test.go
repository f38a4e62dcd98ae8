package act

import (
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
)

// A page's request explains lost input while its document is there, and until a later document receives input.
func TestWhatAnEarlierDocumentAskedForExplainsNothing(t *testing.T) {
	tabs := newBlockedTabs()
	asked := func() string {
		lost := &input.NotDeliveredError{}
		tabs.noteLost("tab", lost)
		return lost.Asked
	}
	tabs.noteRequest("tab", "one", "tel")
	tabs.noteDelivered("tab", "one")
	if got := asked(); got != "tel" {
		t.Errorf("in the same document: %q", got)
	}
	if got := asked(); got != "tel" || !tabs.isBlocked("tab") {
		t.Errorf("in a later one, which the same dialog may cover: %q", got)
	}
	tabs.noteDelivered("tab", "two")
	if got := asked(); got != "" {
		t.Errorf("after a later document got input: %q", got)
	}
	tabs.noteDelivered("tab", "two")
	tabs.noteLost("tab", errors.New("of another kind"))
	if tabs.isBlocked("tab") {
		t.Error("any error blocks a tab")
	}
}
