package agents

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestAnAddressWithoutASchemeIsLoaded(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{EvaluateDisabled: true})
	local, full := "localhost:"+b.Port()+"/two", b.URL("localhost", "/two")
	u := b.newUser(t, host.TaskOptions{URL: "127.0.0.1:" + b.Port() + "/two"})
	started, ok := u.Wait(u.ctx, func(s *host.Snapshot) bool { return s.Page() != nil && s.Page().URL == b.URL("127.0.0.1", "/two") })
	if !ok {
		t.Fatalf("the task began at %s", started.Page().URL)
	}
	want(t, u.good("browser_navigate", arguments{"url": local}), "url", shared.Dump(full))
	want(t, u.good("browser_tabs", arguments{"action": "open", "url": local}), "tab.url", shared.Dump(full))
	u.good("browser_interact", arguments{"actions": []arguments{{"action": "goto", "url": "127.0.0.1:" + b.Port() + "/after"}}})
	is(t, "after goto", u.Snapshot().Page().URL, b.URL("127.0.0.1", "/after"))
	opened, err := u.OpenTab(u.ctx, local)
	if err != nil {
		t.Fatal(err)
	}
	u.Wait(u.ctx, func(s *host.Snapshot) bool { return s.Page().URL == full })
	is(t, "after OpenTab", opened.Info().URL, full)

	for _, refused := range []string{"data:80/x", "blob:80", "tel:911"} {
		u.bad("browser_navigate", arguments{"url": refused}, "evaluate_disabled")
		u.bad("browser_tabs", arguments{"action": "open", "url": refused}, "evaluate_disabled")
	}
}

// What is completed is checked as it is loaded.
func TestACompletedAddressIsCheckedByThePolicy(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	for _, refused := range []string{"file:80", "chrome:80", "mailto:25", "tel:911", "web:3000"} {
		u.bad("browser_navigate", arguments{"url": refused}, "refused")
		u.bad("browser_tabs", arguments{"action": "open", "url": refused}, "refused")
		if err := u.CheckURL(refused); err == nil {
			t.Errorf("%s may be loaded", refused)
		}
	}
	for _, script := range []string{"javascript:80", " java\tscript:80/x"} {
		u.bad("browser_navigate", arguments{"url": script}, "bad_arguments", "loads nothing")
	}
	is(t, "the tabs", len(u.Tabs()), 1)
}
