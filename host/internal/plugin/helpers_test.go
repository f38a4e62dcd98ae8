package plugin

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture returns the bytes of testdata/name.wasm.
func fixture(t testing.TB, name string) []byte {
	t.Helper()
	wasm, err := os.ReadFile(filepath.Join("testdata", name+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// unhurried are time limits for modules that end by themselves: a busy machine can take the CPU away for longer than
// the defaults.
var unhurried = Limits{HookTimeout: time.Minute, InitTimeout: time.Minute}

// load loads a fixture and closes it when the test ends. Time limits that the test does not give are unhurried.
func load(t testing.TB, name string, limits Limits, opts ...func(*Source, *Options)) *Module {
	t.Helper()
	limits.HookTimeout = cmp.Or(limits.HookTimeout, unhurried.HookTimeout)
	limits.InitTimeout = cmp.Or(limits.InitTimeout, unhurried.InitTimeout)
	source := Source{Name: name, Bytes: fixture(t, name), Limits: limits}
	var options Options
	for _, o := range opts {
		o(&source, &options)
	}
	m, err := Load(context.Background(), source, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Errorf("close %s: %v", name, err)
		}
	})
	return m
}

// call runs a hook and returns a copy of the verdict.
func call(ctx context.Context, m *Module, hook abi.Hook, event []byte) (Result, []byte, error) {
	var verdict []byte
	res, err := m.Call(ctx, hook, event, func(v []byte) error {
		verdict = append(verdict, v...)
		return nil
	})
	return res, verdict, err
}

// faultOf returns the fault in an error and fails the test if there is none.
func faultOf(t testing.TB, err error) *Fault {
	t.Helper()
	var fault *Fault
	if !errors.As(err, &fault) {
		t.Fatalf("error is %v, want a *Fault", err)
	}
	return fault
}
