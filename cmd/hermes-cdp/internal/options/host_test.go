package options_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
)

const minisignKey = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"

func TestADialogTimeoutGoesToTheTaskOnlyWhereSomebodySetIt(t *testing.T) {
	for name, c := range map[string]struct {
		set  []string
		want time.Duration
	}{
		"nobody": {nil, 0},
		"a pair": {[]string{"browser.dialog_timeout_s=300"}, 300 * time.Second},
	} {
		cfg, report, err := config.Load(config.Sources{Environ: []string{"HOME=" + t.TempDir()}, Set: c.set})
		if err != nil {
			t.Fatal(err)
		}
		if got := options.Task(cfg, report).DialogTimeout; got != c.want {
			t.Errorf("%s: the task's timeout is %v, want %v", name, got, c.want)
		}
		if options.Host(cfg, report, slog.Default()).EvaluateDisabled {
			t.Errorf("%s: evaluate is disabled", name)
		}
		if got := options.Host(cfg, report, slog.Default()).DialogTimeout; got != 300*time.Second {
			t.Errorf("%s: the fallback's timeout is %v, want 300s", name, got)
		}
	}
}

func TestOptionsOfTheHostFollowTheConfiguration(t *testing.T) {
	cfg, report, err := config.Load(config.Sources{Environ: []string{"HOME=" + t.TempDir()}, Set: []string{
		"browser.dialog_policy=auto_accept", "browser.headless=false", "browser.args=[--lang=de]", "browser.read_limit_mb=2",
		"browser.evaluate_enabled=false",
		"plugins.dialog-policy.config={policy: auto_dismiss}", "plugins.dialog-policy.limits.memory_mb=8", "plugins.dialog-policy.limits.timeout_ms=20",
		"plugins.dialog-policy.limits.fuel=5000",
	}})
	if err != nil {
		t.Fatal(err)
	}
	o := options.Host(cfg, report, slog.Default())
	p := o.Plugins["dialog-policy"]
	if o.ReadLimit != 2<<20 || !o.EvaluateDisabled || p.Config["policy"] != "auto_dismiss" || p.Limits.MemoryBytes != 8<<20 || p.Limits.HookTimeout != 20*time.Millisecond ||
		p.Limits.Fuel != 5000 {
		t.Errorf("host options: %+v", o)
	}
	if l := options.Launch(cfg.Browser); !l.Headed || len(l.Args) != 1 || l.Args[0] != "--lang=de" {
		t.Errorf("launch options: %+v", l)
	}
	if policy := options.Host(cfg, report, nil).DialogPolicy; policy != "auto_accept" {
		t.Errorf("the task's policy is %q", policy)
	}
}

func TestEveryKeyOfAPluginReachesTheHost(t *testing.T) {
	digest := strings.Repeat("ab", 32)
	cfg, report, err := config.Load(config.Sources{Environ: []string{"HOME=/h"}, Set: []string{
		"plugins.far.url=https://host/x.wasm?signed=yes", "plugins.far.sha256=" + digest, "plugins.far.public_key=" + minisignKey,
		"plugins.far.signature=https://host/x.minisig", "plugins.far.capabilities=[state, kv]", "plugins.far.priority=-7",
		"plugins.far.config.a=1", "plugins.far.limits.kv_kb=3",
		"plugins.near.path=/x.wasm", "plugin_faults=0", "plugin_fault_window_s=1.5", "navigate_fail=closed", "request_fail=closed", "dialog_fail=closed",
		"journal={entries: 0, memory_mb: 2, dir: /j, file_mb: 3, dir_mb: 4}",
	}})
	if err != nil {
		t.Fatal(err)
	}
	o := options.Host(cfg, report, slog.Default())
	far := o.Plugins["far"]
	source := host.PluginSource{
		URL: "https://host/x.wasm?signed=yes", SHA256: digest, PublicKey: minisignKey, Signature: "https://host/x.minisig",
	}
	if !reflect.DeepEqual(far.PluginSource, source) || !slices.Equal(far.Capabilities, []abi.Capability{abi.CapabilityState, abi.CapabilityKV}) ||
		far.Priority != -7 || far.Limits.KVBytes != 3<<10 || !reflect.DeepEqual(far.Config, map[string]any{"a": 1}) {
		t.Errorf("the options of far are %+v", far)
	}
	near := o.Plugins["near"]
	if near.Path != "/x.wasm" || len(near.Capabilities) != 0 || near.Priority != 0 || near.Limits.KVBytes != abi.DefaultKVBytes {
		t.Errorf("the options of near are %+v", near)
	}
	if o.PluginFaults >= 0 || o.PluginFaultWindow != 1500*time.Millisecond || !o.NavigateFailClosed || !o.RequestFailClosed || !o.DialogFailClosed || o.PluginDownloadDir != "/h/.cache/hermes-cdp/modules" {
		t.Errorf("the options are %+v", o)
	}
	if want := (host.JournalOptions{Entries: -1, Bytes: 2 << 20, Dir: "/j", FileBytes: 3 << 20, DirBytes: 4 << 20}); o.Journal != want {
		t.Errorf("the journal is %+v, want %+v", o.Journal, want)
	}
}

