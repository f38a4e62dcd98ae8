package network

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// page is a handler of one page.
func page(html string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/favicon.ico" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, html)
	})
}

// trapped answers for every name below trap.example with the address where nothing may come, and for site.example with
// that of the site.
func trapped(t *testing.T) *names {
	t.Helper()
	return serveNames(t, func(name string) []string {
		switch {
		case name == "site.example":
			return []string{siteAddress}
		case name == "trap.example", strings.HasSuffix(name, ".trap.example"):
			return []string{trapAddress}
		}
		return nil
	})
}

func TestAnAddressThatMayNotBeReachedIsATypedErrorInEveryForm(t *testing.T) {
	t.Parallel()
	tr, dns := setTrap(t), trapped(t)
	_, port := serveAt(t, siteAddress, 0, page("hello"))
	task := launch(t, host.Network{Allow: []string{siteAddress}, Resolver: dns.Resolver})
	tab, ctx := task.Tab(""), testContext(t)
	for _, name := range []string{"http://site.example:%d", "http://127.0.0.2:%d"} {
		if _, err := tab.Navigate(ctx, fmt.Sprintf(name, port), nil); err != nil {
			t.Fatalf("what is allowed is not reached: %v", err)
		}
	}
	for url, class := range map[string]string{
		"http://127.0.0.1:%d/": "loopback", "https://127.0.0.1:%d/": "loopback", "http://2130706433:%d/": "loopback", "http://0x7f.1:%d/": "loopback",
		"http://0177.0.0.1:%d/": "loopback", "http://127.1:%d/": "loopback", "http://localhost:%d/": "loopback", "http://localhost.:%d/": "loopback",
		"http://a.localhost:%d/": "loopback", "http://[::1]:%d/": "loopback", "http://[::ffff:127.0.0.1]:%d/": "loopback",
		"http://[::ffff:7f00:1]:%d/": "loopback", "http://0.0.0.0:%d/": "loopback", "http://[::]:%d/": "loopback", "http://[64:ff9b::7f00:1]:%d/": "loopback",
		"http://user:password@127.0.0.1:%d/": "loopback", "http://a.trap.example:%d/": "loopback", "https://a.trap.example.:%d/": "loopback",
		"http://10.0.0.1:%d/": "private", "http://[fd00::1]:%d/": "private", "http://169.254.169.254:%d/latest/meta-data/": "metadata",
		"http://metadata.google.internal:%d/": "metadata", "http://169.254.1.1:%d/": "link-local", "http://[fe80::1]:%d/": "link-local",
		"http://255.255.255.255:%d/": "special",
	} {
		_, err := tab.Navigate(ctx, fmt.Sprintf(url, tr.Port), nil)
		var refused *host.NetworkRefusedError
		switch {
		case !errors.Is(err, host.ErrNetworkRefused) || !errors.Is(err, host.ErrNavigate) || !errors.As(err, &refused):
			t.Errorf("%s: %v, want %s", url, err, host.ErrNetworkRefused)
		case refused.Class != class || !strings.Contains(err.Error(), "browser.network.allow") || strings.Contains(err.Error(), "password"):
			t.Errorf("%s: %+v: %v, want the class %s and the key", url, refused, err, class)
		}
	}
	if came := tr.all(); len(came) > 0 {
		t.Errorf("refused, and yet there came %q", came)
	}
}

// What a browser says of an address that it cannot reach is not lost behind the proxy.
func TestWhatCannotBeReachedIsWhatABrowserWithoutAGuardSays(t *testing.T) {
	t.Parallel()
	closed, port := serveAt(t, siteAddress, 0, nil)
	closed.Close()
	dns := trapped(t)
	task := launch(t, host.Network{Allow: []string{siteAddress}, Resolver: dns.Resolver})
	for url, want := range map[string]string{
		"http://site.example:%d/": "net::ERR_CONNECTION_REFUSED", "https://site.example:%d/": "net::ERR_CONNECTION_REFUSED",
		"http://nowhere.example:%d/": "net::ERR_NAME_NOT_RESOLVED", "https://nowhere.example:%d/": "net::ERR_NAME_NOT_RESOLVED",
	} {
		_, err := task.Tab("").Navigate(testContext(t), fmt.Sprintf(url, port), nil)
		if !errors.Is(err, host.ErrNavigate) || errors.Is(err, host.ErrNetworkRefused) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %s", url, err, want)
		}
	}
}

func TestARedirectToARefusedAddressIsRefused(t *testing.T) {
	t.Parallel()
	tr, dns := setTrap(t), trapped(t)
	_, port := serveAt(t, siteAddress, 0, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, fmt.Sprintf("http://redirect.trap.example:%d/", tr.Port), http.StatusFound)
	}))
	task := launch(t, host.Network{Allow: []string{siteAddress}, Resolver: dns.Resolver})
	_, err := task.Tab("").Navigate(testContext(t), fmt.Sprintf("http://site.example:%d/", port), nil)
	var refused *host.NetworkRefusedError
	if !errors.As(err, &refused) || refused.Host != "redirect.trap.example" || refused.Address != trapAddress || len(tr.all()) > 0 {
		t.Errorf("%v; there came %q", err, tr.all())
	}
}

// A name is resolved for each connection, and the address of that answer is the one that is checked and connected to.
func TestANameThatChangesItsAddressIsRefused(t *testing.T) {
	t.Parallel()
	tr := setTrap(t)
	var rebound atomic.Bool
	dns := serveNames(t, func(name string) []string {
		switch {
		case name == "both.example":
			return []string{trapAddress, siteAddress}
		case name == "rebind.example" && rebound.Load():
			return []string{trapAddress}
		}
		return []string{siteAddress}
	})
	served := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		_, _ = io.WriteString(w, "the site")
	}
	serveAt(t, siteAddress, tr.Port, http.HandlerFunc(served))
	task := launch(t, host.Network{Allow: []string{siteAddress}, Resolver: dns.Resolver})
	if _, err := task.Tab("").Navigate(testContext(t), fmt.Sprintf("http://rebind.example:%d/", tr.Port), nil); err != nil {
		t.Fatal(err)
	}
	const fetch = "fetch('/again', {cache: 'no-store'}).then(r => r.text(), e => 'failed')"
	if got := evaluate(t, task, fetch); got != `"the site"` {
		t.Fatalf("before the change: %s", got)
	}
	rebound.Store(true)
	if got := evaluate(t, task, fetch); got != `"failed"` {
		t.Errorf("after the change: %s", got)
	}
	if _, err := task.Tab("").Navigate(testContext(t), fmt.Sprintf("http://both.example:%d/", tr.Port), nil); err != nil {
		t.Errorf("a name of which one address may be reached: %v", err)
	}
	if came := tr.all(); len(came) > 0 {
		t.Errorf("there came %q", came)
	}
}
