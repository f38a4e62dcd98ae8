// Package shared starts the one browser that most end-to-end tests of a package use: each has a browser context of its own
// there.
package shared

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
)

// Browser is started for the first test that asks for its address. The zero value is ready.
type Browser struct {
	once    sync.Once
	process *browser.Process
	err     error
}

// Address gives the browser's WebSocket address.
func (b *Browser) Address(t *testing.T) string {
	t.Helper()
	b.once.Do(func() { b.process, b.err = Launch(context.Background()) })
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

// Close ends the browser, if any, after all tests.
func (b *Browser) Close() error {
	if b.process == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return b.process.Close(ctx)
}

// Launch starts a browser that any number of clients can connect to. Every site has processes of its own, as on a desktop.
func Launch(ctx context.Context) (*browser.Process, error) {
	return browser.Launch(ctx, browser.LaunchOptions{Transport: browser.TransportPort, Args: []string{"--site-per-process"}})
}

// Own starts a browser for one test, which may wound it, and gives its WebSocket address.
func Own(t *testing.T) (address string, process *browser.Process) {
	t.Helper()
	process, err := Launch(t.Context())
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
