package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// sieveOptions put contrary.Request into service: it decides by what follows the first ! in an address.
func sieveOptions(t *testing.T) host.Options {
	t.Helper()
	path, _ := moduleFile(t, contrary.Request())
	return host.Options{Plugins: map[string]host.PluginOptions{"sieve": {
		PluginSource: host.PluginSource{Path: path}, Hooks: []abi.Hook{abi.HookRequest},
		// On the busiest machine it is still the module that decides.
		Limits: module.Limits{HookTimeout: 20 * time.Second},
	}}}
}

func newSieved(t *testing.T, pages map[string]string) *world {
	t.Helper()
	t.Parallel()
	return newWorldOn(t, common.Address(t), sieveOptions(t), pages, host.TaskOptions{})
}

// blocked waits until a request whose address contains a text was blocked.
func (w *world) blocked(part string) host.BlockedRequest {
	w.t.Helper()
	var found host.BlockedRequest
	w.await("the block of "+part, func(s *host.Snapshot) bool {
		if s.RequestVerdicts == nil {
			return false
		}
		i := slices.IndexFunc(s.RequestVerdicts.Recent, func(b host.BlockedRequest) bool { return strings.Contains(b.URL, part) })
		if i >= 0 {
			found = s.RequestVerdicts.Recent[i]
		}
		return i >= 0
	})
	return found
}

// Each of them is blocked, and the reason tells what the module was told: who asks, and for what.
func TestTheModuleSeesTheRequestsOfEveryTarget(t *testing.T) {
	w := newSieved(t, map[string]string{
		"/page": `<link rel=stylesheet href="/style!e"><script src="/script!e"></script><img src="/image!e">
			<iframe src="{{127.0.0.1}}/inner"></iframe><iframe src="/child!e"></iframe>
			<script>fetch("/fetch!e").catch(() => 0); new Worker("/worker.js"); fetch("/redirect").catch(() => 0)</script>`,
		"/inner": `<img src="/deep!e">`,
		"/popup": `<img src="/popped!e">`,
		"/sw":    ``,
	})
	script := func(text string) http.HandlerFunc {
		return func(answer http.ResponseWriter, _ *http.Request) {
			answer.Header().Set("Content-Type", "text/javascript")
			_, _ = fmt.Fprint(answer, text)
		}
	}
	w.Handle("/worker.js", script(`fetch("/of-worker!e").catch(() => 0)`))
	w.Handle("/sw.js", script(`addEventListener("install", e => e.waitUntil(fetch("/of-service-worker!e").catch(() => 0)))`))
	w.Handle("/redirect", func(answer http.ResponseWriter, r *http.Request) {
		http.Redirect(answer, r, "/redirected!e", http.StatusFound)
	})
	w.open("/page")
	w.start(`open("/popup")`)
	here, there := w.url("localhost", ""), w.url("127.0.0.1", "")
	for path, want := range map[string]string{
		"/style!e":      "GET stylesheet of page top from " + here + " in " + here,
		"/script!e":     "GET script of page top from " + here + " in " + here,
		"/image!e":      "GET image of page top from " + here + " in " + here,
		"/fetch!e":      "GET xhr of page top from " + here + " in " + here,
		"/child!e":      "GET document of page local from ",
		"/deep!e":       "GET image of iframe oopif from " + there + " in " + here,
		"/popped!e":     "GET image of page top from " + here + " in " + here + " popup",
		"/of-worker!e":  "GET xhr of page top from " + here + " in " + here, // the browser says that its page asks
		"/redirected!e": "GET xhr of page top from " + here + " in " + here + " redirected",
	} {
		b := w.blocked(path)
		if !strings.HasPrefix(b.Reason, want) || b.DecidedBy.Module != "sieve" || b.DecidedBy.Rule != "the address says so" || b.Action != "block" {
			t.Errorf("%s: %+v, want %q", path, b, want)
		}
		w.never(path)
	}
	w.open("/sw")
	w.start(`navigator.serviceWorker.register("/sw.js")`)
	if b := w.blocked("/of-service-worker!e"); !strings.HasPrefix(b.Reason, "GET xhr of service_worker unspecified from "+here+" in \n") {
		t.Errorf("of a service worker: %+v", b)
	}
	w.never("/of-service-worker!e")
	want(t, "denied navigations", len(w.Snapshot().RecentNavigations), 0)
}

