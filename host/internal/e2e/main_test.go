package e2e

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
)

// pluginCache is the folder of compiled modules, set once before the tests.
var pluginCache string

func TestMain(m *testing.M) {
	var err error
	if pluginCache, err = os.MkdirTemp("", "hermes-e2e-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := os.RemoveAll(pluginCache); err != nil {
		fmt.Fprintln(os.Stderr, "the plugin cache:", err)
		code = 1
	}
	if err := common.close(); err != nil {
		fmt.Fprintln(os.Stderr, "the shared browser:", err)
		code = 1
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// common is the browser that most tests share: each has a browser context of its own there. Tests that may wound a whole
// browser start their own, see [ownBrowser].
var common sharedBrowser

type sharedBrowser struct {
	once    sync.Once
	process *browser.Process
	err     error
}

// address gives the browser's WebSocket address and starts the browser for the first caller.
func (b *sharedBrowser) address(t *testing.T) string {
	t.Helper()
	b.once.Do(func() { b.process, b.err = launch(context.Background()) })
	if b.err != nil {
		t.Fatal(b.err)
	}
	select {
	case <-b.process.Done():
		t.Fatalf("the shared browser ended: %v", b.process.Err())
	default:
	}
	return b.process.WebSocketURL()
}

func (b *sharedBrowser) close() error {
	if b.process == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return b.process.Close(ctx)
}

// launch starts a browser that any number of clients can connect to. Every site has processes of its own, as on a desktop.
func launch(ctx context.Context) (*browser.Process, error) {
	return browser.Launch(ctx, browser.LaunchOptions{Transport: browser.TransportPort, Args: []string{"--site-per-process"}})
}

// ownBrowser starts a browser for one test and gives its WebSocket address.
func ownBrowser(t *testing.T) (address string, process *browser.Process) {
	t.Helper()
	process, err := launch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := process.Close(ctx); err != nil {
			t.Errorf("the browser did not end cleanly: %v", err)
		}
	})
	return process.WebSocketURL(), process
}
