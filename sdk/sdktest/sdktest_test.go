package sdktest_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/module/plugintest"
	"github.com/hermes-cdp/hermes-cdp/plugins"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// policy opens the shipped dialog policy.
func policy() sdktest.Opener {
	wasm, _ := plugins.Module(plugins.DialogPolicy)
	return plugintest.Wasm(wasm, module.Options{})
}

func TestCheckReportsWhatACaseGotInstead(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"the wrong verdict", `{"event":{"type":"alert"},"verdict":{"action":"accept"}}`,
			`verdict is {"action":"hold","timeout_ms":300000,"rule":"policy must_respond"}` + "\n" + `want {"action":"accept"}`},
		{"a verdict where an error is wanted", `{"event":{},"error":"no"}`, `status is decided "", want the error "no"`},
		{"a verdict where none is wanted", `{"event":{},"abstain":true}`, `status is decided "", want to abstain`},
		{"an error where a verdict is wanted", `{"event":{"policy":"x"},"verdict":{"action":"hold"}}`, `status is error "unknown policy`},
		{"a configuration that is refused", `{"config":{"policy":"x"},"verdict":{"action":"hold"}}`, `the configuration was refused`},
		{"a configuration that is accepted", `{"config":{},"init_error":"no"}`, `the configuration was accepted, want the error "no"`},
		{"nothing expected", `{"event":{}}`,
			`the case expects nothing: state the verdict you want; the module gave {"action":"hold","timeout_ms":300000,"rule":"policy must_respond"}`},
		{"the verdict null", `{"event":{"policy":"x"},"verdict":null}`,
			`the case expects nothing: state the verdict you want; the module gave "error": "unknown policy \"x\"`},
		{"two expectations", `{"event":{},"abstain":true,"error":"no"}`, "the case expects abstain and error: give only one"},
		{"a store that stays empty", `{"verdict":{"action":"hold","timeout_ms":300000,"rule":"policy must_respond"},"kv_after":{"a":"1"}}`,
			`the store has no "a", want "1"`},
		{"a store that stays as it was", `{"kv":{"a":"1","b":{"base64":"/w=="}},"verdict":{"action":"hold","timeout_ms":300000,"rule":"policy must_respond"},"kv_after":{"a":"2"}}`,
			`the store has "1" under "a", want "2"` + "\n" + `the store has "\xff" under "b", want nothing there`},
		{"a capability that does not exist", `{"capabilities":["files"],"abstain":true}`, `capabilities: "files" is none; there are [kv state page]`},
		{"an event with an unknown key", `{"event":{"typ":"alert"},"abstain":true}`, "event: "},
		{"a verdict with an unknown key", `{"verdict":{"act":"hold"}}`, "verdict: "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "golden.json")
			text := `{"hook":"hermes_on_dialog","cases":[` + strings.Replace(c.text, "{", `{"name":"case",`, 1) + `]}`
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			table, err := sdktest.ReadTable(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := table.Check(t.Context(), policy()); err == nil || !strings.HasPrefix(err.Error(), "case: "+c.want) {
				t.Errorf("error is %v\nwant case: %s", err, c.want)
			}
		})
	}
}

func TestReadTableRefusesUnknownKeysAndEmptyTables(t *testing.T) {
	for _, text := range []string{`{"hook":"hermes_on_dialog"}`, `{"hook":"h","cases":[{"nam":"x"}]}`, `nonsense`} {
		path := filepath.Join(t.TempDir(), "golden.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := sdktest.ReadTable(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error is %v", text, err)
		}
	}
}

func TestAHookThatIsNotServedIsAnError(t *testing.T) {
	runner, err := plugintest.Wasm(contrary.Frames(), module.Options{})(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	if hooks := runner.Hooks(); len(hooks) != 1 || hooks[0] != abi.HookFrames {
		t.Errorf("hooks are %v", hooks)
	}
	if _, err := runner.Call(t.Context(), abi.HookDialog, nil); !errors.Is(err, sdktest.ErrNoHook) {
		t.Errorf("wasm: error is %v", err)
	}
	native, err := sdktest.Native(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := native.Call(t.Context(), abi.HookDialog, nil); !errors.Is(err, sdktest.ErrNoHook) {
		t.Errorf("native: error is %v", err)
	}
}
