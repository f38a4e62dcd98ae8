package doctor

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/catalog"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/sigstore/sigstoretest"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	wasm, err := os.ReadFile(filepath.Join("../../../../host/internal/plugin/testdata", name+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// shipping ships one fixture as dialog-policy.
func shipping(t *testing.T, name string) catalog.Shipped {
	return catalog.Shipped{
		Names:  func() []string { return []string{"dialog-policy"} },
		Module: func(asked string) ([]byte, bool) { return fixture(t, name), asked == "dialog-policy" },
	}
}

func find(t *testing.T, checks []Check, name string) Check {
	t.Helper()
	for _, check := range checks {
		if check.Name == name {
			return check
		}
	}
	t.Fatalf("no check %q in %+v", name, checks)
	return Check{}
}

func expect(t *testing.T, check Check, status Status, detail string) {
	t.Helper()
	if check.Status != status || !strings.Contains(check.Detail, detail) {
		t.Errorf("the check is %+v, want %s with %q", check, status, detail)
	}
	if (check.Fix == "") != (status == StatusOK) {
		t.Errorf("the fix of %+v is missing, or there is nothing to fix", check)
	}
}

func TestAHealthyMachinePasses(t *testing.T) {
	home := t.TempDir()
	cfg, report, err := config.Load(config.Sources{Environ: []string{"HOME=" + home, "HERMES_CDP_BROWSER_CONNECT_TIMEOUT_S=600"}})
	checks := Run(t.Context(), Options{Config: cfg, Report: report, ConfigError: err, Shipped: shipping(t, "dialog_only")})
	if Failed(checks) {
		t.Errorf("failed: %+v", checks)
	}
	for name, detail := range map[string]string{
		"configuration":        "no file",
		"browser":              "at /",
		"browser start":        "it starts, answers and ends",
		"plugin dialog-policy": "hermes_on_dialog",
		"plugin cache":         home,
	} {
		expect(t, find(t, checks, name), StatusOK, detail)
	}
}

func TestAWrongConfigurationIsReportedAndTheRestIsStillChecked(t *testing.T) {
	cfg, report, err := config.Load(config.Sources{
		Environ: []string{"HERMES_CDP_LGO_LEVEL=x"},
		Set:     []string{"log.level=loud", "nothing=1"},
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	checks := Run(ctx, Options{Config: cfg, Report: report, ConfigError: err, Shipped: shipping(t, "dialog_only")})
	if !Failed(checks) {
		t.Error("it passed")
	}
	expect(t, checks[0], StatusFail, `log.level is "loud"`)
	expect(t, checks[1], StatusFail, "nothing is no key")
	expect(t, checks[2], StatusWarn, "HERMES_CDP_LGO_LEVEL")
	expect(t, find(t, checks, "plugin dialog-policy"), StatusFail, "")
	other := checkConfig(Options{ConfigError: errors.New("merging: x")})
	expect(t, other[0], StatusFail, "merging: x")
}

func TestBrowserProblems(t *testing.T) {
	t.Run("an executable that is not there", func(t *testing.T) {
		checks := checkBrowser(t.Context(), &config.Config{Browser: config.Browser{Executable: "/no/such/browser"}})
		expect(t, checks[0], StatusFail, "/no/such/browser")
	})
	t.Run("an executable that is no browser", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "browser")
		if err := os.WriteFile(path, []byte("#!/bin/sh\nexit 3\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		checks := checkBrowser(t.Context(), &config.Config{Browser: config.Browser{Executable: path}})
		expect(t, checks[0], StatusFail, "exit status 3")
	})
	t.Run("a browser that does not start", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "browser")
		script := "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'Chromium 1'; exit; }\necho 'ws://u:secret@h' >&2; exit 4\n"
		if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		checks := checkBrowser(t.Context(), &config.Config{Browser: config.Browser{Executable: path}})
		expect(t, checks[0], StatusOK, "Chromium 1")
		expect(t, checks[1], StatusFail, "")
		if strings.Contains(checks[1].Detail, "secret") {
			t.Errorf("a secret is shown: %s", checks[1].Detail)
		}
	})
}

func TestAnAddressIsOnlyConnectedTo(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "ws://" + listener.Addr().String() + "/?token=secret"
	listening := checkBrowser(t.Context(), &config.Config{Browser: config.Browser{CDPURL: address}})
	expect(t, listening[0], StatusOK, "answers")
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	// Its port may by now be that of another program.
	closed := checkBrowser(t.Context(), &config.Config{Browser: config.Browser{CDPURL: "ws://127.0.0.1:1/?token=secret"}})
	expect(t, closed[0], StatusWarn, "does not answer")
	if strings.Contains(listening[0].Detail+closed[0].Detail, "secret") {
		t.Error("the token is shown")
	}
}

func TestWhereAnAddressLeads(t *testing.T) {
	for address, want := range map[string]string{
		"localhost:9222":       "localhost:9222",
		"ws://host/x":          "host:80",
		"http://host:81":       "host:81",
		"wss://host/?a=b":      "host:443",
		"https://[::1]/":       "[::1]:443",
		"https://u:p@host:8/x": "host:8",
	} {
		if got := hostPort(address); got != want {
			t.Errorf("%s leads to %s, want %s", address, got, want)
		}
	}
}

func TestPluginProblems(t *testing.T) {
	cfg := &config.Config{Plugins: map[string]config.Plugin{"dialog-policy": {ExtraHooks: "ignore"}}}
	for _, test := range []struct{ name, module, want string }{
		{"a module that traps", "init_trap", "init: trap"},
		{"a module without a hook", "load_no_hook", "exports"},
	} {
		t.Run(test.name, func(t *testing.T) {
			checks := checkPlugins(t.Context(), cfg, shipping(t, test.module))
			expect(t, checks[0], StatusFail, test.want)
		})
	}
	t.Run("a module that gets less than it asks for", func(t *testing.T) {
		memory := config.Plugin{Path: "../../../../plugins/examples/dist/dialog-memory.wasm", Hooks: []string{"dialog", "dialog-closed"}}
		for _, granted := range [][]string{nil, {"kv"}} {
			memory.Capabilities = granted
			check := find(t, checkPlugins(t.Context(), &config.Config{Plugins: map[string]config.Plugin{"memory": memory}}, shipping(t, "dialog_only")), "plugin memory")
			if granted == nil {
				expect(t, check, StatusWarn, "its manifest asks for kv, which is not granted")
			} else {
				expect(t, check, StatusOK, "hermes_on_dialog")
			}
		}
	})
	t.Run("a module without a manifest that imports what it is not granted", func(t *testing.T) {
		mine := config.Plugin{Path: "../../../../host/internal/plugin/lifecycle/testdata/counter.wasm", Hooks: []string{"dialog"}}
		for _, granted := range [][]string{nil, {"kv"}} {
			mine.Capabilities = granted
			check := find(t, checkPlugins(t.Context(), &config.Config{Plugins: map[string]config.Plugin{"mine": mine}}, shipping(t, "dialog_only")), "plugin mine")
			if granted == nil {
				expect(t, check, StatusWarn, "it imports kv_get (kv)")
			} else {
				expect(t, check, StatusOK, "serves")
			}
		}
	})
	t.Run("a file that is not there", func(t *testing.T) {
		cfg := &config.Config{Plugins: map[string]config.Plugin{"mine": {Path: "/no/such.wasm"}}}
		expect(t, find(t, checkPlugins(t.Context(), cfg, shipping(t, "dialog_only")), "plugin mine"), StatusFail, "no such file")
	})
	t.Run("what a plugin's module must prove", func(t *testing.T) {
		path, err := filepath.Abs("../../../../host/internal/plugin/testdata/dialog_only.wasm")
		if err != nil {
			t.Fatal(err)
		}
		instance := sigstoretest.New(t)
		wasm, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		signature := filepath.Join(t.TempDir(), "signature")
		if err := os.WriteFile(signature, instance.Sign(t, "eve@acme.example", "https://issuer.example", wasm), 0o600); err != nil {
			t.Fatal(err)
		}
		signed := func(by string) config.Plugin {
			return config.Plugin{Signature: signature, Sigstore: config.Sigstore{Issuer: "https://issuer.example", Identity: by, TrustedRoot: instance.TrustedRoot}}
		}
		for name, c := range map[string]struct {
			plugin config.Plugin
			status Status
			detail string
		}{
			"another digest":   {config.Plugin{SHA256: strings.Repeat("0", 64)}, StatusFail, "use the right file"},
			"another place":    {config.Plugin{Sources: []string{t.TempDir()}}, StatusFail, "not allowed"},
			"no signature":     {config.Plugin{PublicKey: "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"}, StatusFail, "the signature at"},
			"somebody else":    {signed("release@acme.example"), StatusFail, "somebody else has signed it"},
			"the right signer": {signed("eve@acme.example"), StatusOK, "serves hermes_on_dialog"},
		} {
			c.plugin.Path, c.plugin.Hooks, c.plugin.ExtraHooks = path, []string{"dialog"}, "ignore"
			cfg := &config.Config{Plugins: map[string]config.Plugin{"mine": c.plugin}}
			t.Log(name)
			expect(t, find(t, checkPlugins(t.Context(), cfg, shipping(t, "dialog_only")), "plugin mine"), c.status, c.detail)
		}
	})
}

func TestAPolicyThatNoModuleKnowsIsFound(t *testing.T) {
	for _, c := range []struct {
		word   string
		status Status
		detail string
		plugin config.Plugin // beside the shipped ones
	}{
		{"auto_acept", StatusFail, `no module knows the policy "auto_acept": they know must_respond, auto_dismiss, auto_accept`, config.Plugin{}},
		{"auto_accept", StatusOK, "auto_accept", config.Plugin{}},
		{"house_rules", StatusOK, "not compared", config.Plugin{URL: "https://registry.example/policy.wasm", SHA256: strings.Repeat("a", 64)}},
	} {
		cfg := &config.Config{Browser: config.Browser{DialogPolicy: c.word}, Plugins: map[string]config.Plugin{}}
		if c.plugin.URL != "" {
			cfg.Plugins["other"] = c.plugin
		}
		checks := checkPlugins(t.Context(), cfg, catalog.Shipped{Names: plugins.Names, Module: plugins.Module})
		expect(t, find(t, checks, "dialog policy"), c.status, c.detail)
	}
}

func TestWhatPluginsHaveOnDiskIsLookedAt(t *testing.T) {
	dir := t.TempDir()
	cfg := &config.Config{PluginStateDir: dir, Plugins: map[string]config.Plugin{"dialog-policy": {ExtraHooks: "ignore", Store: "disk"}}}
	looked := func() Check {
		return find(t, checkPlugins(t.Context(), cfg, shipping(t, "dialog_only")), "plugin stores")
	}
	expect(t, looked(), StatusOK, "can be read") // there is nothing yet
	if err := os.WriteFile(filepath.Join(dir, "store.db"), []byte("not a database"), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, looked(), StatusFail, "damaged")
}

func TestTheCacheFolderMustBePrivate(t *testing.T) {
	open := t.TempDir()
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(t.TempDir(), "a", "b")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(open, link); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, dir string
		status    Status
		detail    string
	}{
		{"a new directory can be made", missing, StatusOK, "will make"},
		{"one that others can read is not used", open, StatusWarn, "mode 0755"},
		{"nor is a link", link, StatusWarn, "a link"},
		{"nor a file", file, StatusWarn, "no directory"},
		{"nor one below a file", filepath.Join(file, "x"), StatusWarn, "not a directory"},
		{"none is known", "", StatusWarn, "HOME"},
	} {
		t.Run(test.name, func(t *testing.T) { expect(t, checkCacheDir(test.dir), test.status, test.detail) })
	}
	if _, err := os.Stat(filepath.Dir(missing)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the check left a directory behind: %v", err)
	}
	if info, err := os.Stat(open); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o755 {
		t.Error("the check changed the directory")
	}
}

func TestTinyGoIsOptional(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	expect(t, checkTinyGo(t.Context()), StatusOK, "needed only to build plugins")
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for script, want := range map[string]Status{"echo tinygo version 0.41.1": StatusOK, "exit 1": StatusWarn} {
		if err := os.WriteFile(filepath.Join(dir, "tinygo"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		expect(t, checkTinyGo(t.Context()), want, "")
	}
}
