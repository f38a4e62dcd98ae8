package control

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// A browser that is not started here would reach the network without the proxy of the configuration, which nobody would
// notice.
func TestABrowserThatWouldNotUseTheProxyIsRefused(t *testing.T) {
	h, err := host.New(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(t.Context()) })
	const nowhere = "127.0.0.1:1"
	for name, c := range map[string]struct {
		settings Settings
		request  ConnectRequest
		refused  bool
	}{
		"a configured address":         {Settings{Address: nowhere}, ConnectRequest{}, true},
		"an address of the request":    {Settings{}, ConnectRequest{Address: nowhere}, true},
		"the browser that is running":  {Settings{}, ConnectRequest{Address: host.Running}, true},
		"a rented browser":             {Settings{Rent: &host.RentOptions{}}, ConnectRequest{}, true},
		"it is known":                  {Settings{Address: nowhere}, ConnectRequest{NoProxy: true}, false},
		"a browser that is started":    {Settings{}, ConnectRequest{}, false},
		"started in spite of the rest": {Settings{Address: nowhere}, ConnectRequest{Launch: true}, false},
	} {
		for proxy, refused := range map[string]bool{"": false, "socks5://127.0.0.1:2": c.refused} {
			c.settings.Launch = host.LaunchOptions{Executable: "/nonexistent/browser", Network: host.Network{Proxy: proxy}}
			l := &Local{Host: h, Settings: func() Settings { return c.settings }}
			_, err := l.Connect(t.Context(), c.request)
			if got := errors.Is(err, fault.ErrBadRequest) && strings.Contains(err.Error(), "browser.proxy"); got != refused || err == nil {
				t.Errorf("%s, proxy %q: %v", name, proxy, err)
			}
		}
	}
}

// A shell's next command may come while the daemon is still starting its browser.
func TestACallWaitsForTheTaskThatIsStarting(t *testing.T) {
	h, err := host.New(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(t.Context()) })
	starting := make(chan struct{})
	l := &Local{Host: h, Starting: starting}
	ctx, cancel := context.WithCancelCause(t.Context())
	impatient := errors.New("impatient")
	cancel(impatient)
	if _, err := l.Snapshot(ctx, ""); !errors.Is(err, impatient) {
		t.Errorf("a caller that leaves gets %v", err)
	}
	close(starting)
	if _, err := l.Snapshot(t.Context(), ""); !errors.Is(err, fault.ErrNoTask) {
		t.Errorf("without a task it gets %v", err)
	}
}
