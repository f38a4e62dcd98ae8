//go:build unix

package doctor

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/clients"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
)

func writeMode(t *testing.T, path, text string, mode fs.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask is
		t.Fatal(err)
	}
	return path
}

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestFilesWithSecretsAreClosedToOthers(t *testing.T) {
	dir := t.TempDir()
	file := writeMode(t, filepath.Join(dir, "config.yaml"), "vision: {url: 'https://ai.example/v1', model: m, api_key: hunter2}\n", 0o644)
	dotEnv := writeMode(t, filepath.Join(dir, ".env"), "BROWSERBASE_API_KEY=hunter2\n", 0o664)
	token := writeMode(t, filepath.Join(dir, "control.token"), "hunter2", 0o640)
	load := func() []Check {
		cfg, report, err := config.Load(config.Sources{File: file, Environ: []string{"HOME=" + dir}, Set: []string{"control.token_file=" + token}})
		if err != nil {
			t.Fatal(err)
		}
		return checkSecrets(cfg, report)
	}
	found := load()
	if len(found) != 3 {
		t.Fatalf("found %+v", found)
	}
	for i, want := range []string{token + " has mode 0640", dotEnv + " has mode 0664", file + " has mode 0644"} {
		expect(t, found[i], StatusWarn, want)
	}
	if fixed := Mend(t.Context(), found, new(bytes.Buffer)); len(fixed) != 3 || fixed[0].Error != "" || !strings.Contains(fixed[0].Done, "0600") {
		t.Errorf("fixed %+v", fixed)
	}
	for path, want := range map[string]fs.FileMode{token: 0o600, dotEnv: 0o660, file: 0o640} {
		if got := modeOf(t, path); got != want {
			t.Errorf("%s has mode %v, want %v", path, got, want)
		}
	}
	expect(t, load()[0], StatusOK, "")
	writeMode(t, file, "log: {level: info}\n", 0o644)
	expect(t, load()[0], StatusOK, "") // which is nobody's secret
}

func TestDirectoriesAreNobodyElses(t *testing.T) {
	dir := t.TempDir()
	cfg := &config.Config{PluginStateDir: filepath.Join(dir, "state"), Browser: config.Browser{RecordingDir: filepath.Join(dir, "recordings")}}
	expect(t, checkDirectories(cfg)[0], StatusOK, "") // they are made when they are needed
	if err := os.Mkdir(cfg.PluginStateDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(cfg.PluginStateDir, 0o777); err != nil {
		t.Fatal(err)
	}
	writeMode(t, cfg.Browser.RecordingDir, "", 0o600)
	found := checkDirectories(cfg)
	expect(t, found[0], StatusWarn, "plugin_state_dir: "+cfg.PluginStateDir+" has mode 0777")
	expect(t, found[1], StatusFail, "browser.recording_dir: "+cfg.Browser.RecordingDir+" is no directory")
	Mend(t.Context(), found, new(bytes.Buffer))
	if got := modeOf(t, cfg.PluginStateDir); got != 0o755 {
		t.Errorf("the mode is %v", got)
	}
	if err := os.Remove(cfg.Browser.RecordingDir); err != nil {
		t.Fatal(err)
	}
	expect(t, checkDirectories(cfg)[0], StatusOK, "")
}

func TestTheCacheIsMadePrivate(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	Mend(t.Context(), []Check{checkCacheDir(dir)}, new(bytes.Buffer))
	expect(t, checkCacheDir(dir), StatusOK, dir)
}

// Nothing is mended where all is well, and what cannot be mended says so.
func TestMendingSaysWhatCameOfIt(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	fixed := Mend(t.Context(), []Check{
		ok("a", "").mendable(without(gone, 0o077)), warn("b", "", "c"), fail("d", "", "e").mendable(without(gone, 0o077)),
	}, new(bytes.Buffer))
	if len(fixed) != 1 || fixed[0].Name != "d" || !strings.Contains(fixed[0].Error, "no such file") {
		t.Errorf("fixed %+v", fixed)
	}
}

func TestClientsThatStartWhatIsNotThereAreFound(t *testing.T) {
	dir := t.TempDir()
	self := clients.Server{Command: writeMode(t, filepath.Join(dir, "bin", "hermes-cdp"), "#!/bin/sh\n", 0o755), Args: []string{"mcp"}}
	m := clients.Machine{OS: "linux", Home: dir, Dir: dir, Getenv: func(string) string { return "" }}
	expect(t, checkClients(m, self)[0], StatusOK, "no known client is installed")
	cursor := writeMode(t, filepath.Join(dir, ".cursor", "mcp.json"), `{"mcpServers": {"mine": {"command": "`+self.Command+`"}}}`, 0o600)
	writeMode(t, filepath.Join(dir, ".gemini", "settings.json"), `{}`, 0o600)
	expect(t, checkClients(m, self)[0], StatusOK, "set up: cursor; without hermes-cdp: gemini-cli (hermes-cdp setup mcp gemini-cli)")
	writeMode(t, cursor, `{"mcpServers": {"mine": {"command": "/gone/hermes-cdp"}}}`, 0o600)
	expect(t, checkClients(m, self)[0], StatusWarn, "Cursor starts /gone/hermes-cdp, which is not there")
	writeMode(t, cursor, `{`, 0o600)
	expect(t, checkClients(m, self)[0], StatusWarn, cursor)
}

func TestTheFixOfTheSandboxFitsTheKernel(t *testing.T) {
	for setting, want := range map[string]string{
		"kernel/apparmor_restrict_unprivileged_userns 1": "apparmor_restrict_unprivileged_userns=0",
		"kernel/unprivileged_userns_clone 0":             "unprivileged_userns_clone=1",
		"user/max_user_namespaces 0":                     "max_user_namespaces=10000",
		"user/max_user_namespaces 100":                   "seccomp",
	} {
		path, value, _ := strings.Cut(setting, " ")
		dir := t.TempDir()
		writeMode(t, filepath.Join(dir, path), value+"\n", 0o600)
		if got := sandboxFix(dir, 1000); !strings.Contains(got, want) {
			t.Errorf("%s: %s", setting, got)
		}
	}
	if got := sandboxFix(t.TempDir(), 0); !strings.Contains(got, "other than root") {
		t.Errorf("as root: %s", got)
	}
}

// A directory that a later key names is looked at, too.
func TestEveryDirectoryIsLookedAt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	writeMode(t, file, "", 0o600)
	cfg := &config.Config{}
	keys := 0
	var fill func(prefix string, section reflect.Value)
	fill = func(prefix string, section reflect.Value) {
		for i := range section.NumField() {
			field, value := section.Type().Field(i), section.Field(i)
			key := prefix + field.Tag.Get("koanf")
			switch {
			case field.Type.Kind() == reflect.Struct:
				fill(key+".", value)
			case strings.HasSuffix(key, "dir") && key != "plugin_cache_dir": // which has a check of its own
				value.SetString(file)
				keys++
			}
		}
	}
	fill("", reflect.ValueOf(cfg).Elem())
	if found := checkDirectories(cfg); len(found) != keys || keys < 10 {
		t.Errorf("%d keys name a directory, and %d are looked at: %+v", keys, len(found), found)
	}
}
