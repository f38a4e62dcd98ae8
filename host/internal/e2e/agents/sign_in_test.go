package agents

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestAnAgentSignsInWithAProvider(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	shared.NewProvider(func(path string, h http.HandlerFunc) { b.Handle(path, h) }, b.URL("localhost", ""), b.URL("127.0.0.1", ""))
	u := b.newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/login"})
	u.good("browser_navigate", arguments{"url": "{{127.0.0.1}}/shop?mode=active"})
	clicked := u.good("browser_click", arguments{"selector": "#in"})
	if _, ok := u.Wait(u.ctx, func(s *host.Snapshot) bool { return len(s.SignIns()) == 1 }); !ok {
		t.Fatal("no dialog opened")
	}
	told := u.bad("browser_click", arguments{"selector": "#b"}, "input_not_delivered", `because the browser asks "Sign in to 127.0.0.1 with localhost"`, "answer or dismiss")
	if lookUp(t, clicked, "sign_in") != "null" { // the dialog was faster than the result of the click
		told = clicked
	}
	want(t, told, "sign_in.0.kind", `"AccountChooser"`)
	want(t, told, "sign_in.0.accounts.1.email", `"bob@example.com"`)
	want(t, told, "sign_in.0.tab", `"t1"`)
	for _, part := range []string{"in which the browser asks for an account", "ann@example.com (Ann Lee), bob@example.com (Bob Roe)", "browser_dialog accepts it"} {
		if !strings.Contains(told.Text, part) {
			t.Errorf("the text lacks %q: %s", part, told.Text)
		}
	}
	if fields := lookUp(t, told, "untrusted.fields"); !strings.Contains(fields, "sign_in") {
		t.Errorf("what the provider says is not said to be untrusted: %s", show(told))
	}
	r := u.good("browser_snapshot", nil)
	want(t, r, "sign_in", "null") // it was told
	u.bad("browser_dialog", arguments{"action": "accept"}, "bad_arguments", "ann@example.com", "bob@example.com")
	u.bad("browser_dialog", arguments{"action": "accept", "prompt_text": "Bob Roe", "repeat": true}, "bad_arguments", "repeat")
	u.bad("browser_dialog", arguments{"action": "accept", "dialog_id": "d-99"}, "unknown_dialog", "d-99")
	r = u.good("browser_dialog", arguments{"action": "accept", "prompt_text": "Bob Roe"})
	want(t, r, "sign_in.id", lookUp(t, told, "sign_in.0.id"))
	want(t, u.good("browser_evaluate", arguments{"expression": "ended"}), "result", `"token of 2"`)
	u.good("browser_click", arguments{"selector": "#b"})
	u.bad("browser_dialog", arguments{"action": "dismiss"}, "no_dialog")
}
