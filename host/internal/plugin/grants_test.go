package plugin

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// A module that asks for more than it gets is loaded, and the operator is told.
func TestCapabilitiesThatAreAskedForAndNotGrantedAreNamed(t *testing.T) {
	manifest := abi.Manifest{Name: "m", Version: "1.0.0", Hooks: []string{"hermes_on_dialog"}, Capabilities: []string{"kv", "state"}}
	wasm := withCustom(fixture(t, "dialog_only"), abi.ManifestSection, manifest.Append(nil))
	cases := map[string]struct {
		granted []abi.Capability
		missing string
	}{
		"nothing":   {nil, "asks for kv, state, which is not granted"},
		"one":       {[]abi.Capability{abi.CapabilityKV}, "asks for state, which is not granted"},
		"both":      {[]abi.Capability{abi.CapabilityState, abi.CapabilityKV}, ""},
		"even more": {abi.Capabilities(), ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			log := newRecorder(slog.LevelInfo)
			source := Source{Name: "m", Bytes: wasm, Capabilities: c.granted}
			p, err := Prepare(context.Background(), source, Options{Logger: slog.New(log)})
			if err != nil {
				t.Fatal(err)
			}
			remark, err := p.Check(StepManifest)
			if err != nil || (remark == "") != (c.missing == "") || !strings.Contains(remark, c.missing) {
				t.Errorf("remark is %q, %v, want %q", remark, err, c.missing)
			}
			m, err := p.Start(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			info := m.Info()
			if !slices.Equal(info.Asked, []abi.Capability{"kv", "state"}) || !slices.Equal(info.Granted, c.granted) {
				t.Errorf("asked for %v, granted %v", info.Asked, info.Granted)
			}
			if info.Has(abi.CapabilityKV) != slices.Contains(c.granted, abi.CapabilityKV) {
				t.Error("Has does not say what is granted")
			}
			warnings := log.said("plugin asks for more than it is granted")
			if len(warnings) > 0 != (c.missing != "") {
				t.Errorf("warnings are %v", warnings)
			}
		})
	}
}

// Operators grant what the manifest asks for, so that it says less than the module imports must not stay unseen.
func TestImportsThatTheManifestDoesNotAskForAreNamed(t *testing.T) {
	for name, c := range map[string]struct {
		asked    []string
		granted  []abi.Capability
		contains []string
	}{
		"neither asked for nor granted": {nil, nil, []string{
			"it imports state_get (state), kv_get (kv), kv_set (kv)", "which is not granted", "its manifest does not ask for what it imports, state_get (state), kv_get (kv)",
		}},
		"one asked for and granted": {[]string{"kv"}, []abi.Capability{abi.CapabilityKV}, []string{
			"it imports state_get (state), which is not granted", "does not ask for what it imports, state_get (state):",
		}},
		"one asked for, none granted": {[]string{"kv"}, nil, []string{"its manifest asks for kv, and it imports state_get (state), which is not granted"}},
		"granted unasked":             {nil, abi.Capabilities(), []string{"its manifest does not ask for what it imports, state_get (state), kv_get (kv)"}},
		"all asked for and granted":   {[]string{"kv", "state"}, abi.Capabilities(), nil},
	} {
		t.Run(name, func(t *testing.T) {
			wasm := fixture(t, "imports")
			hooks := exported(t, wasm)
			manifest := abi.Manifest{
				Name: "m", Version: "1.0.0", Hooks: hooks, Capabilities: c.asked,
				Tools: []abi.ManifestTool{{Name: "any", Description: "Any."}},
			}
			source := Source{Name: "m", Bytes: withCustom(wasm, abi.ManifestSection, manifest.Append(nil)), Capabilities: c.granted}
			p, err := Prepare(t.Context(), source, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			remark, err := p.Check(StepManifest)
			if err != nil || (remark == "") != (c.contains == nil) {
				t.Fatalf("remark is %q, %v", remark, err)
			}
			for _, part := range c.contains {
				if !strings.Contains(remark, part) {
					t.Errorf("%q does not say %q", remark, part)
				}
			}
		})
	}
}

// exported lists the hooks that a module exports.
func exported(t *testing.T, wasm []byte) []string {
	t.Helper()
	p, err := Prepare(t.Context(), Source{Name: "m", Bytes: wasm}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var names []string
	for _, hook := range HooksOf(p.file) {
		names = append(names, string(hook))
	}
	return names
}
