package network

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// attached is a task at a browser of its own that the host has not started.
func attached(t *testing.T, network host.RequestNetwork, args ...string) *host.Task {
	t.Helper()
	address, _ := shared.Own(t, args...)
	task, err := common.NewHost(t, host.Options{}).Attach(testContext(t), t.Name(), address, &host.TaskOptions{Network: network})
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// In a browser that the host has not started, no request that Chromium shows reaches an address that is not allowed.
// WebSockets do, and so may what a shared worker requests before it is paused: docs/security.md says so. The test fails
// once a WebSocket does not.
func TestNoRequestOfAnAttachedBrowserReachesARefusedAddress(t *testing.T) {
	t.Parallel()
	tr, dns := setTrap(t), trapped(t)
	_, port := serveAt(t, siteAddress, 0, serviceWorkerSite(tr.Port))
	task := attached(t, host.RequestNetwork{Allow: []string{siteAddress}, Resolver: dns.Resolver}, "--host-resolver-rules=MAP *.trap.example "+trapAddress)
	if _, err := task.Tab("").Navigate(testContext(t), fmt.Sprintf("http://127.0.0.2:%d/", port), nil); err != nil {
		t.Fatal(err)
	}
	evaluate(t, task, goAllWays(tr.Port))
	for name := range ways {
		switch name {
		case "icon", "websocket", "wss", "sharedwork":
		default:
			dns.await(t, name+".trap.example")
		}
	}
	tr.await(t, "tcp websocket.trap.example")
	closeTask(t, task)
	for _, came := range tr.all() {
		switch what, _, _ := strings.Cut(came, ".trap.example"); what {
		case "tcp websocket", "tcp tls", "tcp sharedwork": // tls is that of wss
		default:
			t.Errorf("there came %q", came)
		}
	}
}

// Chromium continues what is paused in a window that closes, but the guard refuses it all the same.
func TestNoWindowThatClosesAtOnceReachesARefusedAddress(t *testing.T) {
	t.Parallel()
	tr := setTrap(t)
	_, port := serveAt(t, siteAddress, 0, page("hello"))
	task := attached(t, host.RequestNetwork{Allow: []string{siteAddress}})
	if _, err := task.Tab("").Navigate(testContext(t), fmt.Sprintf("http://127.0.0.2:%d/", port), nil); err != nil {
		t.Fatal(err)
	}
	evaluate(t, task, fmt.Sprintf(`(async () => {
		const wait = ms => new Promise(done => setTimeout(done, ms)), trap = "http://127.0.0.1:%d/"
		for (let i = 0; i < 20; i++) {
			const gone = open(trap)
			if (i %% 2) await wait(i)
			gone.close()
			const sender = open("/?sender")
			while (!sender.location.search || !sender.document.body) await wait(10)
			sender.navigator.sendBeacon(trap)
			sender.fetch(trap, {keepalive: true, mode: "no-cors"}).catch(() => 0)
			await wait(i)
			sender.close()
		}
	})()`, tr.Port))
	closeTask(t, task)
	for _, came := range tr.all() {
		if came != "tcp tls" { // nothing at all: the browser connects before it asks
			t.Errorf("there came %q", came)
		}
	}
}

func TestANavigationOfAnAttachedBrowserToARefusedAddressIsATypedError(t *testing.T) {
	t.Parallel()
	tr, dns := setTrap(t), trapped(t)
	_, port := serveAt(t, siteAddress, 0, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, fmt.Sprintf("http://redirect.trap.example:%d/", tr.Port), http.StatusFound)
			return
		}
		page("hello").ServeHTTP(w, r)
	}))
	task := attached(t, host.RequestNetwork{Allow: []string{siteAddress}, Resolver: dns.Resolver}, "--host-resolver-rules=MAP site.example "+siteAddress)
	tab, ctx := task.Tab(""), testContext(t)
	if _, err := tab.Navigate(ctx, fmt.Sprintf("http://site.example:%d/", port), nil); err != nil {
		t.Fatalf("what is allowed is not reached: %v", err)
	}
	for url, want := range map[string]host.NetworkRefusedError{
		fmt.Sprintf("http://127.0.0.1:%d/", tr.Port):            {Host: "127.0.0.1", Class: "loopback"},
		fmt.Sprintf("http://user:password@0x7f.1:%d/", tr.Port): {Host: "127.0.0.1", Class: "loopback"},
		fmt.Sprintf("http://localhost:%d/%%zz", tr.Port):        {Host: "localhost", Class: "loopback"},
		fmt.Sprintf("http://127.0.0.2:%d/away", port):           {Host: "redirect.trap.example", Address: trapAddress, Class: "loopback"},
		fmt.Sprintf("http://a.trap.example:%d/", tr.Port):       {Host: "a.trap.example", Address: trapAddress, Class: "loopback"},
		fmt.Sprintf("http://nowhere.example:%d/", tr.Port):      {Host: "nowhere.example", Class: "unresolved"},
		"http://169.254.169.254/latest/meta-data/":              {Host: "169.254.169.254", Class: "metadata"},
		"http://[fd00::1]/":                                     {Host: "fd00::1", Class: "private"},
		"http://[::ffff:10.0.0.1]/":                             {Host: "::ffff:a00:1", Class: "private"},
	} {
		_, err := tab.Navigate(ctx, url, nil)
		var refused *host.NetworkRefusedError
		switch {
		case !errors.Is(err, host.ErrNetworkRefused) || !errors.As(err, &refused):
			t.Errorf("%s: %v, want %s", url, err, host.ErrNetworkRefused)
		case *refused != want || !strings.Contains(err.Error(), "browser.network.allow") || strings.Contains(err.Error(), "password"):
			t.Errorf("%s: %+v: %v, want %+v", url, refused, err, want)
		}
	}
	if came := tr.all(); len(came) > 0 {
		t.Errorf("there came %q", came)
	}
	for _, denied := range task.Snapshot().RecentNavigations {
		if strings.Contains(denied.URL, "password") {
			t.Errorf("the record has the password: %s", denied.URL)
		}
	}
}

