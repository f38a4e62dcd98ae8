package builder

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Language is a way to compile a plugin.
type Language string

// The languages that a directory can be compiled from.
const (
	TinyGo         Language = "tinygo"
	Go             Language = "go"
	C              Language = "c"
	AssemblyScript Language = "assemblyscript"
	Rust           Language = "rust"
	Zig            Language = "zig"
)

// Languages lists every language.
func Languages() []Language { return []Language{TinyGo, Go, C, AssemblyScript, Rust, Zig} }

// Own is whatever the author's command compiles.
const Own Language = "own command"

// sources are the files by which a language is told, as patterns. goSources stands for TinyGo or Go.
var sources = []struct {
	language Language
	pattern  string
}{
	{goSources, "*.go"},
	{C, "*.c"},
	{AssemblyScript, "asconfig.json"},
	{Rust, "Cargo.toml"},
	{Zig, "*.zig"},
}

// goSources is either of the two compilers for Go.
const goSources Language = "go sources"

// detect returns the language that is asked for, or the one of the sources in the directory.
func detect(dir string, asked Language) (Language, error) {
	if asked != "" {
		if slices.Contains(Languages(), asked) {
			return asked, nil
		}
		return "", fmt.Errorf("--lang %q is not possible; want one of %s", asked, Words(Languages()))
	}
	var found []Language
	for _, s := range sources {
		if files, err := filepath.Glob(filepath.Join(dir, s.pattern)); err != nil {
			return "", err
		} else if len(files) > 0 {
			found = append(found, s.language)
		}
	}
	switch len(found) {
	case 1:
		if found[0] == goSources && wantsGo(dir) {
			return Go, nil
		}
		return found[0], nil
	case 0:
		return "", fmt.Errorf("%s has no sources of a plugin; want *.go, *.c, asconfig.json, Cargo.toml or *.zig, or the key build in its manifest.json", dir)
	default:
		return "", fmt.Errorf("%s has sources of %s; say with --lang which are the plugin's", dir, Words(found))
	}
}

// goDirective in go.mod says that the plugin is built with Go though TinyGo is there: `plugin new --lang go` writes it.
const goDirective = "// hermes-cdp: build with go"

func wantsGo(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && slices.Contains(strings.Split(string(text), "\n"), goDirective)
}

// Words are names of a kind, with commas between them.
func Words[S ~string](names []S) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = string(name)
	}
	return strings.Join(texts, ", ")
}
