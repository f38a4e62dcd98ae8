package agent

import (
	"context"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestATabWhoseAddressFailsIsAnError(t *testing.T) {
	w := newWorld(t, map[string]string{"/ask": `<script>alert("now")</script>`, "/two": `<script>document.title="later"</script>`}, Options{})
	r := w.bad("browser_tabs", `{"action":"open","url":"http://127.0.0.1:1/"}`, host.ErrNavigate)
	for _, part := range []string{"the tab t2 is open", "net::ERR_"} {
		if !strings.Contains(r.Text, part) {
			t.Errorf("no %q in %s", part, show(r))
		}
	}
	w.bad("browser_tabs", `{"action":"open","url":"there is no such thing"}`, host.ErrNavigate)
	asking := w.good("browser_tabs", `{"action":"open","url":"SITE/ask"}`)
	want(t, asking, "tab.url", `"`+w.site+`/ask"`)
	w.good("browser_dialog", `{"action":"accept"}`)
	opened := w.good("browser_tabs", `{"action":"open","url":"SITE/two"}`)
	want(t, opened, "tab.handle", `"t4"`)
	want(t, opened, "tab.url", `"`+w.site+`/two"`)
	w.good("browser_wait_for", `{"selector":"title","state":"attached","tab":"t4"}`)
	want(t, w.good("browser_evaluate", `{"expression":"document.title","tab":"t4"}`), "result", `"later"`)
	for _, action := range []string{"focus", "close"} {
		want(t, w.good("browser_tabs", `{"action":"`+action+`","tab":"t4"}`), "tab.title", `"later"`)
	}
}

func TestTabsOfABrowserThatIsLostAreNotNone(t *testing.T) {
	t.Parallel()
	browser := hosttest.Browser(t, hosttest.WithPort())
	h := common.NewHost(t, host.Options{ReconnectTimeout: shared.Limit()})
	ctx := testContext(t)
	task, err := h.Attach(ctx, "task", browser.WebSocketURL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, ctx: ctx, host: h, task: task, registry: newRegistry(t, h, Options{})}
	w.good("browser_tabs", ``)
	browser.Kill()
	if _, ok := task.Wait(ctx, func(s *host.Snapshot) bool { return s.Disconnected != "" }); !ok {
		t.Fatal("the end of the browser was not noticed")
	}
	w.bad("browser_tabs", ``, host.ErrTransport)
	late, cancel := context.WithCancel(ctx)
	cancel()
	if tabs, err := task.ListTabs(late); err == nil {
		t.Errorf("got %v of a browser that is lost", tabs)
	}
}
