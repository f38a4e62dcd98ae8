package act

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/target"
)

func TestFocusedSessionsAreKnown(t *testing.T) {
	f := &focusedSessions{}
	if f.add("a"); !f.has("a") || f.has("b") {
		t.Errorf("known: %v", f.known)
	}
	for i := range 3 * maxFocused {
		f.add(target.SessionID(fmt.Sprint(i)))
	}
	if n := len(f.known); n > maxFocused {
		t.Errorf("%d sessions are remembered", n)
	}
}
