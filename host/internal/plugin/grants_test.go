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
