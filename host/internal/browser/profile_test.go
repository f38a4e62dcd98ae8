package browser

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestATemporaryProfileIsPrivateAndRemoved(t *testing.T) {
	p, err := openProfile(t.Context(), LaunchOptions{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(p.dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory is %v, %v", info, err)
	}
	wantPreferences(t, p.dir, `{"net":{"network_prediction_options":2},"printing":{"enabled":false},"profile":{"cookie_controls_mode":0}}`)
	if err := os.WriteFile(filepath.Join(p.dir, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(p.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory is still there: %v", err)
	}
}

func wantPreferences(t *testing.T, dir, want string) {
	t.Helper()
	if got, err := os.ReadFile(filepath.Join(dir, "Default", "Preferences")); err != nil || string(got) != want {
		t.Errorf("its preferences are %s, %v; want %s", got, err, want)
	}
}

// What a person has set in a profile stays, and so does what cannot be read.
func TestPreferencesOfAGivenProfileAreKept(t *testing.T) {
	for had, want := range map[string]string{
		"": `{"net":{"network_prediction_options":2},"profile":{"cookie_controls_mode":0}}`,
		`{"net":{"x":12345678901234567890},"a":1.50,"profile":{"name":"Ann"}}`: `{"a":1.50,"net":{"network_prediction_options":2,"x":12345678901234567890},"profile":{"cookie_controls_mode":0,"name":"Ann"}}`,
		`{"net": {"network_prediction_options": 0}, "profile": 1}`:             `{"net": {"network_prediction_options": 0}, "profile": 1}`,
		`{"net": 1, "profile": {"cookie_controls_mode": 1}}`:                   `{"net": 1, "profile": {"cookie_controls_mode": 1}}`,
		`{"net": null, "profile": null}`:                                       `{"net": null, "profile": null}`,
		`null`:                                                                 `null`,
		`{"torn`:                                                               `{"torn`,
	} {
		dir := t.TempDir()
		if had != "" {
			if err := os.Mkdir(filepath.Join(dir, "Default"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "Default", "Preferences"), []byte(had), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		p, err := openProfile(t.Context(), LaunchOptions{UserDataDir: dir})
		if err != nil {
			t.Fatalf("%s: %v", had, err)
		}
		wantPreferences(t, dir, want)
		if err := p.remove(); err != nil {
			t.Error(err)
		}
	}
}

func TestAGivenProfileIsKeptButForTheLastRunsPort(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "profile")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{portFile, "Cookies"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("1\n/x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := openProfile(t.Context(), LaunchOptions{UserDataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "Cookies")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, portFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the last run's port is still there: %v", err)
	}
}

func TestTailKeepsTheEndAndPassesEverythingOn(t *testing.T) {
	var all strings.Builder
	tl := &tail{next: &all}
	for range 1000 {
		if _, err := io.WriteString(tl, "a line of thirty characters...\n"); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = io.WriteString(tl, "the last words\n")
	if all.Len() != 1000*31+15 {
		t.Errorf("%d bytes were passed on", all.Len())
	}
	got := tl.String()
	if !strings.HasSuffix(got, "the last words") || !strings.HasPrefix(got, "a line") || len(got) > tailSize {
		t.Errorf("kept %d bytes: %.20q ... %q", len(got), got, got[len(got)-20:])
	}
}
