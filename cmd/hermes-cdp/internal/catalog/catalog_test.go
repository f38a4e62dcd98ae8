package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
)

const fixtures = "../../../../host/internal/plugin/testdata/"

var shipped = Shipped{
	Names:  func() []string { return []string{"frame-filter"} },
	Module: func(name string) ([]byte, bool) { return []byte("no wasm"), name == "frame-filter" },
}

func TestListTellsWhatEachModuleIs(t *testing.T) {
	wasm, err := os.ReadFile(fixtures + "abstain.wasm")
	if err != nil {
		t.Fatal(err)
	}
	every := abi.Grants()
	good := entry("x", config.Plugin{Path: fixtures + "abstain.wasm", Hooks: every}, shipped)
	if good.Problem != "" || len(good.SHA256) != 64 || len(good.Hooks) != len(abi.Hooks()) || len(good.Bytes) != len(wasm) || good.Source != SourceFile {
		t.Fatalf("the entry is %+v", good)
	}
	for _, test := range []struct {
		name, plugin, problem string
		configured            config.Plugin
	}{
		{"the digest that is configured", "x", "", config.Plugin{Path: fixtures + "abstain.wasm", SHA256: good.SHA256, Hooks: every}},
		{"hooks that are not granted", "x", "it serves frames, bridge, navigate, request, tool, before-tool, after-tool, console, snapshot, download, upload, which plugins.x.hooks does not grant",
			config.Plugin{Path: fixtures + "abstain.wasm", Hooks: []string{"dialog", "dialog-closed"}}},
		{"no hook that is granted", "x", "plugins.x.hooks does not grant", config.Plugin{Path: fixtures + "dialog_only.wasm", ExtraHooks: "ignore"}},
		{"hooks that are ignored", "x", "", config.Plugin{Path: fixtures + "abstain.wasm", Hooks: []string{"dialog"}, ExtraHooks: "ignore"}},
		{"another digest", "x", "plugins.x.sha256 is " + strings.Repeat("0", 64), config.Plugin{Path: fixtures + "abstain.wasm", SHA256: strings.Repeat("0", 64)}},
		{"a file that is not there", "x", "no such file", config.Plugin{Path: "/no/such"}},
		{"a directory", "x", "is a directory", config.Plugin{Path: fixtures}},
		{"a shipped module that is broken", "frame-filter", "magic", config.Plugin{}},
		{"a module that is not shipped", "x", "[frame-filter] are): set plugins.x.path", config.Plugin{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := entry(test.plugin, test.configured, shipped)
			if test.problem == "" && got.Problem != "" || !strings.Contains(got.Problem, test.problem) {
				t.Errorf("the problem is %q, want %q", got.Problem, test.problem)
			}
		})
	}
}

func TestAModuleAtAnAddressIsNotDownloaded(t *testing.T) {
	digest := strings.Repeat("0", 64)
	got := entry("x", config.Plugin{URL: "https://nowhere.invalid/x/secret-1.wasm?token=secret", SHA256: digest}, shipped)
	if got.Source != SourceAddress || got.SHA256 != digest || got.Bytes != nil || got.Problem != "" || strings.Contains(got.URL, "secret") {
		t.Errorf("the entry is %+v", got)
	}
}

func TestListIsSortedAndCountsAConfiguredShippedModuleOnce(t *testing.T) {
	cfg := &config.Config{Plugins: map[string]config.Plugin{"zebra": {Path: "z"}, "frame-filter": {}, "ant": {Path: "a"}}}
	var names []string
	for _, e := range List(cfg, shipped) {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, " "); got != "ant frame-filter zebra" {
		t.Errorf("the names are %s", got)
	}
}

func TestAFileOverTheLimitIsNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.wasm")
	if err := os.WriteFile(path, make([]byte, 1<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(path, config.Limits{ModuleMB: 1}); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("the error is %v", err)
	}
	if _, err := ReadFile(path, config.Limits{}); err != nil {
		t.Errorf("it does not fit the default: %v", err)
	}
}
