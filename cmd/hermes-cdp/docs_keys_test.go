package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

const (
	keysFile  = "../../docs/plugins.md"
	keysBegin = "<!-- made by go test ./cmd/hermes-cdp -run TestTheTutorialHasEveryKey -update -->\n"
	keysEnd   = "<!-- end of keys -->"
)

// The tutorial has every key of a golden table and of a manifest.json, with what the types say of them.
func TestTheTutorialHasEveryKey(t *testing.T) {
	text, err := os.ReadFile(keysFile)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(text), keysBegin)
	_, tail, ends := strings.Cut(rest, keysEnd)
	if !found || !ends {
		t.Fatal("the marks around the keys are missing")
	}
	var out strings.Builder
	for _, part := range []struct{ title, file, name string }{
		{"a golden table", "../../sdk/sdktest/table.go", "Table"},
		{"one of its cases; exactly one of verdict, abstain, error and init_error is expected", "../../sdk/sdktest/table.go", "Case"},
		{"manifest.json", "../../abi/manifest/file.go", "file"},
		{"one of its tools", "../../abi/manifest/file.go", "tool"},
	} {
		fmt.Fprintf(&out, "\n| key of %s | |\n|---|---|\n", part.title)
		for _, key := range keysOf(t, part.file, part.name) {
			fmt.Fprintf(&out, "| `%s` | %s |\n", key.name, key.meaning)
		}
	}
	want := head + keysBegin + out.String() + "\n" + keysEnd + tail
	if *update {
		if err := os.WriteFile(keysFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Errorf("%s is out of date; run the test with -update", keysFile)
	}
}

type documentedKey struct{ name, meaning string }

// keysOf reads the keys of a type from its source: its tags, and the comments of its fields.
func keysOf(t *testing.T, file, name string) (keys []documentedKey) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(node ast.Node) bool {
		spec, ok := node.(*ast.TypeSpec)
		if !ok || spec.Name.Name != name {
			return true
		}
		for _, field := range spec.Type.(*ast.StructType).Fields.List {
			tag, err := strconv.Unquote(field.Tag.Value)
			if err != nil {
				t.Fatal(err)
			}
			key, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
			meaning := strings.TrimSpace(field.Doc.Text())
			if meaning == "" {
				t.Errorf("%s: the field for %s has no comment", file, key)
			}
			keys = append(keys, documentedKey{key, strings.ReplaceAll(meaning, "|", `\|`)})
		}
		return false
	})
	if len(keys) == 0 {
		t.Fatalf("%s has no type %s", file, name)
	}
	return keys
}
