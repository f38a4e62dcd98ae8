package replay

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// Each call is made in a child process before it is made here; without a child there is no replay.
func TestAReplayWithoutATrialIsNone(t *testing.T) {
	dir := dialogs(t)
	tried := Module{Name: "dialog-policy", Wasm: shipped(t, "dialog-policy"), Trial: module.Trial{Command: []string{filepath.Join(t.TempDir(), "none")}}}
	_, err := Record(t.Context(), dir, tried, Options{})
	var refused *module.LoadError
	var lost *module.TrialError
	if !errors.As(err, &refused) || refused.Step != "trial" || !errors.As(err, &lost) {
		t.Errorf("error is %v", err)
	}
	tried.Trial.Off = true
	without, err := Record(t.Context(), dir, tried, Options{})
	if err != nil {
		t.Fatal(err)
	}
	tried.Trial = module.Trial{}
	with, err := Record(t.Context(), dir, tried, Options{})
	if err != nil || with.Calls == 0 || with.Calls != without.Calls || with.Different != without.Different || with.FuelAfter != without.FuelAfter {
		t.Errorf("in a child first %+v (%v)\nwithout one %+v", with, err, without)
	}
}
