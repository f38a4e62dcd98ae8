package agents

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// routeBench has a page with a frame of another site, and a server that says which header it got.
func routeBench(t *testing.T) *bench {
	b := newBench(t, common.Address(t), host.Options{})
	b.Handle("/route-header", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		_, _ = w.Write([]byte("marked " + r.Header.Get("X-Mark") + ", dropped " + r.Header.Get("X-Drop")))
	})
	b.Handle("/route-moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/route-header?moved", http.StatusFound)
	})
	b.Handle("/route-page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(b.Expand(`<title>rules</title><iframe src="{{127.0.0.1}}/empty"></iframe>`)))
	})
	return b
}

// run gives the value of an expression, in the top frame or in the one of another site.
func (u *user) run(inFrame bool, expression string) string {
	u.t.Helper()
	o := host.EvaluateOptions{AwaitPromise: true}
	if inFrame {
		s, ok := u.Wait(u.ctx, func(s *host.Snapshot) bool {
			tree := s.Page().RawFrameTree
			return tree != nil && len(tree.Children) == 1 && tree.Children[0].SessionID != "" && strings.HasSuffix(tree.Children[0].URL, "/empty")
		})
		if !ok {
			u.t.Fatal("the frame does not come")
		}
		o.Locator.FrameID = s.Page().RawFrameTree.Children[0].FrameID
	}
	value, err := u.Tab("").Evaluate(u.ctx, u.Expand(expression), &o)
	if err != nil {
		u.t.Fatalf("%s: %v", expression, err)
	}
	return strings.Trim(string(value.Value), `"`)
}

const (
	getJSON = "fetch('/route-api').then(async r => r.status + ' ' + (r.headers.get('x-own') || '') + ' ' + (await r.json().catch(() => 'none')).value)"
	getText = "fetch('/route-header', {headers: {'X-Drop': 'no'}}).then(r => r.text())"
)

func (u *user) rule(a arguments) string {
	u.t.Helper()
	return strings.Trim(text(u.t, u.good("browser_route", a.with(arguments{"action": "add"})), "id"), `"`)
}

// A rule blocks, answers or changes what a page and a frame of another process ask for, until it is removed. Another
// task in the same browser is left alone.
func TestRulesDecideOnRequests(t *testing.T) {
	t.Parallel()
	b := routeBench(t)
	u := b.newUser(t, host.TaskOptions{})
	t.Run("beside another task", func(t *testing.T) {
		other := b.newUser(t, host.TaskOptions{})
		u.good("browser_navigate", arguments{"url": "{{localhost}}/route-page"})
		other.good("browser_navigate", arguments{"url": "{{localhost}}/route-page"})
		u.WatchNetwork()
		image := u.rule(arguments{"pattern": "*/route-image.svg*", "resource_type": "image", "do": "block"})
		api := u.rule(arguments{"pattern": "*/route-api", "do": "fulfil", "status": 201, "headers": arguments{"X-Own": "yes"}, "content_type": "application/json", "body": `{"value": 42}`})
		u.rule(arguments{"pattern": "*/route-header*", "do": "change", "headers": arguments{"X-Mark": "ours"}, "remove_headers": []string{"x-drop"}})
		for _, inFrame := range []bool{false, true} {
			if got := u.run(inFrame, "new Promise(r => { const i = new Image(); i.onload = () => r('there'); i.onerror = () => r('blocked'); i.src = '/route-image.svg?"+shared.Dump(inFrame)+"' })"); got != "blocked" {
				t.Errorf("in a frame %t the image is %s", inFrame, got)
			}
			if got := u.run(inFrame, getJSON); got != "201 yes 42" {
				t.Errorf("in a frame %t the answer is %q", inFrame, got)
			}
			if got := u.run(inFrame, getText); got != "marked ours, dropped " {
				t.Errorf("in a frame %t the server got %q", inFrame, got)
			}
		}
		if got := u.run(false, "fetch('/route-moved', {headers: {'X-Drop': 'no'}}).then(r => r.text())"); got != "marked ours, dropped " {
			t.Errorf("after a redirect the server got %q", got)
		}
		if r := u.request("/route-image.svg?false"); !strings.Contains(r.Failure, "net::ERR_BLOCKED_BY_CLIENT") {
			t.Errorf("the image failed with %q", r.Failure)
		}
		list := u.good("browser_route", arguments{"action": "list"})
		for _, line := range []string{image + " image */route-image.svg*: block; matched 2", api + " */route-api: fulfil with 201, 13 bytes; matched 2", "change headers; matched 3"} {
			if !strings.Contains(list.Text, line) {
				t.Errorf("%q is not in %s", line, list.Text)
			}
		}
		if got := other.run(false, getJSON) + other.run(false, getText); !strings.HasPrefix(got, "404") || strings.Contains(got, "ours") {
			t.Errorf("another task gets %q", got)
		}
		u.good("browser_route", arguments{"action": "remove", "id": api})
		u.bad("browser_route", arguments{"action": "remove", "id": api}, "bad_arguments", "id", api)
		if got := u.run(true, getJSON); !strings.HasPrefix(got, "404") {
			t.Errorf("without the rule the answer is %q", got)
		}
		u.good("browser_route", arguments{"action": "clear"})
		if got := u.run(false, getText); got != "marked , dropped no" {
			t.Errorf("without rules the server got %q", got)
		}
	})
}

