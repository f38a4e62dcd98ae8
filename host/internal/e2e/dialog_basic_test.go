package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestAnAlertIsSeenAnsweredAndCleared(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	w.start("alert('hello'); report('after', 'went on')")
	d := w.dialog()
	want(t, "type", d.Type, "alert")
	want(t, "message", d.Message, "hello")
	want(t, "url", d.URL, w.url("localhost", "/empty"))
	want(t, "frame kind", d.FrameKind, "top")
	want(t, "frame", d.FrameID, w.Snapshot().Page().RawFrameTree.Top.FrameID)
	want(t, "target", d.TargetID, w.Snapshot().Page().ID)
	want(t, "origin", d.Origin, w.url("localhost", ""))
	if w.hasReported("after") {
		t.Error("the page went on before the answer")
	}
	got := w.answer(host.DialogResponse{DialogID: d.ID, Accept: true})
	want(t, "answered dialog", got.ID, d.ID)
	want(t, "the page", w.reported("after"), `"went on"`)
	s := w.quiet()
	if len(s.RecentDialogs) != 1 || s.RecentDialogs[0].ID != d.ID || s.RecentDialogs[0].ClosedBy != "agent" {
		t.Errorf("recent dialogs: %s", shared.Dump(s.RecentDialogs))
	}
	w.usable()
}

func TestAConfirmReturnsWhatWasAnswered(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	for _, tc := range []struct {
		name   string
		accept bool
		page   string
	}{
		{"accept", true, "true"},
		{"dismiss", false, "false"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := w.in(t)
			w.start("report('" + tc.name + "', confirm('sure?'))")
			want(t, "type", w.dialog().Type, "confirm")
			w.answer(host.DialogResponse{Accept: tc.accept})
			want(t, "the page", w.reported(tc.name), tc.page)
		})
	}
}

func TestAnAlertThroughAFramesWindowBelongsToThatFrame(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<iframe src="/empty"></iframe>`}, host.TaskOptions{})
	w.open("/page")
	s := w.await("the frame", func(s *host.Snapshot) bool {
		tree := s.Page().RawFrameTree
		return tree != nil && len(tree.Children) == 1 && tree.Children[0].URL == w.url("localhost", "/empty")
	})
	frame := s.Page().RawFrameTree.Children[0]
	w.start("document.querySelector('iframe').contentWindow.alert('from below'); report('after', 1)")
	d := w.dialog()
	want(t, "message", d.Message, "from below")
	want(t, "frame", d.FrameID, frame.FrameID)
	want(t, "frame kind", d.FrameKind, "local")
	if tree := w.Snapshot().Page().RawFrameTree; !tree.Children[0].HasPendingDialog || tree.Top.HasPendingDialog {
		t.Errorf("the tree shows the dialog elsewhere: %s", shared.Dump(tree))
	}
	w.answer(host.DialogResponse{Accept: true})
	want(t, "the page", w.reported("after"), "1")
	if w.Snapshot().Page().RawFrameTree.Children[0].HasPendingDialog {
		t.Error("the tree still shows the dialog")
	}
}

func TestAPromptReturnsItsText(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	const long = 100_000
	for i, tc := range []struct {
		name    string
		call    string // JavaScript
		message string
		initial string
		accept  bool
		text    *string
		page    string // JavaScript that is true of the page's value v
		closed  string // the text in the closed dialog
	}{
		{"accepted with a text", `prompt('name?', 'Ann')`, "name?", "Ann", true, ptr("Bob"), `v === 'Bob'`, "Bob"},
		{"accepted without a text gives the page its default", `prompt('name?', 'Ann')`, "name?", "Ann", true, nil, `v === 'Ann'`, "Ann"},
		{"accepted with an explicitly empty text", `prompt('name?', 'Ann')`, "name?", "Ann", true, ptr(""), `v === ''`, ""},
		{"accepted without a text and without a default", `prompt('name?')`, "name?", "", true, nil, `v === ''`, ""},
		{"dismissed", `prompt('name?', 'Ann')`, "name?", "Ann", false, nil, `v === null`, ""},
		{"dismissed with a text that is of no use", `prompt('name?', 'Ann')`, "name?", "Ann", false, ptr("Bob"), `v === null`, ""},
		{"emoji beyond the basic plane", `prompt('\u{1F468}\u200D\u{1F469}', '\u{1F600}')`, "👨\u200d👩", "😀", true, ptr("🏳️‍🌈"), `v === '\u{1F3F3}\uFE0F\u200D\u{1F308}'`, "🏳️‍🌈"},
		{"right to left with marks", `prompt('\u202Eשלום', 'مرحبا')`, "\u202eשלום", "مرحبا", true, nil, `v === 'مرحبا'`, "مرحبا"},
		{"quotes, backslashes, controls and line breaks", `prompt('"\\\n\t\u0001', '\u2028')`, "\"\\\n\t\u0001", "\u2028", true, ptr("\"\\\n\u0001\u2029</script>"), `v === '"\\\n\u0001\u2029<' + '/script>'`, "\"\\\n\u0001\u2029</script>"},
		{"lone surrogates are replaced", `prompt('a\uD800b', '\uDC00')`, "a\ufffdb", "\ufffd", true, nil, `v === '\uFFFD'`, "\ufffd"},
		// Chromium shows, and announces, the first 10 KiB of a message.
		{"100 kB both ways", `prompt('m'.repeat(100000), 'd'.repeat(100000))`, strings.Repeat("m", 10<<10), strings.Repeat("d", long), true, ptr(strings.Repeat("ü", long/2)), `v === 'ü'.repeat(50000)`, strings.Repeat("ü", long/2)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := w.in(t)
			key := fmt.Sprint("v", i)
			w.start("const v = " + tc.call + "; report('" + key + "', [" + tc.page + ", String(v).slice(0, 50)])")
			d := w.dialog()
			want(t, "type", d.Type, "prompt")
			wantText(t, "message", d.Message, tc.message)
			wantText(t, "default text", d.DefaultPrompt, tc.initial)
			wantText(t, "text of the closed dialog", w.answer(host.DialogResponse{Accept: tc.accept, PromptText: tc.text}).Text, tc.closed)
			if got := w.reported(key); !strings.HasPrefix(got, "[true,") {
				t.Errorf("the page got %s, which is not %s", got, tc.page)
			}
		})
	}
}

// wantText is want for texts that may be long.
func wantText(t *testing.T, what, got, wanted string) {
	t.Helper()
	if got != wanted {
		t.Errorf("%s: got %.80q (%d bytes), want %.80q (%d bytes)", what, got, len(got), wanted, len(wanted))
	}
}
