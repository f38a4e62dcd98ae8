package pages

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// pluginCache is the folder of compiled modules that all tests share, set once before them.
var pluginCache string

// common is the browser that most tests share.
var common shared.Browser

func TestMain(m *testing.M) {
	var err error
	if pluginCache, err = os.MkdirTemp("", "hermes-pages-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	for what, clean := range map[string]func() error{
		"the plugin cache": func() error { return os.RemoveAll(pluginCache) }, "the shared browser": common.Close,
	} {
		if err := clean(); err != nil {
			fmt.Fprintln(os.Stderr, what, err)
			code = 1
		}
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}
