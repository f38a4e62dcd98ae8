package act

import (
	"fmt"
	"strings"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

func TestAFunctionIsSentOncePerDocument(t *testing.T) {
	k := &keptFunctions{}
	const function = "x => 1 + x"
	for _, step := range []struct {
		document cdproto.LoaderID
		element  bool
		sent     bool
	}{
		{"a", false, true},
		{"a", false, false},
		{"a", true, true},
		{"a", true, false},
		{"a", false, false},
		{"b", false, true},
		{"b", false, false},
		{"a", false, true},
		{"", false, true},
		{"", false, true},
	} {
		call, kept := k.callTo(page.Frame{ID: "frame", Document: step.document}, function, step.element, []string{"2"})
		if sent := strings.Contains(call, function) && strings.Contains(call, page.Prelude); sent != step.sent || kept == sent {
			t.Errorf("in document %q: sent %v, kept %v, want sent %v: %s", step.document, sent, kept, step.sent, call)
		}
	}
	k.forget("frame")
	if call, kept := k.callTo(page.Frame{ID: "frame", Document: "b"}, function, false, nil); kept {
		t.Errorf("what was forgotten is taken for kept: %s", call)
	}
}

func TestADocumentKeepsOnlySoManyFunctions(t *testing.T) {
	k := &keptFunctions{}
	for i := range 2 * maxKept {
		k.callTo(page.Frame{ID: "frame", Document: "a"}, fmt.Sprintf("() => %d", i), false, nil)
	}
	if n := len(k.in["frame"].functions); n != maxKept {
		t.Errorf("%d functions are kept", n)
	}
}

func TestFramesThatAreGoneAreForgotten(t *testing.T) {
	k := &keptFunctions{}
	for i := range 3 * maxKeeping {
		k.callTo(page.Frame{ID: cdproto.FrameID(fmt.Sprint(i)), Document: "a"}, "() => 1", false, nil)
	}
	if n := len(k.in); n > maxKeeping {
		t.Errorf("%d frames are remembered", n)
	}
}

func TestFocusedSessionsAreKnown(t *testing.T) {
	f := &focusedSessions{}
	if f.add("a"); !f.has("a") || f.has("b") {
		t.Errorf("known: %v", f.known)
	}
	for i := range 3 * maxKeeping {
		f.add(target.SessionID(fmt.Sprint(i)))
	}
	if n := len(f.known); n > maxKeeping {
		t.Errorf("%d sessions are remembered", n)
	}
}
