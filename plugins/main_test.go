package plugins_test

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/plugins/internal/build"
)

// compiled is the directory of compiled code that all tests share, set once before them: a Go module takes the engine
// half a second, and a table loads its module once for each configuration.
var compiled string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) (code int) {
	var err error
	if compiled, err = os.MkdirTemp("", "hermes-plugins-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := os.RemoveAll(compiled); err != nil {
			fmt.Fprintln(os.Stderr, "the compiled modules:", err)
			code = max(code, 1)
		}
	}()
	return m.Run()
}

var byGo sync.Map // by the name of the module

// builtByGo is a module as the Go toolchain builds it, built once.
func builtByGo(t *testing.T, m build.Module) []byte {
	t.Helper()
	if wasm, ok := byGo.Load(m.Name); ok {
		return wasm.([]byte)
	}
	wasm, err := build.Go(t.Context(), "..", m)
	if err != nil {
		t.Fatal(err)
	}
	byGo.Store(m.Name, wasm)
	return wasm
}
