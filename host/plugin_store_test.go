package host

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// counting returns a host without a browser whose plugin counts its calls for a task in its store: A, B, C.
func counting(t *testing.T, o Options, onDisk bool) (*Host, error) {
	t.Helper()
	wasm, err := os.ReadFile("internal/plugin/lifecycle/testdata/counter.wasm")
	if err != nil {
		t.Fatal(err)
	}
	o.Plugins = map[string]PluginOptions{"counter": {
		PluginSource: PluginSource{Wasm: wasm}, Hooks: []abi.Hook{abi.HookDialog}, Priority: 1, StoreOnDisk: onDisk,
		Capabilities: []abi.Capability{abi.CapabilityKV},
		Limits:       module.Limits{HookTimeout: time.Minute, InitTimeout: time.Minute},
	}}
	o.PluginCacheDir = compiled
	return New(t.Context(), &o)
}

func mustCount(t *testing.T, o Options, onDisk bool) *Host {
	t.Helper()
	h, err := counting(t, o, onDisk)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func closed(t *testing.T, h *Host) {
	t.Helper()
	if err := h.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// wantCount has the plugin count for a task.
func wantCount(t *testing.T, h *Host, task, want string) {
	t.Helper()
	event := abi.DialogEvent{Header: abi.Header{TaskID: task}, DialogID: "d-1", Type: abi.DialogTypeAlert}
	var verdict abi.DialogVerdict
	if out := h.plugins.Ask(t.Context(), questionAbout(task, &event, verdict.Unmarshal)); !out.Decided {
		t.Fatalf("nobody decided: %+v", out)
	}
	if verdict.Rule != want {
		t.Errorf("for %s it counts %+v, want %s", task, verdict, want)
	}
}

func infoOf(t *testing.T, h *Host) PluginInfo {
	t.Helper()
	for _, p := range h.Plugins() {
		if p.Name == "counter" {
			return p
		}
	}
	t.Fatal("there is no plugin")
	return PluginInfo{}
}

// A plugin that an operator added stores where the operator said, in the next host too.
func TestAnAddedPluginStoresOnDisk(t *testing.T) {
	wasm, err := os.ReadFile("internal/plugin/lifecycle/testdata/counter.wasm")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{PluginStateDir: privateDir(t), PluginCacheDir: compiled}
	for i := range 2 {
		h, err := New(t.Context(), &o)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			addition := PluginAddition{PluginSource: PluginSource{Wasm: wasm}, Hooks: []string{"dialog"}, Capabilities: []string{"kv"}, StoreOnDisk: true}
			if _, err := h.InstallPlugin(t.Context(), "counter", addition); err != nil {
				t.Fatal(err)
			}
		}
		if p := infoOf(t, h); p.Store != "disk" {
			t.Errorf("in host %d it stores in %q", i, p.Store)
		}
		closed(t, h)
	}
}

// A module goes on where it was after a restart, and after a kill with what the file had by then; what it stored for a
// task that was closed, or in memory, is gone.
func TestAModuleGoesOnWithWhatItHadOnDisk(t *testing.T) {
	dir := privateDir(t)
	h := mustCount(t, Options{PluginStateDir: dir}, true)
	wantCount(t, h, "shop", "A")
	wantCount(t, h, "shop", "B")
	wantCount(t, h, "other", "A")
	if p := infoOf(t, h); p.Store != "disk" || p.StoreProblem != "" {
		t.Errorf("the plugin is %+v", p)
	}
	if err := h.storeSaved(); err != nil {
		t.Fatal(err)
	}
	killed := privateDir(t) // what is there if this process ends now
	if err := os.Mkdir(killed, 0o700); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, storeFileName))
	if err == nil {
		err = os.WriteFile(filepath.Join(killed, storeFileName), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	h.store.Drop("other") // as Close of the task does
	closed(t, h)
	for dir, other := range map[string]string{dir: "A", killed: "B"} {
		h := mustCount(t, Options{PluginStateDir: dir}, true)
		wantCount(t, h, "shop", "C")
		wantCount(t, h, "other", other)
		closed(t, h)
	}
	h = mustCount(t, Options{PluginStateDir: dir}, false)
	wantCount(t, h, "shop", "A")
	closed(t, h)
	h = mustCount(t, Options{PluginStateDir: dir}, true)
	wantCount(t, h, "shop", "A")
	closed(t, h)
}

// A plugin serves without its file, and that is said; a host that may not fall back does not start.
func TestAModuleServesWithoutItsFile(t *testing.T) {
	dir := privateDir(t)
	closed(t, mustCount(t, Options{PluginStateDir: dir}, true))
	path := filepath.Join(dir, storeFileName)
	if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := CheckPluginStore(dir); err == nil {
		t.Error("the check finds nothing")
	}
	if _, err := counting(t, Options{PluginStateDir: dir}, true); err == nil || !strings.Contains(err.Error(), path+": it is damaged") {
		t.Errorf("error is %v", err)
	}
	var log strings.Builder
	h := mustCount(t, Options{PluginStateDir: dir, PluginFallback: true, Logger: slog.New(slog.NewTextHandler(&log, nil))}, true)
	wantCount(t, h, "shop", "A")
	wantCount(t, h, "shop", "B")
	if p := infoOf(t, h); p.Store != "memory" || !strings.Contains(p.StoreProblem, "it is damaged") {
		t.Errorf("the plugin is %+v", p)
	}
	u, err := h.PluginStoreUsage("counter")
	if err != nil || u.Keys != 1 || u.Problem == "" || u.MaxBytes != abi.DefaultKVTotalBytes || u.TaskBytes != abi.DefaultKVBytes {
		t.Errorf("the usage is %+v, %v", u, err)
	}
	closed(t, h)
	if !strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "what plugins store is in memory") {
		t.Errorf("the log is %s", log.String())
	}
	if _, err := counting(t, Options{}, true); err == nil || !strings.Contains(err.Error(), "PluginStateDir") {
		t.Errorf("without a directory: %v", err)
	}
	plain := mustCount(t, Options{PluginStateDir: privateDir(t)}, false)
	defer closed(t, plain)
	if _, err := os.Stat(filepath.Join(plain.options.PluginStateDir, storeFileName)); err == nil {
		t.Error("there is a file though nobody asked for one")
	}
}

// privateDir is a directory that does not exist yet.
func privateDir(t *testing.T) string { return filepath.Join(t.TempDir(), "state") }