// What logs a page in stays out of the event, and so does a header that somebody has added.
func TestTheModuleSeesNoSecrets(t *testing.T) {
	w := newSieved(t, map[string]string{"/page": `<script>document.cookie = "session=hush"</script>`})
	w.open("/page")
	w.emulate(host.Emulation{Headers: host.Headers{"X-Added": "hush"}})
	w.evaluate(`fetch("/a!e", {method: "POST", body: "hush", headers: {Authorization: "hush", "X-Api-Key": "hush", "X-Own": "shown"}}).catch(() => 0)`)
	reason := w.blocked("/a!e").Reason
	if strings.Contains(reason, "hush") || !strings.Contains(reason, "X-Own: shown") {
		t.Errorf("the module was told %q", reason)
	}
}

func (w *world) emulate(e host.Emulation) {
	w.t.Helper()
	if err := w.Emulate(w.ctx, e); err != nil {
		w.t.Fatal(err)
	}
}

func TestABlockedNavigationIsAnError(t *testing.T) {
	w := newSieved(t, map[string]string{"/page": "", "/x!b": "", "/x!a": ""})
	w.open("/page")
	d := wantDenied(t, commit(w.ctx, w.Tab(""), w.url("localhost", "/x!a")))
	want(t, "reason", d.Reason, "aborted by its address")
	want(t, "what the tab shows", w.evaluate("document.title"), `"/page"`)
	err := commit(w.ctx, w.Tab(""), w.url("localhost", "/x!b"))
	d = wantDenied(t, err)
	want(t, "error", err.Error(), `navigation failed: denied by plugin "sieve", rule "the address says so": blocked by its address`)
	want(t, "plugin", d.DecidedBy.Module, "sieve")
	w.never("/x!a")
	w.never("/x!b")
	w.open("/page")
	c := w.host.Counters().Requests
	want(t, "blocked", c.Blocked, 1)
	want(t, "aborted", c.Aborted, 1)
	want(t, "of the task", w.Snapshot().RequestVerdicts.BlockedBy["sieve"], 2)
}

// A module that fails, traps or loops decides nothing: the host does, as it was told to, and every request ends.
func TestAFaultOfTheRequestHook(t *testing.T) {
	for name, closed := range map[string]bool{"open": false, "closed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := sieveOptions(t)
			o.RequestFailClosed, o.PluginFaults = closed, -1
			w := newWorldOn(t, common.Address(t), o, map[string]string{"/page": "", "/f!f": "", "/t!t": "", "/s!s": ""}, host.TaskOptions{})
			w.open("/page")
			got := w.evaluate(`Promise.all(["/f!f", "/t!t", "/s!s"].map(a => fetch(a).then(r => r.status, () => "failed")))`)
			c := w.host.Counters().Requests
			if closed {
				want(t, "answers", got, `["failed","failed","failed"]`)
				want(t, "counted", c.FailedClosed, 3)
				b := w.blocked("/t!t")
				if !b.FailedClosed || !strings.Contains(b.Reason, "no plugin decided") || b.DecidedBy.Fault == "" {
					t.Errorf("recorded %+v", b)
				}
				return
			}
			want(t, "answers", got, `[200,200,200]`)
			want(t, "counted", c.FailedOpen, 3)
		})
	}
}

// A burst queues for the instances of the module, and none of it is lost.
func TestHundredsOfRequestsAtOnce(t *testing.T) {
	w := newSieved(t, map[string]string{"/page": "", "/ok": ""})
	w.open("/page")
	got := w.evaluate(`Promise.all([...Array(500).keys()].map(i => fetch(i % 2 ? "/ok?" + i : "/x!b" + i).then(() => "allowed", () => "blocked")))
		.then(all => [all.filter(x => x == "allowed").length, all.filter(x => x == "blocked").length])`)
	want(t, "answers", got, "[250,250]")
	c := w.host.Counters().Requests
	want(t, "all", c.Asked, c.Allowed+c.Blocked)
	want(t, "blocked", c.Blocked, 250)
	want(t, "kept", len(w.Snapshot().RequestVerdicts.Recent), 50)
}

// A dialog stops a page's scripts, not its requests: what it has asked for is decided on and goes out.
func TestRequestsUnderADialog(t *testing.T) {
	w := newSieved(t, map[string]string{"/page": `<script>function ask() { fetch("/late"); fetch("/late!b").catch(() => 0); alert("wait") }</script>`, "/late": ""})
	w.open("/page")
	w.start("ask()")
	w.pending(1)
	w.visited("/late", 1)
	w.blocked("/late!b")
}

