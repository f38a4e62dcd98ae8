package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

// The binary itself: its wiring of arguments, streams, environment and exit codes, and the modules that are built in.
func TestTheBuiltBinary(t *testing.T) {
	binary := builtBinary(t)
	run := func(args ...string) (stdout, stderr string, exit int) {
		t.Helper()
		cmd := exec.Command(binary, args...)
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "HERMES_CDP_LOG_LEVEL=warn")
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		var failed *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
			t.Fatal(err)
		}
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}

	t.Run("version", func(t *testing.T) {
		out, _, exit := run("version", "--json")
		var v versionJSON
		if err := json.Unmarshal([]byte(out), &v); err != nil || exit != exitOK {
			t.Fatalf("exit %d, %v: %s", exit, err, out)
		}
		if v.ABI != abi.ExportMarker || v.Go != runtime.Version() || v.Version == "" || v.Platform != runtime.GOOS+"/"+runtime.GOARCH {
			t.Errorf("version is %+v", v)
		}
		if out, _, _ := run("version"); !strings.HasPrefix(out, "hermes-cdp "+v.Version+" (ABI "+v.ABI) {
			t.Errorf("the text is %q", out)
		}
	})
	t.Run("the environment is a layer", func(t *testing.T) {
		if out, _, exit := run("config", "show"); exit != exitOK || !strings.Contains(out, "HERMES_CDP_LOG_LEVEL") {
			t.Errorf("exit %d: %s", exit, out)
		}
	})
	t.Run("a wrong command line ends with 2 and one line", func(t *testing.T) {
		out, errs, exit := run("bogus")
		if exit != exitUsage || out != "" || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, "hermes-cdp: ") {
			t.Errorf("exit %d, stdout %q, stderr %q", exit, out, errs)
		}
	})
	t.Run("another host is held to the ABI", func(t *testing.T) {
		var result conformanceJSON
		out, errs, exit := run("abi", "conformance", "--json", "--host", "'"+binary+"' abi host")
		if err := json.Unmarshal([]byte(out), &result); err != nil || exit != exitOK || !result.OK || result.Cases < 40 || len(result.Findings) > 0 {
			t.Errorf("this host: exit %d, %v: %s%s", exit, err, out, errs)
		}
		if out, errs, exit := run("abi", "conformance", "--host", "exit 0"); exit != exitFailed || !strings.Contains(out, "it has ended instead of answering") || !strings.Contains(errs, "does not conform") {
			t.Errorf("a host that ends: exit %d, %s%s", exit, out, errs)
		}
		wasm := filepath.Join(t.TempDir(), "policy.wasm")
		module, _ := plugins.Module(plugins.DialogPolicy)
		if err := os.WriteFile(wasm, module, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, errs, exit := run("abi", "conformance", "--host", "'"+binary+"' abi host", wasm); exit != exitOK || !strings.Contains(out, " cases, 0 findings\n") {
			t.Errorf("a module on this host: exit %d, %s%s", exit, out, errs)
		}
		kit := filepath.Join(t.TempDir(), "kit")
		if _, errs, exit := run("abi", "kit", kit); exit != exitOK {
			t.Errorf("the kit: exit %d, %s", exit, errs)
		}
		for _, name := range []string{"README.md", "host.mjs", "cases/events.json", "cases/host/testdata/ok.wasm"} {
			if _, err := os.Stat(filepath.Join(kit, filepath.FromSlash(name))); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("every module that is built in loads", func(t *testing.T) {
		out, errs, _ := run("doctor", "--json", "--set", "browser.cdp_url=127.0.0.1:1")
		var report doctorJSON
		if err := json.Unmarshal([]byte(out), &report); err != nil {
			t.Fatalf("%v: %s%s", err, out, errs)
		}
		modules := 0
		for _, check := range report.Checks {
			if strings.HasPrefix(check.Name, "plugin ") && check.Name != "plugin cache" {
				modules++
			}
			if check.Status == "fail" {
				t.Errorf("%s: %s", check.Name, check.Detail)
			}
		}
		if modules == 0 {
			t.Error("no module is built in")
		}
	})
}

func TestWhatSteersATerminalIsEscaped(t *testing.T) {
	for in, want := range map[string]string{
		"plain ä":       "plain ä",
		"a\nb\tc":       "a b c",
		"\x1b[31mred":   `\x1b[31mred`,
		"bell\a\u202ex": `bell\a\u202ex`,
	} {
		if got := cli.OneLine(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestTheConfigurationKnowsEveryShippedModule(t *testing.T) {
	for _, name := range plugins.Names() {
		if !slices.Contains(config.KnownPlugins(), name) {
			t.Errorf("config.KnownPlugins does not have %s", name)
		}
	}
}