func TestTheCapabilitiesOfTheSchemaAreThoseOfTheABI(t *testing.T) {
	for _, key := range config.Keys() {
		if key.Path != "plugins.<name>.capabilities" {
			continue
		}
		var names []string
		for _, c := range abi.Capabilities() {
			names = append(names, string(c))
		}
		if !slices.Equal(key.Allowed, names) {
			t.Errorf("the schema allows %v, the ABI has %v", key.Allowed, names)
		}
		return
	}
	t.Error("the schema has no capabilities")
}

func TestZeroSwitchesOffWhatKeepsTheConnection(t *testing.T) {
	for name, c := range map[string]struct {
		set  []string
		want [3]time.Duration
	}{
		"nobody set them": {nil, [3]time.Duration{time.Minute, 15 * time.Second, time.Minute}},
		"they are off": {
			[]string{"browser.reconnect_timeout_s=0", "browser.ping_interval_s=0", "browser.heartbeat_s=0"}, [3]time.Duration{-1, -1, -1},
		},
		"they are set": {
			[]string{"browser.reconnect_timeout_s=5", "browser.ping_interval_s=0.5", "browser.heartbeat_s=7"},
			[3]time.Duration{5 * time.Second, 500 * time.Millisecond, 7 * time.Second},
		},
	} {
		cfg, report, err := config.Load(config.Sources{Environ: []string{"HOME=" + t.TempDir()}, Set: c.set})
		if err != nil {
			t.Fatal(err)
		}
		o := options.Host(cfg, report, slog.Default())
		if got := [3]time.Duration{o.ReconnectTimeout, o.PingInterval, o.Heartbeat}; got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestRecordingsAreOffAndBounded(t *testing.T) {
	home := t.TempDir()
	cfg, report, err := config.Load(config.Sources{Environ: []string{"HOME=" + home}})
	if err != nil {
		t.Fatal(err)
	}
	want := host.RecordingOptions{Dir: filepath.Join(home, ".cache", "hermes-cdp", "recordings"), Keep: 72 * time.Hour, MaxBytes: 64 << 20, TotalBytes: 1 << 30}
	if got := options.Host(cfg, report, slog.Default()).Recording; got != want || options.Task(cfg, report).Record {
		t.Errorf("by default: %+v, recorded: %v", got, options.Task(cfg, report).Record)
	}
	cfg, report, err = config.Load(config.Sources{Environ: []string{"HOME=" + home}, Set: []string{
		"browser.record_sessions=true", "browser.recording_dir=/videos", "browser.recording_keep_h=0.5", "browser.recording_max_mb=2", "browser.recording_total_mb=20",
	}})
	if err != nil {
		t.Fatal(err)
	}
	want = host.RecordingOptions{Dir: "/videos", Keep: 30 * time.Minute, MaxBytes: 2 << 20, TotalBytes: 20 << 20}
	if got := options.Host(cfg, report, slog.Default()).Recording; got != want || !options.Task(cfg, report).Record {
		t.Errorf("as configured: %+v, recorded: %v", got, options.Task(cfg, report).Record)
	}
}

func TestWhatIsClosedByDefault(t *testing.T) {
	here, home := t.TempDir(), t.TempDir()
	t.Chdir(here)
	cfg, report, err := config.Load(config.Sources{Environ: []string{"HOME=" + home}, Set: []string{"browser.download_dir=/downloads"}})
	if err != nil {
		t.Fatal(err)
	}
	o, l := options.Host(cfg, report, slog.Default()), options.Launch(cfg.Browser)
	want := []string{here, "/downloads", filepath.Join(home, ".cache/hermes-cdp/screenshots")}
	if !slices.Equal(o.UploadRoots, want) || o.AllowSchemes != nil || l.Sandbox != host.SandboxAuto || l.Environment != nil {
		t.Errorf("the defaults are %v, %v, %q, %v; want the directories %v", o.UploadRoots, o.AllowSchemes, l.Sandbox, l.Environment, want)
	}
	file := filepath.Join(home, "config.yaml")
	text := "browser: {upload_roots: [out, ~/docs, /srv], allow_schemes: [file], sandbox: on, environment: [AWS_*]}"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if cfg, report, err = config.Load(config.Sources{File: file, Environ: []string{"HOME=" + home}}); err != nil {
		t.Fatal(err)
	}
	o, l = options.Host(cfg, report, slog.Default()), options.Launch(cfg.Browser)
	want = []string{filepath.Join(home, "out"), filepath.Join(home, "docs"), "/srv"}
	if !slices.Equal(o.UploadRoots, want) || !slices.Equal(o.AllowSchemes, []string{"file"}) || l.Sandbox != host.SandboxOn || !slices.Equal(l.Environment, []string{"AWS_*"}) {
		t.Errorf("given were %v, %v, %q, %v; want the directories %v", o.UploadRoots, o.AllowSchemes, l.Sandbox, l.Environment, want)
	}
	for pair, says := range map[string]string{
		"browser.allow_schemes=[file, javascript]": `"javascript" cannot be allowed`, "browser.allow_schemes=[chrome://]": `"chrome://" is not the name of a scheme`,
		"browser.sandbox=yes": "must be one of auto, on, off", "browser.environment=[A=b]": `"A=b" in it is not the name of a variable`, `browser.upload_roots=[""]`: "is not a directory",
	} {
		key, _, _ := strings.Cut(pair, "=")
		if _, _, err := config.Load(config.Sources{Environ: []string{}, Set: []string{pair}}); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), key) {
			t.Errorf("%s: got %v", pair, err)
		}
	}
}