// What a task may reach holds in a browser that the host starts, too, whether or not that browser is restricted as
// well: the narrower of both decides. Connections on which nothing is requested are not seen: docs/security.md says so.
func TestALaunchedBrowserReachesOnlyWhatItsTaskAllows(t *testing.T) {
	t.Parallel()
	tr := setTrap(t)
	_, port := serveAt(t, siteAddress, 0, page("hello"))
	for name, allow := range map[string][]string{
		"the browser is not restricted": nil, "the browser is told all": {"all"}, "the browser may reach more": {"loopback"}, "the browser may reach as much": {siteAddress},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			launch := &host.LaunchOptions{Network: host.Network{Allow: allow}}
			task, err := common.NewHost(t, host.Options{}).Launch(testContext(t), t.Name(), launch, &host.TaskOptions{Network: host.RequestNetwork{Allow: []string{siteAddress}}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := task.Tab("").Navigate(testContext(t), fmt.Sprintf("http://%s:%d/", siteAddress, port), nil); err != nil {
				t.Errorf("what is allowed is not reached: %v", err)
			}
			if _, err := task.Tab("").Navigate(testContext(t), fmt.Sprintf("http://%s:%d/", trapAddress, tr.Port), nil); !errors.Is(err, host.ErrNetworkRefused) {
				t.Errorf("what is not allowed: %v, want %s", err, host.ErrNetworkRefused)
			}
			closeTask(t, task)
		})
	}
	t.Cleanup(func() {
		for _, came := range tr.all() {
			if came != "tcp tls" { // or nothing at all
				t.Errorf("there came %q", came)
			}
		}
	})
}

func TestAnAttachedBrowserReachesEverythingUnlessItIsTold(t *testing.T) {
	t.Parallel()
	tr := setTrap(t)
	for name, allow := range map[string][]string{"nothing is said": nil, "all": {"all"}} {
		task := attached(t, host.RequestNetwork{Allow: allow})
		if _, err := task.Tab("").Navigate(testContext(t), fmt.Sprintf("http://127.0.0.1:%d/%s", tr.Port, name[:3]), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		closeTask(t, task)
	}
	if came := len(tr.all()); came < 2 {
		t.Errorf("there came %d requests, want one of each browser", came)
	}
}

func TestWordsOfNoNetworkAreRefusedWhenATaskBegins(t *testing.T) {
	t.Parallel()
	_, err := common.NewHost(t, host.Options{}).Attach(testContext(t), t.Name(), "127.0.0.1:1", &host.TaskOptions{Network: host.RequestNetwork{Allow: []string{"http://x"}}})
	if !errors.Is(err, host.ErrBadArguments) {
		t.Errorf("%v, want %s", err, host.ErrBadArguments)
	}
}
