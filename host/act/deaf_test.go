package act

import (
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// What a page asked for explains input that is lost as long as its document is there, and until a later one gets input.
func TestWhatAnEarlierDocumentAskedForExplainsNothing(t *testing.T) {
	var tabs deafTabs
	asked := func() string {
		lost := &page.NotDeliveredError{}
		tabs.note("tab", lost)
		return lost.Asked
	}
	tabs.ask("tab", "one", "tel")
	tabs.hears("tab", "one")
	if got := asked(); got != "tel" {
		t.Errorf("in the same document: %q", got)
	}
	if got := asked(); got != "tel" || !tabs.has("tab") {
		t.Errorf("in a later one, which may be under the same dialog: %q", got)
	}
	tabs.hears("tab", "two")
	if got := asked(); got != "" {
		t.Errorf("after a later document got input: %q", got)
	}
	tabs.hears("tab", "two")
	tabs.note("tab", errors.New("of another kind"))
	if tabs.has("tab") {
		t.Error("any error makes a tab deaf")
	}
}
