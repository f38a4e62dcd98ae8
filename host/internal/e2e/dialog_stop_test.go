package e2e

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestStoppingATaskWithAnOpenDialogLetsTheAdoptedPageGoOn(t *testing.T) {
	for _, tc := range []struct {
		name string
		page string
		said string // what the page gets
	}{
		{"alert", `<script>alert(1); report('said', 'on')</script>`, `"on"`},
		{"confirm", `<script>report('said', confirm(1))</script>`, "false"},
		{"prompt", `<script>report('said', prompt(1, 'x'))</script>`, "null"},
		{"a chain of alerts", `<script>for (let i = 0; i < 10; i++) alert(i); report('said', 'on')</script>`, `"on"`},
		{"a confirm in an OOPIF", `<iframe src="{{127.0.0.1}}/says"></iframe>`, "false"},
		{"a confirm in an OOPIF three deep", `<iframe src="{{127.0.0.1}}/deep-2"></iframe>`, "false"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			address := common.Address(t)
			ctx := testContext(t)
			raw := newRawClient(ctx, t, address)
			tab := raw.newTab()
			w := newWorldOn(t, address, host.Options{}, map[string]string{
				"/page": tc.page, "/says": `<script>report('said', confirm('?'))</script>`,
				"/deep-2": `<iframe src="{{127.0.0.2}}/deep-3"></iframe>`, "/deep-3": `<iframe src="{{x.localhost}}/says"></iframe>`,
			}, host.TaskOptions{TargetID: tab})
			w.open("/page")
			w.dialog()
			events := w.Events(100)
			if err := w.Close(w.ctx); err != nil {
				t.Fatal(err)
			}
			want(t, "the page", w.reported("said"), tc.said)
			closed := 0
			for e := range events.C {
				if e.Kind == host.EventDialogClosed {
					closed++
					want(t, "closed by", e.Dialog.ClosedBy, "disconnected")
				}
			}
			if closed == 0 {
				t.Error("no event says that the dialog was closed")
			}
			session := raw.attach(tab)
			raw.navigate(session, w.url("localhost", "/empty"))
			raw.call("", "Target.closeTarget", map[string]any{"targetId": tab}, nil)
		})
	}
}

func TestStoppingATaskUnderABeforeunloadStaysOnTheAdoptedPage(t *testing.T) {
	t.Parallel()
	address := common.Address(t)
	ctx := testContext(t)
	raw := newRawClient(ctx, t, address)
	tab := raw.newTab()
	w := newWorldOn(t, address, host.Options{}, map[string]string{"/guarded": guarded}, host.TaskOptions{TargetID: tab})
	w.openGuarded()
	w.start("location = '/empty'")
	want(t, "type", w.dialog().Type, "beforeunload")
	if err := w.Close(w.ctx); err != nil {
		t.Fatal(err)
	}
	raw.evaluate(raw.attach(tab), "report('still', location.pathname)")
	want(t, "the page", w.reported("still"), `"/guarded"`)
	raw.call("", "Target.closeTarget", map[string]any{"targetId": tab}, nil)
}

func TestStoppingAHostWithOpenDialogsInSeveralTasks(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	other := attachAs(t, w.host, t.Name()+" other", w.address, host.TaskOptions{Scope: host.ScopeContext})
	w.open("/empty")
	w.start("confirm('one')")
	w.dialog()
	w2 := &world{site: w.site, Task: other, t: t, ctx: w.ctx, host: w.host, address: w.address}
	w2.open("/empty")
	w2.start("confirm('two')")
	w2.dialog()
	if err := w.host.Close(w.ctx); err != nil {
		t.Fatal(err)
	}
	for _, task := range []*host.Task{w.Task, other} {
		s := task.Snapshot()
		if len(s.PendingDialogs) != 0 || len(s.RecentDialogs) != 1 || s.RecentDialogs[0].ClosedBy != "disconnected" {
			t.Errorf("the last snapshot of %s: %s", task.ID(), shared.Dump(s))
		}
	}
}

func TestStoppingATaskWithAnOpenDialogClosesItsOwnTab(t *testing.T) {
	for _, tc := range []struct{ name, page, script string }{
		{"in the top frame", ``, "confirm('?')"},
		{"in an OOPIF", `<iframe src="{{127.0.0.1}}/asks"></iframe>`, "frames[0].postMessage(1, '*')"},
		{"in an OOPIF of an OOPIF", `<iframe src="{{127.0.0.1}}/middle"></iframe>`, "frames[0][0].postMessage(1, '*')"},
		{"of a page that is being left", `<script>addEventListener('pagehide', () => confirm('?'))</script>`, "location = '/empty'"},
		{"in a popup", ``, "open('about:blank').confirm('?')"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			address, process := shared.Own(t)
			w := newWorldOn(t, address, host.Options{}, map[string]string{
				"/page": tc.page, "/middle": `<iframe src="{{127.0.0.2}}/asks"></iframe>`, "/asks": `<script>onmessage = () => confirm('?')</script>`,
			}, host.TaskOptions{})
			w.open("/page")
			w.start(tc.script)
			w.dialog()
			if err := w.Close(w.ctx); err != nil {
				t.Fatal(err)
			}
			w.alive(process)
			if targets := newRawClient(w.ctx, t, address).targets(); strings.Contains(targets, w.port+"/") {
				t.Errorf("a tab of the task is left: %s", targets)
			}
		})
	}
}
