package script

import (
	"fmt"
	"strings"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

func TestAFunctionIsSentOncePerDocument(t *testing.T) {
	k := &Kept{}
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
		call, kept := k.Call(page.Frame{ID: "frame", Document: step.document}, function, step.element, []string{"2"})
		if sent := strings.Contains(call, function) && strings.Contains(call, page.Prelude); sent != step.sent || kept == sent {
			t.Errorf("in document %q: sent %v, kept %v, want sent %v: %s", step.document, sent, kept, step.sent, call)
		}
	}
	k.Forget("frame")
	if call, kept := k.Call(page.Frame{ID: "frame", Document: "b"}, function, false, nil); kept {
		t.Errorf("what was forgotten is taken for kept: %s", call)
	}
}

func TestADocumentKeepsOnlySoManyFunctions(t *testing.T) {
	k := &Kept{}
	for i := range 2 * maxKept {
		k.Call(page.Frame{ID: "frame", Document: "a"}, fmt.Sprintf("() => %d", i), false, nil)
	}
	if n := len(k.in["frame"].functions); n != maxKept {
		t.Errorf("%d functions are kept", n)
	}
}

func TestFramesThatAreGoneAreForgotten(t *testing.T) {
	k := &Kept{}
	for i := range 3 * maxKeeping {
		k.Call(page.Frame{ID: cdproto.FrameID(fmt.Sprint(i)), Document: "a"}, "() => 1", false, nil)
	}
	if n := len(k.in); n > maxKeeping {
		t.Errorf("%d frames are remembered", n)
	}
}
