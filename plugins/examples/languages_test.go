// Package examples_test checks the example plugins that are not written in Go.
package examples_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/module/plugintest"
	"github.com/hermes-cdp/hermes-cdp/plugins/internal/build"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const repository = "../.."

func committed(t *testing.T, m build.Module) []byte {
	t.Helper()
	wasm, err := os.ReadFile(filepath.Join(repository, m.Output))
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func TestOnePolicyInEachLanguageDecidesTheSame(t *testing.T) {
	for _, m := range build.LanguageModules() {
		t.Run(m.Name, func(t *testing.T) {
			table := filepath.Join(repository, build.LanguageGoldenTable)
			sdktest.Run(t, table, plugintest.Wasm(committed(t, m), module.Options{Name: m.Name}))
		})
	}
}

func TestExamplesPassTheChecksOfTheHost(t *testing.T) {
	for _, m := range build.LanguageModules() {
		report, err := module.Check(t.Context(), committed(t, m), module.Options{Name: m.Name})
		if err != nil {
			t.Fatal(err)
		}
		if !report.OK {
			t.Errorf("%s: steps are %+v", m.Name, report.Steps)
		}
	}
}

func TestExamplesUseNothingButTheABI(t *testing.T) {
	for _, m := range build.LanguageModules() {
		report, err := module.Inspect(committed(t, m))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(report.Hooks, []abi.Hook{abi.HookDialog}) {
			t.Errorf("%s: hooks are %v", m.Name, report.Hooks)
		}
		for _, imported := range report.Imports {
			if imported.Module != abi.ImportModule {
				t.Errorf("%s imports %s from %s", m.Name, imported.Name, imported.Module)
			}
		}
	}
}

func TestExamplesCarryTheManifestOfTheirSources(t *testing.T) {
	for _, m := range build.LanguageModules() {
		text, err := os.ReadFile(filepath.Join(repository, m.Source, "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := manifest.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, found, err := manifest.Read(committed(t, m))
		if err != nil || !found || !reflect.DeepEqual(got, want) || want.Name != m.Name {
			t.Errorf("%s: manifest is %+v, %v (%v)\nwant %+v", m.Name, got, found, err, want)
		}
	}
}

func TestCommittedExamplesAreTheRecordedOnes(t *testing.T) {
	record, err := build.ReadRecord(repository, build.LanguageRecordPath)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range build.LanguageModules() {
		if got := build.Hash(committed(t, m)); got != record.Modules[m.Output] {
			t.Errorf("%s has sha256 %s, the record says %q; run make examples", m.Output, got, record.Modules[m.Output])
		}
	}
	if len(record.Modules) != len(build.LanguageModules()) {
		t.Errorf("the record has %d modules, %d are built", len(record.Modules), len(build.LanguageModules()))
	}
}
