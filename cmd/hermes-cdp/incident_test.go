//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/incident"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/plugincmd"
	"github.com/hermes-cdp/hermes-cdp/host/replay"
)

// A dialog that a real browser opens for a real daemon becomes a golden case, which fails until it says what is wanted.
func TestAnIncidentBecomesAGoldenCase(t *testing.T) {
	s := newShell(t)
	calls := filepath.Join(s.dir, "calls")
	d, at := s.startDaemon("--launch", "--set", "journal.dir="+calls)
	if _, errs, exit := s.run("eval", "confirm('Delete everything?')"); exit != exitBlocked {
		t.Fatalf("opening a dialog: exit %d: %s", exit, errs)
	}
	pending := get[dialogListJSON](s, "dialog", "list").Pending
	if len(pending) != 1 {
		t.Fatalf("the open dialogs are %+v", pending)
	}

	list := get[plugincmd.JournalJSON](s, "plugin", "journal", "--plugin", "dialog-policy").Calls
	if len(list) != 1 || list[0].Subject != pending[0].ID || list[0].Hook != abi.HookDialog || len(list[0].Verdict) == 0 {
		t.Fatalf("the journal is %+v", list)
	}
	if out := s.ok("plugin", "journal"); !strings.Contains(out, pending[0].ID) {
		t.Errorf("the table is %s", out)
	}

	folder := pluginModule(t, filepath.Join("..", "..", "plugins", "dialog-policy"))
	recorded := get[incident.Recorded](s, "plugin", "record", "--dialog", pending[0].ID, "--dir", folder)
	if !strings.HasPrefix(recorded.Case, "incident "+pending[0].ID) || recorded.Test == "" || !strings.Contains(recorded.Gave, `"hold"`) {
		t.Errorf("it recorded %+v", recorded)
	}
	if out, err := goTest(folder); err == nil || !strings.Contains(out, "state the verdict you want") || !strings.Contains(out, `"action":"hold"`) {
		t.Errorf("before the verdict is stated the test gives %v: %s", err, out)
	}
	state(t, recorded.Table, string(list[0].Verdict))
	if out, err := goTest(folder); err != nil {
		t.Errorf("after the verdict is stated the test gives %v: %s", err, out)
	}

	s.ok("dialog", "dismiss", pending[0].ID)
	s.leavesNothing(d, at, syscall.SIGTERM)

	// What the daemon has written replays on the module that it ran, and is recorded as well from the files.
	wasm := filepath.Join("..", "..", "plugins", "dist", "dialog-policy.wasm")
	if report := get[replay.Report](s, "plugin", "replay", "--journal", calls, "--plugin", wasm); report.Calls == 0 || len(report.Differences) > 0 {
		t.Errorf("the replay found %+v", report)
	}
	again := get[incident.Recorded](s, "plugin", "record", "--last", "--plugin", "dialog-policy", "--hook", string(abi.HookDialog), "--journal", calls, "--dir", folder)
	if again.Case != recorded.Case+" (2)" || again.Test != "" {
		t.Errorf("from the files it recorded %+v", again)
	}
}

// pluginModule copies the sources of a plugin, but not its tests, into a module of its own that uses this one.
func pluginModule(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	sources, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	for _, path := range sources {
		if !strings.HasSuffix(path, "_test.go") {
			copyFile(t, path, filepath.Join(dir, filepath.Base(path)))
		}
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(root, "go.sum"), filepath.Join(dir, "go.sum"))
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	const name = "github.com/hermes-cdp/hermes-cdp"
	mod := strings.Replace(string(text), "module "+name, "module example.test/incident", 1) +
		"\nrequire " + name + " v0.0.0\n\nreplace " + name + " => " + root + "\n"
	writeFile(t, filepath.Join(dir, "go.mod"), []byte(mod))
	return dir
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, to, data)
}

// goTest runs the tests in a directory.
func goTest(dir string) (string, error) {
	cmd := exec.Command("go", "test", "-mod=mod", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// state writes a verdict into the only case of a table that has none.
func state(t *testing.T, table, verdict string) {
	t.Helper()
	text, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	stated := strings.Replace(string(text), `"verdict": null`, `"verdict": `+verdict, 1)
	if stated == string(text) || !json.Valid([]byte(stated)) {
		t.Fatalf("the table is %s", text)
	}
	writeFile(t, table, []byte(stated))
}
