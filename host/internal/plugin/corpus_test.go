//go:build !race

// Nothing here is concurrent, and the race detector makes the engine's compiler fifteen times slower.

package plugin

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Modules of four compilers give the same verdicts metered and not, on proper events and on garbage, and use the same
// fuel for the same events in the same order.
func TestModulesDecideTheSameWhenTheyAreMetered(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	read := func(path string) []byte {
		wasm, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return wasm
	}
	cases := []struct {
		name  string
		wasm  []byte
		hook  abi.Hook
		event []byte
	}{
		{"dialog-policy, TinyGo", read(filepath.Join(root, "plugins/dist/dialog-policy.wasm")), abi.HookDialog, dialogSample()},
		{"frame-filter, TinyGo", read(filepath.Join(root, "plugins/dist/frame-filter.wasm")), abi.HookFrames, framesSample(40)},
		{"contrary dialog, TinyGo", read(filepath.Join(root, "plugins/contrary/testdata/contrary-dialog.wasm")), abi.HookDialog, dialogSample()},
		{"contrary frames, TinyGo", read(filepath.Join(root, "plugins/contrary/testdata/contrary-frames.wasm")), abi.HookFrames, framesSample(40)},
		{"dialog-policy, Go", goModule(t, root, "./plugins/dialog-policy"), abi.HookDialog, dialogSample()},
		{"frame-filter, Go", goModule(t, root, "./plugins/frame-filter"), abi.HookFrames, framesSample(40)},
		{"C", fixture(t, "c_policy"), abi.HookDialog, dialogSample()},
		{"example, C", read(filepath.Join(root, "plugins/examples/dist/c-policy.wasm")), abi.HookDialog, alertSample()},
		{"example, AssemblyScript", read(filepath.Join(root, "plugins/examples/dist/assemblyscript-policy.wasm")), abi.HookDialog, alertSample()},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			engine := wazero.NewRuntimeConfigCompiler()
			code := metered(t, c.wasm)
			plain := newUnbound(t, engine, c.wasm)
			guests := [2]*unbound{newUnbound(t, engine, code), newUnbound(t, engine, code)}
			random := rand.New(rand.NewPCG(1, 2))
			decided := 0
			for range 300 {
				event := bytes.Clone(c.event)
				for range random.IntN(3) { // the first events are proper ones
					event[random.IntN(len(event))] = byte(random.Uint32())
				}
				status, err := plain.call(plain.guest.ExportedFunction(string(c.hook)), event)
				if err != nil {
					t.Fatalf("%x: %v", event, err)
				}
				if status == abi.StatusDecided {
					decided++
				}
				for _, g := range guests {
					got, err := g.call(g.guest.ExportedFunction(string(c.hook)), event)
					if err != nil || got != status || !bytes.Equal(g.result, plain.result) || g.reason != plain.reason {
						t.Fatalf("%x: metered %d %x %q (%v), else %d %x %q", event, got, g.result, g.reason, err, status, plain.result, plain.reason)
					}
				}
				if a, b := guests[0].fuel(), guests[1].fuel(); a != b || a == 0 {
					t.Fatalf("two guests used %d and %d", a, b)
				}
			}
			if decided == 0 {
				t.Error("no event was decided")
			}
		})
	}
}

// alertSample is a dialog that every example decides on.
func alertSample() []byte {
	return (&abi.DialogEvent{
		Header:  abi.Header{Sequence: 7, TaskConfig: abi.Struct{{Key: "dismiss_word", Value: abi.StringValue("remove")}}},
		Type:    abi.DialogTypeAlert,
		Message: "Do you want to remove it?",
		URL:     "https://example.com/",
	}).Append(nil)
}

// goModule builds a module with the Go toolchain.
func goModule(t *testing.T, root, source string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "module.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-o", out, source)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, text)
	}
	wasm, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}
