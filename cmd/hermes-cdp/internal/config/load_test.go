package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// home makes a home directory with the given configuration file and .env file ("" for none) and returns its
// environment.
func home(t *testing.T, yaml, dotEnv string) (dir string, environ []string) {
	t.Helper()
	dir = t.TempDir()
	folder := filepath.Join(dir, ".config", "hermes-cdp")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"config.yaml": yaml, ".env": dotEnv} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, []string{"HOME=" + dir}
}

func valueOf(t *testing.T, report *Report, key string) Value {
	t.Helper()
	for _, v := range report.Values {
		if v.Key == key {
			return v
		}
	}
	t.Fatalf("the report has no key %s", key)
	return Value{}
}

func TestDefaultsAreWhatTheZeroValueMeans(t *testing.T) {
	cfg, report, err := Load(Sources{Environ: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	want := (Config{}).WithDefaults()
	want.Control.Socket = defaultSocket(nil) // there is always a directory for temporary files
	want.Control.AgentsSocket = agentsSocketBeside(want.Control.Socket)
	if !reflect.DeepEqual(*cfg, want) {
		t.Errorf("Load without layers gives %+v, the zero value %+v", *cfg, want)
	}
	if again := cfg.WithDefaults(); !reflect.DeepEqual(again, *cfg) {
		t.Error("WithDefaults changes a filled configuration")
	}
	if !On(cfg.Browser.Headless) || cfg.Browser.DialogTimeoutS != 300 || cfg.Browser.ConnectTimeoutS != 30 {
		t.Errorf("unexpected defaults: %+v", cfg.Browser)
	}
	for _, v := range report.Values {
		if v.Origin.Layer != LayerDefault {
			t.Errorf("%s has origin %v", v.Key, v.Origin)
		}
	}
}

func TestTheDefaultLimitsAreThoseOfTheABI(t *testing.T) {
	want := Limits{
		MemoryMB: abi.DefaultMemoryBytes >> 20, StackKB: abi.DefaultStackBytes >> 10, ModuleMB: abi.DefaultModuleBytes >> 20,
		EventKB: abi.DefaultEventBytes >> 10, ResultKB: abi.DefaultResultBytes >> 10, Fuel: abi.DefaultFuel, KVKB: abi.DefaultKVBytes >> 10,
		TimeoutMS: int(abi.DefaultHookTimeout.Milliseconds()), InitTimeoutMS: int(abi.DefaultInitTimeout.Milliseconds()), LogLinesPerS: abi.DefaultLogLines,
	}
	if got := (Limits{}).WithDefaults(); got != want {
		t.Errorf("the defaults are %+v, and those of the ABI %+v", got, want)
	}
}

// A case gives log.level in the named layers and says which one wins.
func TestAStrongerLayerWins(t *testing.T) {
	layers := []Layer{LayerFile, LayerDotEnv, LayerEnvironment, LayerFlag, LayerSet}
	levels := map[Layer]string{LayerFile: "debug", LayerDotEnv: "warn", LayerEnvironment: "error", LayerFlag: "debug", LayerSet: "warn"}
	for i := range layers {
		given := layers[:i+1]
		var yaml, dotEnv string
		var sources Sources
		for _, layer := range given {
			switch level := levels[layer]; layer {
			case LayerFile:
				yaml = "log:\n  level: " + level
			case LayerDotEnv:
				dotEnv = "HERMES_CDP_LOG_LEVEL=" + level
			case LayerEnvironment:
				sources.Environ = append(sources.Environ, "HERMES_CDP_LOG_LEVEL="+level)
			case LayerFlag:
				sources.Flags = []Flag{{Name: "--log-level", Key: "log.level", Value: level}}
			case LayerSet:
				sources.Set = []string{"log.level=info", "log.level=" + level}
			}
		}
		_, environ := home(t, yaml, dotEnv)
		sources.Environ = append(environ, sources.Environ...)
		cfg, report, err := Load(sources)
		if err != nil {
			t.Fatal(err)
		}
		winner := layers[i]
		if got := valueOf(t, report, "log.level").Origin.Layer; cfg.Log.Level != levels[winner] || got != winner {
			t.Errorf("with %v: level %s from %s, want %s from %s", given, cfg.Log.Level, got, levels[winner], winner)
		}
	}
}

func TestTheBareAddressVariableIsWeakerThanTheOneWithThePrefix(t *testing.T) {
	for _, test := range []struct {
		name, dotEnv, want, origin string
		environ                    []string
	}{
		{name: "alone it is used", environ: []string{"BROWSER_CDP_URL=a:1"}, want: "a:1", origin: "BROWSER_CDP_URL"},
		{name: "the prefix wins", environ: []string{"BROWSER_CDP_URL=a:1", "HERMES_CDP_BROWSER_CDP_URL=b:2"}, want: "b:2", origin: "HERMES_CDP_BROWSER_CDP_URL"},
		{name: "an empty variable is absent", environ: []string{"BROWSER_CDP_URL=a:1", "HERMES_CDP_BROWSER_CDP_URL="}, want: "a:1", origin: "BROWSER_CDP_URL"},
		{name: "the environment wins over .env whatever the name", dotEnv: "HERMES_CDP_BROWSER_CDP_URL=b:2", environ: []string{"BROWSER_CDP_URL=a:1"}, want: "a:1", origin: "BROWSER_CDP_URL"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, environ := home(t, "browser: {cdp_url: 'f:9'}", test.dotEnv)
			cfg, report, err := Load(Sources{Environ: append(environ, test.environ...)})
			if err != nil {
				t.Fatal(err)
			}
			if got := valueOf(t, report, "browser.cdp_url").Origin.String(); cfg.Browser.CDPURL != test.want || got != test.origin {
				t.Errorf("address %s from %s", cfg.Browser.CDPURL, got)
			}
		})
	}
}

func TestVariablesFindTheirKey(t *testing.T) {
	_, environ := home(t, "plugins: {a: {path: a.wasm}, a-config: {path: b.wasm}}", "")
	cfg, report, err := Load(Sources{Environ: append(environ,
		"HERMES_CDP_PLUGINS_DIALOG_POLICY_PATH=/p.wasm",
		"HERMES_CDP_PLUGINS_FRAME_FILTER_LIMITS_INIT_TIMEOUT_MS=7",
		"HERMES_CDP_PLUGINS_A_CONFIG_PATH=/whole.wasm",
		"HERMES_CDP_PLUGINS_A_CONFIG_MAX_DEPTH=3",
		"HERMES_CDP_PLUGINS_A_CONFIG={rules: [x, 1, null]}",
		"HERMES_CDP_PLUGINS_UNHEARD_OF_PATH=/x",
		"HERMES_CDP_LOG_LEVLE=info",
		"HERMES_CDP_=x",
	)})
	if err != nil {
		t.Fatal(err)
	}
	if got := cfg.Plugins["dialog-policy"].Path; got != "/p.wasm" {
		t.Errorf("dialog-policy.path is %q", got)
	}
	if got := cfg.Plugins["frame-filter"].Limits.InitTimeoutMS; got != 7 {
		t.Errorf("init_timeout_ms is %d", got)
	}
	if got := cfg.Plugins["a-config"].Path; got != "/whole.wasm" {
		t.Errorf("the whole match did not win: %q", got)
	}
	want := map[string]any{"max_depth": 3, "rules": []any{"x", 1, nil}}
	if got := cfg.Plugins["a"].Config; !reflect.DeepEqual(got, want) {
		t.Errorf("plugins.a.config is %v, want %v", got, want)
	}
	var texts []string
	for _, w := range report.Warnings {
		texts = append(texts, w.String())
	}
	if len(texts) != 3 || !slices.ContainsFunc(texts, func(s string) bool {
		return s == "HERMES_CDP_LOG_LEVLE: the variable sets no key; did you mean HERMES_CDP_LOG_LEVEL?"
	}) {
		t.Errorf("warnings: %q", texts)
	}
}

func TestMapsMergeAndListsAreReplaced(t *testing.T) {
	_, environ := home(t, `
browser: {args: [--a, --b]}
plugins:
  dialog-policy:
    config: {keep: 1, rules: {deep: [1, 2], other: x}}
`, "")
	cfg, report, err := Load(Sources{Environ: environ, Set: []string{
		"browser.args=[--c]",
		"plugins.dialog-policy.config.rules.deep=[3]",
		"plugins.dialog-policy.config={added: {yes: true}}",
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(cfg.Browser.Args, []string{"--c"}) {
		t.Errorf("args are %v", cfg.Browser.Args)
	}
	want := map[string]any{"keep": 1, "added": map[string]any{"yes": true}, "rules": map[string]any{"deep": []any{3}, "other": "x"}}
	if got := cfg.Plugins["dialog-policy"].Config; !reflect.DeepEqual(got, want) {
		t.Errorf("config is %v, want %v", got, want)
	}
	for key, layer := range map[string]Layer{"keep": LayerFile, "rules.other": LayerFile, "rules.deep": LayerSet, "added.yes": LayerSet} {
		if got := valueOf(t, report, "plugins.dialog-policy.config."+key).Origin; got.Layer != layer {
			t.Errorf("%s comes from %v, want %s", key, got, layer)
		}
	}
	if got := valueOf(t, report, "plugins.dialog-policy.config.keep").Origin; got.Line != 5 {
		t.Errorf("the line is %d, want 5", got.Line)
	}
}

func TestPathsOfAFileAreRelativeToItAndOthersToTheWorkingDirectory(t *testing.T) {
	dir, environ := home(t, `
plugin_cache_dir: cache
browser: {executable: chromium, user_data_dir: ~/profile}
plugins: {dialog-policy: {path: ./p.wasm}, frame-filter: {path: /abs.wasm}}
`, "")
	folder := filepath.Join(dir, ".config", "hermes-cdp")
	cfg, _, err := Load(Sources{Environ: environ, Set: []string{"plugins.bridge-script.path=b.wasm"}})
	if err != nil {
		t.Fatal(err)
	}
	for got, want := range map[string]string{
		cfg.PluginCacheDir:                filepath.Join(folder, "cache"),
		cfg.Browser.Executable:            "chromium",
		cfg.Browser.UserDataDir:           filepath.Join(dir, "profile"),
		cfg.Plugins["dialog-policy"].Path: filepath.Join(folder, "p.wasm"),
		cfg.Plugins["frame-filter"].Path:  "/abs.wasm",
		cfg.Plugins["bridge-script"].Path: "b.wasm",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestWhereTheDefaultFilesAre(t *testing.T) {
	for _, test := range []struct {
		name, file, cache string
		environ           []string
	}{
		{"the XDG directories", "/c/hermes-cdp/config.yaml", "/k/hermes-cdp/wazero", []string{"HOME=/h", "XDG_CONFIG_HOME=/c", "XDG_CACHE_HOME=/k"}},
		{"else below the home", "/h/.config/hermes-cdp/config.yaml", "/h/.cache/hermes-cdp/wazero", []string{"HOME=/h"}},
		{"a relative XDG directory is ignored", "/h/.config/hermes-cdp/config.yaml", "/h/.cache/hermes-cdp/wazero", []string{"HOME=/h", "XDG_CONFIG_HOME=c", "XDG_CACHE_HOME=k"}},
		{"nowhere without a home", "", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := defaultFile(environMap(test.environ)); got != test.file {
				t.Errorf("file %q, want %q", got, test.file)
			}
			if got := cacheDir(environMap(test.environ), "wazero"); got != test.cache {
				t.Errorf("cache %q, want %q", got, test.cache)
			}
		})
	}
}

func TestANamedFileMustExistAndItsDotEnvIsBesideIt(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "my.yaml")
	_, _, err := Load(Sources{File: file, Environ: []string{}})
	if err == nil || !strings.Contains(err.Error(), file+": cannot read the configuration file: no such file") {
		t.Errorf("error: %v", err)
	}
	for name, text := range map[string]string{file: "# nothing\n", filepath.Join(dir, ".env"): "HERMES_CDP_LOG_FORMAT=json\nBROWSERBASE_API_KEY='a b'\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg, report, err := Load(Sources{File: file, Environ: []string{"OTHER=1"}})
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Log.Format != "json" || report.File != file || report.DotEnvFile != filepath.Join(dir, ".env") || len(report.Warnings) != 0 {
		t.Errorf("config %+v, report %+v", cfg.Log, report)
	}
	if report.Getenv("BROWSERBASE_API_KEY") != "a b" || report.Getenv("OTHER") != "1" || report.Getenv("NONE") != "" {
		t.Error("Getenv does not read both layers")
	}
}
