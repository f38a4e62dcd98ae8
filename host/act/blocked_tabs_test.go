package act

import (
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
)

// A page's request explains lost input while its document is there, and until a later document receives input.
func TestWhatAnEarlierDocumentAskedForExplainsNothing(t *testing.T) {
	tabs := newBlockedTabs()
	asked := func() string {
		lost := &input.NotDeliveredError{}
		tabs.noteLost("tab", false, 0, nil, lost)
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
	tabs.noteLost("tab", false, 0, nil, errors.New("of another kind"))
	if tabs.isBlocked("tab") {
		t.Error("any error blocks a tab")
	}
}

// In a browser that nobody sees a dialog for a login is closed by stopping what the page loads. If that did not help,
// the error says that it was done, and names no login.
func TestTheErrorOfLostInputSaysWhatWasTried(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		err := &input.NotDeliveredError{Element: "button"}
		newBlockedTabs().noteLost("tab", stopped, 0, nil, err)
		if text := err.Error(); strings.Contains(text, "would have closed") != stopped || strings.Contains(text, "such as for a login") == stopped {
			t.Errorf("stopped %t: %s", stopped, text)
		}
	}
}

// The windows that a page opens all the time take the input that is for it. No dialog is there to be closed.
func TestTheErrorOfLostInputNamesTheWindowsInFront(t *testing.T) {
	tabs, err := newBlockedTabs(), &input.NotDeliveredError{Element: "button"}
	tabs.noteLost("tab", true, 3, nil, err)
	if text := err.Error(); !strings.Contains(text, "3 windows") || strings.Contains(text, "dialog") || tabs.isBlocked("tab") {
		t.Errorf("blocked %t: %s", tabs.isBlocked("tab"), text)
	}
}
