package act

import (
	"fmt"
	"strings"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

func TestALongFunctionIsSentOncePerDocument(t *testing.T) {
	k := &keptFunctions{}
	long := "() => " + strings.Repeat("1 + ", worthKeeping) + "1"
	for _, step := range []struct {
		document cdproto.LoaderID
		function string
		sent     bool
	}{
		{"a", long, true},
		{"a", long, false},
		{"a", "() => 1", true},
		{"a", "() => 1", true},
		{"b", long, true},
		{"b", long, false},
		{"a", long, true},
		{"", long, true},
		{"", long, true},
	} {
		callee, kept := k.callee(page.Frame{ID: "frame", Document: step.document}, step.function)
		if sent := strings.Contains(callee, step.function); sent != step.sent || kept == sent {
			t.Errorf("in document %q: sent %v, kept %v, want sent %v: %.60s", step.document, sent, kept, step.sent, callee)
		}
	}
	k.forget("frame")
	if callee, kept := k.callee(page.Frame{ID: "frame", Document: "b"}, long); kept {
		t.Errorf("what was forgotten is taken for kept: %.60s", callee)
	}
}

func TestADocumentKeepsOnlySoManyFunctions(t *testing.T) {
	k := &keptFunctions{}
	for i := range 2 * maxKept {
		k.callee(page.Frame{ID: "frame", Document: "a"}, fmt.Sprintf("() => %d%s", i, strings.Repeat(" + 1", worthKeeping)))
	}
	if n := len(k.in["frame"].functions); n != maxKept {
		t.Errorf("%d functions are kept", n)
	}
}

func TestFramesThatAreGoneAreForgotten(t *testing.T) {
	k := &keptFunctions{}
	long := "() => " + strings.Repeat("1 + ", worthKeeping) + "1"
	for i := range 3 * maxKeeping {
		k.callee(page.Frame{ID: cdproto.FrameID(fmt.Sprint(i)), Document: "a"}, long)
	}
	if n := len(k.in); n > maxKeeping {
		t.Errorf("%d frames are remembered", n)
	}
}
