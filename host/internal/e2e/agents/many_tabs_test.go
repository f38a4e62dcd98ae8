package agents

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// A page can open any number of windows at once. The first are listed, so that they do not fill a model's context.
func TestOnlyTheFirstNewTabsAreListed(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	u := newBench(t, address, host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "data:text/html,<button onclick='for (let i = 0; i < 30; i++) window.open()'>Go</button>"})
	r := u.good("browser_click", arguments{"text": "Go"})
	want(t, r, "more_new_tabs", "10")
	if n := strings.Count(r.Text, "new tab t"); n != 20 || !strings.Contains(r.Text, "and 10 more new tabs") {
		t.Errorf("%d are listed: %s", n, show(r))
	}
}
