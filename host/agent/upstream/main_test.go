package upstream

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// pluginCache is the directory of compiled modules that all tests share, set once before them: under the race detector
// the compiler takes longer than most tests.
var pluginCache string

// TestMain is also the program of the servers that tests start.
func TestMain(m *testing.M) {
	if mode := os.Getenv(serverMode); mode != "" {
		serveTest(mode)
		return
	}
	var err error
	if pluginCache, err = os.MkdirTemp("", "hermes-upstream-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if err := os.RemoveAll(pluginCache); err != nil {
			fmt.Fprintln(os.Stderr, "the plugin cache:", err)
			code = max(code, 1)
		}
		os.Exit(code)
	}))
}
