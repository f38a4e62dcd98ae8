package e2e

import (
	"fmt"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestDialogsWhereverAPageOpensThem(t *testing.T) {
	const say = `report('said', confirm('here'))`
	nested := map[string]string{
		"/oopif-1": `<iframe src="{{127.0.0.1}}/says"></iframe>`,
		"/oopif-3": `<iframe src="{{127.0.0.1}}/level-2"></iframe>`,
		"/level-2": `<iframe src="{{127.0.0.2}}/level-3"></iframe>`,
		"/level-3": `<iframe src="{{x.localhost}}/says"></iframe>`,
	}
	for _, tc := range []struct {
		name  string
		page  string // the fragment of /page, or empty for the address
		path  string
		kind  string
		popup bool
	}{
		{name: "inline while the page is parsed", page: `<script>` + say + `</script><p id=after>`, kind: "top"},
		{name: "in onload", page: `<body onload="` + say + `">`, kind: "top"},
		{name: "in a timer", page: `<script>setTimeout(() => ` + say + `)</script>`, kind: "top"},
		{name: "in a microtask", page: `<script>Promise.resolve().then(() => ` + say + `)</script>`, kind: "top"},
		{name: "in DOMContentLoaded", page: `<script>addEventListener('DOMContentLoaded', () => ` + say + `)</script>`, kind: "top"},
		{name: "in a javascript: address", page: `<a href="javascript:void(` + say + `)" id=a>x</a><script>a.click()</script>`, kind: "top"},
		{name: "in a same-origin frame while it is parsed", page: `<iframe src="/says"></iframe>`, kind: "local"},
		{name: "in a srcdoc frame", page: `<iframe srcdoc="<script>parent.report('said', confirm('here'))</script>"></iframe>`, kind: "local"},
		{name: "in an about:blank frame", page: `<iframe></iframe><script>report('said', frames[0].confirm('here'))</script>`, kind: "local"},
		{name: "in a popup while it loads", page: `<script>open('/says')</script>`, kind: "top", popup: true},
		{name: "in a noopener popup while it loads", page: `<script>open('/says', '', 'noopener')</script>`, kind: "top", popup: true},
		{name: "in a popup of another site", page: `<script>open('{{127.0.0.1}}/says')</script>`, kind: "top", popup: true},
		{name: "by the opener through the popup's window", page: `<script>report('said', open('about:blank').confirm('here'))</script>`, kind: "top", popup: true},
		{name: "in a target=_blank link's page", page: `<a href="/says" target=_blank id=a>x</a><script>a.click()</script>`, kind: "top", popup: true},
		{name: "in an OOPIF", path: "/oopif-1", kind: "oopif"},
		{name: "in an OOPIF three deep", path: "/oopif-3", kind: "oopif"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pages := map[string]string{"/says": `<script>` + say + `</script>`, "/page": tc.page}
			for path, page := range nested {
				pages[path] = page
			}
			w := newWorld(t, pages, host.TaskOptions{})
			if tc.path == "" {
				tc.path = "/page"
			}
			w.open(tc.path)
			d := w.dialog()
			want(t, "message", d.Message, "here")
			want(t, "type", d.Type, "confirm")
			want(t, "frame kind", d.FrameKind, host.FrameKind(tc.kind))
			want(t, "popup", d.Popup, tc.popup)
			s := w.Snapshot()
			want(t, "in the first tab", d.TargetID == s.Page().ID, !tc.popup)
			target := s.Target(d.TargetID)
			if target == nil {
				t.Fatalf("the dialog's tab %s is not in the snapshot", d.TargetID)
			}
			if n := framesWithDialog(target.RawFrameTree); len(n) != 1 || n[0] != d.FrameID {
				t.Errorf("the tree shows the dialog in %v, want %s", n, d.FrameID)
			}
			w.answer(host.DialogResponse{Accept: true})
			want(t, "the page", w.reported("said"), "true")
			w.usable()
		})
	}
}

func framesWithDialog(tree *host.FrameTree) []string {
	var ids []string
	for _, f := range append([]host.Frame{tree.Top}, tree.Children...) {
		if f.HasPendingDialog {
			ids = append(ids, f.FrameID)
		}
	}
	return ids
}

func TestAChainOfAlertsIsSeenWholeAndInOrder(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	events := w.Events(1000)
	const length = 50
	w.start(fmt.Sprintf("for (let i = 0; i < %d; i++) alert(i); report('after', 'done')", length))
	for i := range length {
		d := w.dialog()
		want(t, "message", d.Message, fmt.Sprint(i))
		w.answer(host.DialogResponse{DialogID: d.ID, Accept: true})
	}
	want(t, "the page", w.reported("after"), `"done"`)
	s := w.quiet()
	want(t, "recent dialogs", len(s.RecentDialogs), 20)
	for i, d := range s.RecentDialogs {
		want(t, "message in the ring", d.Message, fmt.Sprint(length-20+i))
	}
	events.Close()
	var kinds []string
	for e := range events.C {
		if e.Dialog != nil {
			kinds = append(kinds, string(e.Kind)+" "+e.Dialog.Message)
		}
	}
	want(t, "events", len(kinds), 2*length)
	for i := range length {
		want(t, "event", kinds[2*i], fmt.Sprintf("dialog_opened %d", i))
		want(t, "event", kinds[2*i+1], fmt.Sprintf("dialog_closed %d", i))
	}
	want(t, "dropped events", events.Dropped(), 0)
}

func TestTheConsoleKeepsTheLastFifty(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	w.evaluate("for (let i = 0; i < 70; i++) console.log('line', i, {a: 1}); 0")
	w.start("throw new Error('uncaught one')")
	s := w.await("the exception", func(s *host.Snapshot) bool { return s.ConsoleTotal == 71 })
	want(t, "kept, of lines and of exceptions", len(s.Console), 50+1)
	want(t, "oldest", s.Console[0].Text, "line 20 {a: 1}")
	last := s.Console[50]
	want(t, "type of the last", last.Type, "exception")
	want(t, "type of the first", s.Console[0].Type, "log")
	want(t, "target", last.TargetID, s.Page().ID)
	if got := last.Text; len(got) < 12 || got[:8] != "Uncaught" {
		t.Errorf("text of the exception: %q", got)
	}
}
