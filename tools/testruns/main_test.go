package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFilesThatNoRunCompilesAreNamed(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":                  "module example.org/m\n\ngo 1.24\n",
		"a/a_test.go":             "package a\n",
		"a/slow_test.go":          "//go:build !race\n\npackage a\n",
		"a/outside_test.go":       "package a_test\n",
		"b/b_test.go":             "package b\n",
		"b/testdata/some_test.go": "package some\n",
		"nested/go.mod":           "module example.org/nested\n\ngo 1.24\n",
		"nested/n_test.go":        "package nested\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]struct {
		runs string
		want []string
	}{
		"everything":                           {"echo tests\ngo test -vet=off -race -timeout 3m ./...\ngo test -timeout=3m $(go list ./... | grep /a)\ngo -C nested test ./...\n", nil},
		"a build constraint that no run meets": {"go test -race ./...\ngo -C nested test ./...\n", []string{"a/slow_test.go"}},
		"a package that no run has":            {"go test -p 1 ./a\ngo -C nested test ./...\n", []string{"b/b_test.go"}},
		"a module that no run is in":           {"go test ./...\n", []string{"nested/n_test.go"}},
		"a run of a part":                      {"go test ./a\ngo test -run Some ./b\ngo -C nested test ./...\n", []string{"b/b_test.go"}},
		"no run at all":                        {"gofmt -l .\n", []string{"no run of go test"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := run(root, strings.NewReader(c.runs))
			if err == nil {
				if c.want != nil {
					t.Errorf("no error, want %q", c.want)
				}
				return
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(c.want) || !strings.HasPrefix(lines[0], c.want[0]) {
				t.Errorf("errors are %q, want %q", lines, c.want)
			}
		})
	}
}

func TestARunThatCannotBeListedIsAnError(t *testing.T) {
	if err := run(t.TempDir(), strings.NewReader("go test ./...\n")); err == nil || !strings.Contains(err.Error(), "list -f") {
		t.Errorf("error is %v", err)
	}
}
