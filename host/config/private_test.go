package config

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestWhatTasksLeaveIsPrivate(t *testing.T) {
	dir, environ := home(t, "browser: {recording_dir: /videos}\n", "")
	for name, sources := range map[string]Sources{
		filepath.Join(dir, ".cache", "hermes-cdp", "recordings"): {Environ: environ, Set: []string{"browser.recording_dir="}},
		"/videos": {Environ: environ},
	} {
		cfg, _, err := Load(sources)
		if err != nil {
			t.Fatal(err)
		}
		if got := cfg.HostOptions(nil).Private; !slices.Contains(got, name) {
			t.Errorf("%s is not private: %q", name, got)
		}
	}
}
