package plugin

import (
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
)

// manifested is a fixture with a manifest that names optional imports.
func manifested(t *testing.T, name string, optional ...string) []byte {
	t.Helper()
	m := &abi.Manifest{Name: "probe", Version: "1.0.0", Hooks: []string{string(abi.HookDialog)}, OptionalImports: optional}
	wasm, err := manifest.Write(fixture(t, name), m)
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// What a name means is not guessed: it is required unless the manifest says that it is not.
func TestAnImportThatTheHostLacksIsRequiredUnlessTheManifestSaysOtherwise(t *testing.T) {
	for _, c := range []struct {
		what, fixture string
		optional      []string
		refused       string // empty: it is loaded
	}{
		{"optional", "optional_code", []string{"result_wrote"}, ""},
		{"another is optional", "optional_code", []string{"result_writ"}, "did you mean result_write?; if the module can do without it, list it in optional_imports"},
		{"one that the host has can be named too", "dialog_only", []string{"kv_get", "result_write"}, ""},
		{"a wrong signature stays wrong", "load_wrong_signature", []string{"event_read"}, "its signature is (i32, i32) -> i32"},
		{"one that is no function", "load_imported_memory", []string{"memory"}, "imports hermes_v1.memory, which this host does not have"},
		{"one that cannot answer a code", "optional_i64", []string{"clock_get"}, "as () -> i64 it cannot return an error code"},
	} {
		t.Run(c.what, func(t *testing.T) {
			m, err := Load(ctx0, Source{Name: "probe", Bytes: manifested(t, c.fixture, c.optional...), Limits: unhurried}, Options{})
			if err == nil {
				defer m.Close()
			}
			var load *LoadError
			switch {
			case c.refused == "" && err != nil:
				t.Error(err)
			case c.refused != "" && (!errors.As(err, &load) || load.Step != StepImports || !strings.Contains(load.Detail, c.refused)):
				t.Errorf("error is %v", err)
			}
		})
	}
}
