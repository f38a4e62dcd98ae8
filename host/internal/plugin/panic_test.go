//go:build !race

// Nothing here is concurrent, and the race detector makes the engine's compiler fifteen times slower.

package plugin

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// A panic of a guest shows its message and the functions of the source that it went through.
func TestAPanicOfAGuestIsLegible(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	event := (&abi.DialogEvent{Message: "this\x1b"}).Append(nil)
	cases := []struct {
		compiler string
		wasm     []byte
		function string // that panics; TinyGo inlines
	}{
		{"Go", goModule(t, root, "./host/internal/plugin/testdata/panicking"), "main.decide"},
		{"TinyGo", fixture(t, "panicking"), "main.init#1$1"},
	}
	for _, c := range cases {
		t.Run(c.compiler, func(t *testing.T) {
			m, err := Load(ctx0, Source{Name: "panicking", Bytes: c.wasm, Limits: unhurried}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			for range 2 { // the second call is on another instance
				_, err = m.Call(ctx0, abi.HookDialog, event, nil)
				f := faultOf(t, err)
				if f.Kind != FaultTrap || f.Output != `panic: no rule for this\x1b` {
					t.Errorf("fault is %s: %s", f.Kind, f.Output)
				}
				if functions := strings.Split(f.Trace, "\n"); !inOrder(functions, c.function, "dialog.onDialog") {
					t.Errorf("the stack is %q", functions)
				}
			}
			if _, err = m.Call(ctx0, abi.HookDialog, nil, nil); err != nil {
				t.Errorf("a call that does not panic: %v", err)
			}
		})
	}
}

// inOrder reports whether the first of the names is a line, and the second is in a later one.
func inOrder(lines []string, first, second string) bool {
	found := false
	for _, line := range lines {
		if found && strings.Contains(line, second) {
			return true
		}
		found = found || line == first
	}
	return false
}
