package candidate

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// moduleFile writes a module to file.wasm, with a manifest if name is not empty.
func moduleFile(t *testing.T, name string) string {
	t.Helper()
	wasm, err := os.ReadFile("../../../../host/internal/plugin/testdata/dialog_only.wasm")
	if err != nil {
		t.Fatal(err)
	}
	if name != "" {
		wasm, err = manifest.Write(wasm, &abi.Manifest{Name: name, Version: "1.0.0", Hooks: []string{string(abi.HookDialog)}})
		if err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "file.wasm")
	if err := os.WriteFile(path, wasm, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheNameDecidesWhichConfigurationIsUsed(t *testing.T) {
	cfg := &config.Config{Plugins: map[string]config.Plugin{}}
	for i, name := range []string{"given", "packed", "file"} {
		cfg.Plugins[name] = config.Plugin{SHA256: "of another file", Config: map[string]any{"is": name}, Limits: config.Limits{TimeoutMS: i + 1}}
	}
	settings, err := ParseSettings(`{"is":"json"}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, flag, manifest string
		settings             *abi.Struct
		wantName, wantConfig string
		wantTimeout          time.Duration
	}{
		{"the flag comes first", "given", "packed", nil, "given", `{"is":"given"}`, 1 * time.Millisecond},
		{"then the manifest", "", "packed", nil, "packed", `{"is":"packed"}`, 2 * time.Millisecond},
		{"then the file", "", "", nil, "file", `{"is":"file"}`, 3 * time.Millisecond},
		{"settings replace the configuration, not the limits", "", "packed", settings, "packed", `{"is":"json"}`, 2 * time.Millisecond},
		{"a name that is not configured has the defaults", "unheard-of", "", nil, "unheard-of", `{}`, abi.DefaultHookTimeout},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := Read(moduleFile(t, test.manifest), test.flag, test.settings, cfg)
			if err != nil || len(m.Wasm) == 0 {
				t.Fatal(err)
			}
			got, err := abijson.FormatStruct(m.Options.Config)
			if err != nil || string(got) != test.wantConfig {
				t.Errorf("the configuration is %s, %v", got, err)
			}
			options := m.Options
			if options.Name != test.wantName || options.Limits.HookTimeout != test.wantTimeout || options.SHA256 != "" {
				t.Errorf("the options are %+v", options)
			}
		})
	}
}

func TestParseSettings(t *testing.T) {
	if settings, err := ParseSettings(""); settings != nil || err != nil {
		t.Errorf("an empty text gives %v, %v", settings, err)
	}
	for _, text := range []string{"[1]", "{", "{} x", "1"} {
		if _, err := ParseSettings(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

// What the daemon refuses because of the module's schema every command refuses, wherever the configuration comes from.
func TestAConfigurationMustFitTheModulesSchema(t *testing.T) {
	const allowlist = "../../../../plugins/examples/dist/navigate-allowlist.wasm"
	wrong, err := ParseSettings(`{"nonsense": 1}`)
	if err != nil {
		t.Fatal(err)
	}
	configured := &config.Config{Plugins: map[string]config.Plugin{"navigate-allowlist": {Config: map[string]any{"nonsense": 1}}}}
	for name, read := range map[string]func() (Module, error){
		"of the command line":  func() (Module, error) { return Read(allowlist, "", wrong, &config.Config{}) },
		"of the configuration": func() (Module, error) { return Read(allowlist, "", nil, configured) },
	} {
		var refused *module.LoadError
		if _, err := read(); !errors.As(err, &refused) || refused.Step != "config" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Read(allowlist, "", nil, &config.Config{}); err != nil {
		t.Errorf("without a configuration: %v", err)
	}
}
