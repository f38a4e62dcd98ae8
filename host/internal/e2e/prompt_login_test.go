package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// A page asks for what its server wants a login for, so Chromium asks for that login in a dialog of its own. Nobody
// sees it in a browser without a window: the next input closes it, and the request fails.
func TestALoginThatNobodyCanGiveTakesNoInput(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	s := serve(ctx, t, map[string]string{"/page": promptPage})
	s.server.Handle("/private", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("WWW-Authenticate", fmt.Sprintf("Basic realm=%q", r.URL.RawQuery))
		rw.WriteHeader(http.StatusUnauthorized)
	})
	task, err := newHost(t, host.Options{}).Launch(ctx, t.Name(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{site: s, Task: task, t: t, ctx: ctx}
	for what, c := range map[string]struct {
		asks string
		act  func(host.Tab) (host.ActionResult, error)
	}{
		"a click while a script waits": {`fetch("/private?1")`, func(tab host.Tab) (host.ActionResult, error) {
			return tab.Click(w.unhurried(), host.BySelector("#b"), nil)
		}},
		"a key while an image waits": {`new Promise((_, no) => { const i = new Image(); i.onerror = no; i.src = "/private?2" })`, func(tab host.Tab) (host.ActionResult, error) {
			return tab.Press(w.unhurried(), "Enter", &host.PressOptions{Locator: host.BySelector("#b")})
		}},
	} {
		t.Run(what, func(t *testing.T) {
			w := w.in(t)
			tab := w.prompting(c.asks)
			closed := false
			for inputs := 1; !closed; inputs++ { // the first one begins, and it takes the browser a moment to ask
				acted, err := c.act(tab)
				if err != nil {
					t.Fatalf("input %d: %v", inputs, err)
				}
				closed = strings.Contains(acted.Note, "login")
			}
			value, err := tab.Evaluate(w.ctx, "ended", &host.EvaluateOptions{AwaitPromise: true})
			if err != nil || !strings.HasPrefix(string(value.Value), `"no: `) {
				t.Errorf("the page got %s, %v", value.Value, err)
			}
			if acted, err := c.act(tab); err != nil || acted.Note != "" {
				t.Errorf("then: %q, %v", acted.Note, err)
			}
		})
	}
}
