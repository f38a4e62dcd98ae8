//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAModuleThatIsOlderThanItsSourcesIsSaidToBe(t *testing.T) {
	s := newShell(t)
	dir := t.TempDir()
	wasm, err := os.ReadFile(filepath.Join(fixtures, "dialog_only.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	module, source := filepath.Join(dir, "policy.wasm"), filepath.Join(dir, "main.go")
	old := time.Now().Add(-time.Hour)
	manifest := filepath.Join(dir, "manifest.json")
	err = errors.Join(os.WriteFile(module, wasm, 0o600), os.Chtimes(module, old, old), os.WriteFile(source, nil, 0o600),
		os.WriteFile(manifest, []byte("{}"), 0o600), os.Chtimes(manifest, old, old))
	if err != nil {
		t.Fatal(err)
	}
	want := source + " is newer than " + module + ": build it again"
	if _, stderr, _ := s.run("plugin", "check", module); !strings.Contains(stderr, want) {
		t.Errorf("standard error has %q", stderr)
	}
	if err := os.Chtimes(source, old, old); err != nil {
		t.Fatal(err)
	}
	if _, stderr, _ := s.run("plugin", "check", module); strings.Contains(stderr, "newer") {
		t.Errorf("standard error has %q", stderr)
	}
}
