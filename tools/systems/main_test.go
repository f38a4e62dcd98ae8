package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree writes a module.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	files["go.mod"] = "module example.com/m\n\ngo 1.25.0\n"
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestWhatOneSystemLacksIsReportedForIt(t *testing.T) {
	root := tree(t, map[string]string{
		"a/a.go":      "package a\n\nimport \"os\"\n\nfunc F() { end(os.Getpid()) }\n",
		"a/a_unix.go": "//go:build unix\n\npackage a\n\nfunc end(int) {}\n",
		"a/a_test.go": "package a\n\nimport \"syscall\"\n\nvar _ = syscall.Kill\n",
		"b/b_test.go": "package b_test\n\nimport \"example.com/m/a\"\n\nvar _ = a.F\n",
	})
	if err := check(root, "linux"); err != nil {
		t.Errorf("for Linux: %v", err)
	}
	err := check(root, "windows")
	for _, want := range []string{"undefined: end", "undefined: syscall.Kill"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("for Windows: %v, without %q", err, want)
		}
	}
}

func TestAListingThatFailsIsReported(t *testing.T) {
	if err := check(tree(t, map[string]string{"a/a.go": "package a\n\nimport _ \"example.com/m/none\"\n"}), "linux"); err == nil {
		t.Error("an import of nothing passed")
	}
}
