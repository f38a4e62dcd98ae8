package agents

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// requestBench has a module that decides on requests by their addresses.
func requestBench(t *testing.T) *bench {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sieve.wasm")
	if err := os.WriteFile(path, contrary.Request(), 0o600); err != nil {
		t.Fatal(err)
	}
	return newBench(t, common.Address(t), host.Options{Plugins: map[string]host.PluginOptions{"sieve": {
		PluginSource: host.PluginSource{Path: path}, Hooks: []abi.Hook{abi.HookRequest},
	}}})
}

// An agent is told how many requests were blocked, and by whom; the list of the requests says which, and why.
func TestAnAgentIsToldOfBlockedRequests(t *testing.T) {
	t.Parallel()
	u := requestBench(t).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/empty"})
	ask := `Promise.all(["/one!b", "/two!a", "/empty?three"].map(a => fetch(a).then(() => "yes", () => "no")))`
	r := u.good("browser_evaluate", arguments{"expression": ask})
	if by, _ := r.Structured["requests_blocked"].(map[string]any); by["sieve"] == nil || !strings.Contains(r.Text, "blocked: 2 requests (2 by sieve)") {
		t.Errorf("the result does not tell: %s", r.Text)
	}
	if again := u.good("browser_tabs", nil); again.Structured["requests_blocked"] != nil {
		t.Errorf("it is told twice: %s", again.Text)
	}
	for part, reason := range map[string]string{"/one!b": "blocked by its address", "/two!a": "aborted by its address"} {
		u.request(part)
		list := u.good("browser_network_requests", arguments{"filter": part})
		if !strings.Contains(list.Text, "(by sieve: "+reason+")") || !strings.Contains(list.Text, "failed: net::ERR_") {
			t.Errorf("the list does not say who blocked %s: %s", part, list.Text)
		}
	}
	failed := u.bad("browser_navigate", arguments{"url": "{{localhost}}/x!b"}, string(host.ErrNavigationDenied))
	if !strings.Contains(failed.Text, `plugin "sieve"`) {
		t.Errorf("the navigation: %s", failed.Text)
	}
}

// What a page does a while after a call, and a plugin denies, the next result tells, once.
func TestAnAgentIsToldOfADenialAfterItsCall(t *testing.T) {
	t.Parallel()
	u := requestBench(t).newUser(t, host.TaskOptions{})
	release := u.Hold("/held")
	u.body(`<button onclick="fetch('/held').then(() => location = '/away!b')">Go</button>`, "0")
	if r := u.good("browser_click", arguments{"text": "Go"}); r.Structured["navigations_denied"] != nil {
		t.Errorf("nothing has been denied yet: %s", r.Text)
	}
	release()
	r := u.good("browser_wait_for", arguments{"url": "*/away!b"})
	want(t, r, "navigations_denied.0.url", strconv.Quote(u.URL("localhost", "/away!b")))
	want(t, r, "navigations_denied.0.tab", `"t1"`)
	if !strings.Contains(r.Text, "t1 did not get ") || !strings.Contains(r.Text, "blocked by its address") {
		t.Errorf("the text does not say it: %s", r.Text)
	}
	if again := u.good("browser_tabs", nil); again.Structured["navigations_denied"] != nil {
		t.Errorf("it is told twice: %s", again.Text)
	}
	// What a call was for, it says itself; what went before for the same reason, it tells.
	release = u.Hold("/held")
	u.body(`<button onclick="fetch('/held').then(() => location = '/later!b')">Go</button>`, "0")
	u.good("browser_click", arguments{"text": "Go"})
	release()
	if _, ok := u.Wait(u.ctx, func(s *host.Snapshot) bool { return s.LastDenial() == 2 }); !ok {
		t.Fatal("there is no second denial")
	}
	failed := u.bad("browser_navigate", arguments{"url": "{{localhost}}/other!b"}, "navigation_denied")
	want(t, failed, "navigations_denied.0.url", strconv.Quote(u.URL("localhost", "/later!b")))
	want(t, failed, "navigations_denied.1", "null")
	if failed := u.bad("browser_navigate", arguments{"url": "{{localhost}}/other!b"}, "navigation_denied"); failed.Structured["navigations_denied"] != nil {
		t.Errorf("it is told twice: %s", failed.Text)
	}
}
