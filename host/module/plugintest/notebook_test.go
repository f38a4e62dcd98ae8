package plugintest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/module/plugintest"
	"github.com/hermes-cdp/hermes-cdp/plugins"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// goBuild builds the plugin in a directory with the Go toolchain, which leaves names in a module.
func goBuild(t *testing.T, dir string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "module.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-o", out, ".")
	cmd.Dir = dir
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

// The same table runs natively in the plugin's own package.
func TestStoreAndStateAreTheSameInAModule(t *testing.T) {
	sdktest.Run(t, "../../../sdk/sdktest/internal/notebook/testdata/golden.json", plugintest.Wasm(goBuild(t, "../../../sdk/sdktest/internal/notebook"), module.Options{}))
}

func TestAPanicInAModuleIsAnErrorWithItsStack(t *testing.T) {
	runner, err := plugintest.Wasm(goBuild(t, "../../../sdk/sdktest/internal/notebook"), module.Options{})(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	event := (&abi.DialogEvent{Message: "panic over nothing"}).Append(nil)
	_, err = runner.Call(t.Context(), abi.HookDialog, event)
	if err == nil || !strings.Contains(err.Error(), "over nothing") || !strings.Contains(err.Error(), "main.stumble") {
		t.Errorf("error is %v", err)
	}
}

// A module imports only the functions that it uses, so other hosts need not have the rest.
func TestOnlyModulesThatUseThemImportStoreAndState(t *testing.T) {
	policy, _ := plugins.Module(plugins.DialogPolicy)
	optional := []string{abi.ImportKVDelete, abi.ImportKVGet, abi.ImportKVList, abi.ImportKVSet, abi.ImportStateGet}
	for _, c := range []struct {
		name string
		wasm []byte
		want []string
	}{
		{"without, by TinyGo", policy, nil},
		{"without, by Go", goBuild(t, "../../../plugins/dialog-policy"), nil},
		{"with both, by Go", goBuild(t, "../../../sdk/sdktest/internal/notebook"), optional},
	} {
		report, err := module.Inspect(c.wasm)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, imported := range report.Imports {
			if imported.Module == abi.ImportModule && slices.Contains(optional, imported.Name) {
				got = append(got, imported.Name)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: imports %v, want %v", c.name, got, c.want)
		}
	}
}
