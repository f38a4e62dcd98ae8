package abi_test

import (
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestGuestsPayForNoLargePackage keeps the imports to packages that cost a TinyGo guest next to nothing.
func TestGuestsPayForNoLargePackage(t *testing.T) {
	allowed := map[string]bool{"cmp": true, "math": true, "slices": true, "time": true, "unicode/utf8": true, "unsafe": true}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !allowed[path] {
				t.Errorf("%s imports %s", file.Name(), path)
			}
		}
		checked++
	}
	if checked == 0 {
		t.Error("no file was checked")
	}
}
