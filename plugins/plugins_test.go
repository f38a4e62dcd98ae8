package plugins_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/plugins"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
	"github.com/hermes-cdp/hermes-cdp/plugins/internal/build"
)

// The exports of an imported package are in the module whether they are used or not. The host would call a hook without
// a handler on every event, for nothing.
func TestModulesExportExactlyTheirHooks(t *testing.T) {
	cases := []struct {
		name string
		wasm []byte
		want abi.Hook
	}{
		{"dialog-policy", shipped(t, plugins.DialogPolicy), abi.HookDialog},
		{"frame-filter", shipped(t, plugins.FrameFilter), abi.HookFrames},
		{"contrary-dialog", contrary.Dialog(), abi.HookDialog},
		{"contrary-frames", contrary.Frames(), abi.HookFrames},
		{"contrary-request", contrary.Request(), abi.HookRequest},
	}
	// TinyGo's runtime exports the last four.
	always := []string{"memory", "_initialize", abi.ExportMarker, abi.ExportInit, "fmaximum", "fmaximumf", "fminimum", "fminimumf"}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report, err := module.Inspect(c.wasm)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, export := range report.Exports {
				got = append(got, export.Name)
			}
			want := append([]string{string(c.want)}, always...)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("exports are %v\nwant %v", got, want)
			}
			if !slices.Equal(report.Hooks, []abi.Hook{c.want}) {
				t.Errorf("hooks are %v", report.Hooks)
			}
		})
	}
}

func TestModulesImportNothingButTheABI(t *testing.T) {
	for _, name := range plugins.Names() {
		report, err := module.Inspect(shipped(t, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, imported := range report.Imports {
			if imported.Module != abi.ImportModule {
				t.Errorf("%s imports %s from %s", name, imported.Name, imported.Module)
			}
		}
	}
}

func TestModulesPassTheChecksOfTheHost(t *testing.T) {
	for _, m := range build.Modules() {
		t.Run(m.Name, func(t *testing.T) {
			wasm, err := os.ReadFile(filepath.Join("..", m.Output))
			if err != nil {
				t.Fatal(err)
			}
			report, err := module.Check(t.Context(), wasm, module.Options{Functions: needs(t, wasm)})
			if err != nil {
				t.Fatal(err)
			}
			if !report.OK {
				t.Errorf("steps: %+v", report.Steps)
			}
		})
	}
}

func TestModulesCarryTheManifestOfTheirSources(t *testing.T) {
	for _, m := range build.Modules() {
		t.Run(m.Name, func(t *testing.T) {
			source, err := manifest.ReadFile(filepath.Join("..", m.Source, "manifest.json"))
			if err != nil {
				t.Fatal(err)
			}
			want := source.Manifest
			wasm, err := os.ReadFile(filepath.Join("..", m.Output))
			if err != nil {
				t.Fatal(err)
			}
			got, found, err := manifest.Read(wasm)
			if err != nil || !found || !reflect.DeepEqual(got, want) {
				t.Errorf("manifest is %+v, %v (%v)\nwant %+v", got, found, err, want)
			}
			if want.Name != m.Name {
				t.Errorf("the manifest calls it %q", want.Name)
			}
		})
	}
}

func TestCommittedModulesAreTheRecordedOnes(t *testing.T) {
	record, err := build.ReadRecord("..", build.RecordPath)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range build.Modules() {
		wasm, err := os.ReadFile(filepath.Join("..", m.Output))
		if err != nil {
			t.Fatal(err)
		}
		if got := build.Hash(wasm); got != record.Modules[m.Output] {
			t.Errorf("%s has sha256 %s, BUILD.json says %q; run make plugins", m.Output, got, record.Modules[m.Output])
		}
	}
	if len(record.Modules) != len(build.Modules()) {
		t.Errorf("BUILD.json has %d modules, %d are built", len(record.Modules), len(build.Modules()))
	}
}

func TestModuleFindsWhatNamesLists(t *testing.T) {
	for _, name := range plugins.Names() {
		wasm, err := os.ReadFile(filepath.Join("dist", name+".wasm"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(shipped(t, name), wasm) {
			t.Errorf("%s is not dist/%s.wasm", name, name)
		}
	}
	if _, ok := plugins.Module("no-such-module"); ok {
		t.Error("a module that does not exist is shipped")
	}
}