func TestAModuleGetsEveryLimit(t *testing.T) {
	plugin := config.Plugin{
		SHA256: "ab",
		Config: map[string]any{"policy": "x", "n": 1},
		Limits: config.Limits{MemoryMB: 1, ModuleMB: 2, EventKB: 3, ResultKB: 4, TimeoutMS: 5, InitTimeoutMS: 6, Instances: 7, LogLinesPerS: 8, Fuel: 9000, KVKB: 10},
	}
	o, err := options.Module("mine", plugin)
	if err != nil {
		t.Fatal(err)
	}
	l := o.Limits
	if l.MemoryBytes != 1<<20 || l.ModuleBytes != 2<<20 || l.EventBytes != 3<<10 || l.ResultBytes != 4<<10 ||
		l.HookTimeout != 5*time.Millisecond || l.InitTimeout != 6*time.Millisecond || l.Instances != 7 || l.LogLines != 8 ||
		l.Fuel != 9000 || l.KVBytes != 10<<10 {
		t.Errorf("the limits are %+v", l)
	}
	settings, err := abijson.FormatStruct(o.Config)
	if err != nil || string(settings) != `{"n":1,"policy":"x"}` {
		t.Errorf("the configuration is %s, %v", settings, err)
	}
	if o.Name != "mine" || o.SHA256 != "ab" {
		t.Errorf("the options are %+v", o)
	}
	if _, err := options.Module("mine", config.Plugin{Config: map[string]any{"f": func() {}}}); err == nil || !strings.Contains(err.Error(), "plugins.mine.config") {
		t.Errorf("a function is accepted: %v", err)
	}
}

// What the host is told of by other options is private without being named twice.
func TestWhatHoldsSecretsOfTheProgramIsPrivate(t *testing.T) {
	dir, environ := home(t, "browser: {profile_dir: /profiles, user_data_dir: /mine, storage_state: /state.json, state_dir: /states}\naudit: {dir: /audit}\nplugin_state_dir: /plugins\n", "")
	cfg, report, err := config.Load(config.Sources{Environ: environ})
	if err != nil {
		t.Fatal(err)
	}
	got := options.Host(cfg, report, nil).Private
	for _, name := range []string{filepath.Join(dir, ".config", "hermes-cdp", "config.yaml"), "/profiles", "/mine", "/state.json", "/audit", "/plugins", cfg.Control.TokenFile, cfg.Control.AgentTokens, cfg.Browser.StateDir} {
		if name == "" || !slices.Contains(got, name) {
			t.Errorf("%q is not private: %q", name, got)
		}
	}
}

// home gives an environment whose home directory has a configuration file, and a .env beside it.
func home(t *testing.T, yaml, dotEnv string) (dir string, environ []string) {
	t.Helper()
	dir = t.TempDir()
	folder := filepath.Join(dir, ".config", "hermes-cdp")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"config.yaml": yaml, ".env": dotEnv} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, []string{"HOME=" + dir}
}
