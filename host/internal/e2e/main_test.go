package e2e

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
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
	if err := common.Close(); err != nil {
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

// common is the browser that most tests share. Tests that may wound a whole browser start their own, see [ownBrowser].
var common shared.Browser

// ownBrowser starts a browser for one test and gives its WebSocket address.
func ownBrowser(t *testing.T) (address string, process *browser.Process) {
	t.Helper()
	return shared.Own(t)
}