// Requests without a network are not the browser's to intercept, and so not the module's to see.
func TestRequestsWithoutANetworkAreNotSeen(t *testing.T) {
	w := newSieved(t, map[string]string{"/page": ""})
	w.open("/page")
	got := w.evaluate(`Promise.all([fetch("data:text/plain,!b"), fetch(URL.createObjectURL(new Blob(["!b"])))].map(r => r.then(r => r.text())))`)
	want(t, "answers", got, `["!b","!b"]`)
	want(t, "blocked", w.host.Counters().Requests.Blocked, 0)
}

// A module comes into service, and goes, while tabs, frames and workers are open.
func TestTheRequestHookComesAndGoesAtRunTime(t *testing.T) {
	t.Parallel()
	o := sieveOptions(t)
	sieve := o.Plugins["sieve"]
	dialogs, _ := moduleFile(t, contrary.Dialog())
	requests := sieve.Path
	sieve.Path, sieve.Hooks = dialogs, []abi.Hook{abi.HookDialog, abi.HookRequest}
	o.Plugins["sieve"] = sieve
	w := newWorldOn(t, common.Address(t), o, map[string]string{"/page": `<script>worker = new Worker("/worker.js")
		asks = address => new Promise(r => { worker.onmessage = e => r(e.data); worker.postMessage(address) })</script>`, "/x!b": ""}, host.TaskOptions{})
	w.Handle("/worker.js", func(answer http.ResponseWriter, _ *http.Request) {
		answer.Header().Set("Content-Type", "text/javascript")
		_, _ = fmt.Fprint(answer, `onmessage = e => fetch(e.data).then(() => postMessage("allowed"), () => postMessage("blocked"))`)
	})
	w.open("/page")
	both := `Promise.all([fetch("/x!b").then(() => "allowed", () => "blocked"), asks("/x!b")])`
	want(t, "without a module", w.evaluate(both), `["allowed","allowed"]`)
	want(t, "asked without a module", w.host.Counters().Requests.Asked, 0)
	if _, err := w.host.SwapPlugin(w.ctx, "sieve", host.PluginChange{PluginSource: host.PluginSource{Path: requests}, DropHooks: []string{"dialog"}}); err != nil {
		t.Fatal(err)
	}
	w.evaluate("0") // the browser has been told
	want(t, "with one", w.evaluate(both), `["blocked","blocked"]`)
	if _, err := w.host.RollbackPlugin(w.ctx, "sieve", "the test is over", "request"); err != nil {
		t.Fatal(err)
	}
	w.evaluate("0")
	asked := w.host.Counters().Requests.Asked
	want(t, "after it", w.evaluate(both), `["allowed","allowed"]`)
	want(t, "asked when the module has gone", w.host.Counters().Requests.Asked, asked)
}

// An address with a user and password is asked about without them, and blocked all the same.
func TestAnAddressWithAPassword(t *testing.T) {
	w := newSieved(t, map[string]string{"/page": ""})
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	address := strings.Replace(other.URL, "http://", "http://me:hush@", 1) + "/x!b"
	d := wantDenied(t, commit(w.ctx, w.Tab(""), address))
	want(t, "reason", d.Reason, "blocked by its address")
	w.SettledSnapshot(w.ctx) // the frame filter is asked about the document that is not there, too
	for _, call := range w.host.Journal(host.JournalFilter{}) {
		if strings.Contains(string(call.Event), "hush") {
			t.Errorf("a module was told the password: %s", call.Event)
		}
	}
}

// A candidate runs beside the module in service: what it would have decided is compared, and decides nothing.
func TestACandidateForTheRequestHookIsShadowed(t *testing.T) {
	w := newSieved(t, map[string]string{"/page": "", "/ok": ""})
	w.open("/page")
	candidate := filepath.Join("..", "..", "..", "plugins", "examples", "dist", "ad-requests.wasm")
	if _, err := w.host.ShadowPlugin(w.ctx, "sieve", host.PluginChange{PluginSource: host.PluginSource{Path: candidate}}); err != nil {
		t.Fatal(err)
	}
	both := `Promise.all(["/ok", "/x!b"].map(a => fetch(a).then(() => "allowed", () => "blocked")))`
	// It is asked beside the calls, and not while it is busy.
	for differing := uint64(0); differing == 0; {
		want(t, "answers", w.evaluate(both), `["allowed","blocked"]`)
		shadow, err := w.host.PluginShadow("sieve")
		if err != nil {
			t.Fatal(err)
		}
		differing = shadow.Differing
	}
}