// The first request of a popup, and what a worker asks for, are decided like others, and a rule is good for so many
// requests.
func TestRulesReachPopupsAndWorkers(t *testing.T) {
	t.Parallel()
	u := routeBench(t).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/route-page"})
	u.rule(arguments{"pattern": "*/route-popup", "do": "fulfil", "content_type": "text/html", "body": "<p>from the rule"})
	opens := "open('{{127.0.0.1}}/route-popup'); 0"
	if _, err := u.Tab("").Evaluate(u.ctx, u.Expand(opens), &host.EvaluateOptions{UserGesture: true}); err != nil {
		t.Fatal(err)
	}
	if _, ok := u.Wait(u.ctx, func(s *host.Snapshot) bool { return len(s.Targets) == 2 }); !ok {
		t.Fatal("no popup")
	}
	if r := u.good("browser_wait_for", arguments{"tab": "t2", "text": "from the rule"}); r.IsError {
		t.Error("the popup does not show the rule's document")
	}
	if n := u.Visits("/route-popup"); n != 0 {
		t.Errorf("the server was asked %d times", n)
	}
	u.good("browser_tabs", arguments{"action": "focus", "tab": "t1"})
	u.rule(arguments{"pattern": "*/route-api", "do": "fulfil", "body": `{"value": 7}`, "times": 2})
	inWorker := "new Promise(r => { new Worker(URL.createObjectURL(new Blob([`fetch('{{localhost}}/route-api').then(r => r.text()).then(postMessage)`]))).onmessage = e => r(e.data) })"
	if got := u.run(false, inWorker); !strings.Contains(got, "7") {
		t.Errorf("a worker gets %q", got)
	}
	if got := u.run(false, getJSON); got != "200  7" {
		t.Errorf("the second answer is %q", got)
	}
	if got := u.run(false, getJSON); !strings.HasPrefix(got, "404") {
		t.Errorf("the third answer is %q", got)
	}
}

// While a dialog holds a page, what others ask for is answered.
func TestRulesAnswerWhileADialogIsOpen(t *testing.T) {
	t.Parallel()
	u := routeBench(t).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/route-page"})
	u.rule(arguments{"pattern": "*/route-api", "do": "fulfil", "body": "1"})
	u.run(true, "0")
	u.run(false, "setTimeout(() => { fetch('/route-api').then(r => r.text()).then(t => globalThis.got = t); confirm('held') }); 0")
	if _, ok := u.Wait(u.ctx, func(s *host.Snapshot) bool { return len(s.PendingDialogs) == 1 }); !ok {
		t.Fatal("no dialog")
	}
	for !strings.Contains(u.good("browser_route", arguments{"action": "list"}).Text, "matched 1") {
		if u.ctx.Err() != nil {
			t.Fatal("the request stays paused")
		}
	}
	u.good("browser_dialog", arguments{"action": "accept"})
	if got := u.run(false, "new Promise(r => { const look = () => globalThis.got ? r(globalThis.got) : setTimeout(look, 5); look() })"); got != "1" {
		t.Errorf("the page got %q", got)
	}
}

// What a rule has no use for is named, as is what is wrong with it.
func TestBadRulesAreNamed(t *testing.T) {
	t.Parallel()
	u := routeBench(t).newUser(t, host.TaskOptions{})
	for parameter, a := range map[string]arguments{
		"pattern": {"do": "block"}, "do": {"pattern": "*"}, "status": {"pattern": "*", "do": "block", "status": 200},
		"body": {"pattern": "*", "do": "fulfil", "body": strings.Repeat("x", 1<<20+1)}, "headers": {"pattern": "*", "do": "fulfil", "headers": arguments{"a": 1}},
		"content_type": {"pattern": "*", "do": "change", "content_type": "x"}, "remove_headers": {"pattern": "*", "do": "fulfil", "remove_headers": []string{"a"}},
		"id": {"pattern": "*", "do": "block", "id": "route1"},
	} {
		u.bad("browser_route", a.with(arguments{"action": "add"}), "bad_arguments", parameter)
	}
	u.bad("browser_route", arguments{"action": "add", "pattern": "file:///*", "do": "block"}, "bad_arguments", "pattern", "http")
	u.bad("browser_route", arguments{"action": "remove"}, "bad_arguments", "id")
	u.bad("browser_cdp", arguments{"method": "Fetch.enable"}, "refused", "browser_route")
}
