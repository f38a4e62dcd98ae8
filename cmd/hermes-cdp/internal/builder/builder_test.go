package builder

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// directory makes a plugin's directory with a manifest and more files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["manifest.json"] = `{"name": "mine", "version": "1.0.0", "hooks": ["hermes_on_dialog"]}`
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTheTargetIsTheOneOfTheShippedModules(t *testing.T) {
	want, err := os.ReadFile("../../../../tools/tinygo/unknown.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(tinygoTarget, want) {
		t.Error("tinygo.json differs from tools/tinygo/unknown.json; copy that over it")
	}
}

func TestTheTargetNeedsNoPackagesOfDebian(t *testing.T) {
	with, err := target(func(string) bool { return true })
	if err != nil || !bytes.Equal(with, tinygoTarget) {
		t.Errorf("with the packages it is %s (%v)", with, err)
	}
	without, err := target(func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Flags   []string `json:"ldflags"`
		Libc    string   `json:"libc"`
		Runtime string   `json:"rtlib"`
		GC      string   `json:"gc"`
	}
	if err := json.Unmarshal(without, &got); err != nil {
		t.Fatal(err)
	}
	if got.Libc != "wasmbuiltins" || got.Runtime != "compiler-rt" || got.GC != "conservative" || strings.Contains(strings.Join(got.Flags, " "), "/usr/") {
		t.Errorf("without them it is %s", without)
	}
}

func TestTheLanguageIsThatOfTheSources(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		asked Language
		want  Language
		err   string
	}{
		{map[string]string{"main.go": ""}, "", goSources, ""},
		{map[string]string{"main.go": ""}, Go, Go, ""},
		{map[string]string{"policy.c": ""}, "", C, ""},
		{map[string]string{"asconfig.json": ""}, "", AssemblyScript, ""},
		{map[string]string{}, "", "", "has no sources of a plugin"},
		{map[string]string{"main.go": "", "x.c": ""}, "", "", "has sources of go sources, c; say with --lang"},
		{map[string]string{"Cargo.toml": ""}, "", Rust, ""},
		{map[string]string{"main.zig": ""}, "", Zig, ""},
		{map[string]string{"main.go": ""}, "cobol", "", `--lang "cobol" is not possible; want one of tinygo, go, c, assemblyscript, rust, zig`},
	} {
		got, err := detect(folder(t, c.files), c.asked)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v, asked %q: %q (%v)", c.files, c.asked, got, err)
		}
	}
}

func TestAMissingCompilerIsNamedWithTheWayToGetIt(t *testing.T) {
	empty := []string{"PATH=" + t.TempDir()}
	for _, c := range []struct {
		file, want string
		environ    []string
	}{
		{"main.go", "TinyGo or Go is not there: install it (https://tinygo.org", empty},
		{"main.go", "TINYGO=/no/such/file is not there: name an executable file", append(empty, "TINYGO=/no/such/file")},
		{"policy.c", "clang is not there: install clang and lld", empty},
		{"asconfig.json", "asc, the compiler of AssemblyScript, is not there: run npm install", empty},
	} {
		_, err := Build(t.Context(), Options{Dir: folder(t, map[string]string{c.file: ""}), Environ: c.environ})
		var missing *MissingError
		if !errors.As(err, &missing) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.file, err)
		}
	}
}

func TestCompilersAreFoundWhereTheyAreNamedFirst(t *testing.T) {
	program := func(dir, name string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	dir, path := folder(t, map[string]string{"main.go": ""}), t.TempDir()
	environ := []string{"PATH=" + path}
	check := func(what, want string, language Language) {
		t.Helper()
		got, err := find(goSources, Options{Dir: dir, Environ: environ})
		if err != nil || got.path != want || got.language != language {
			t.Errorf("%s: %+v (%v), want %s", what, got, err, want)
		}
	}
	check("Go in PATH", program(path, "go"), Go)
	check("TinyGo in the cache", program(filepath.Join(dir, ".cache", "tinygo", "bin"), "tinygo"), TinyGo)
	check("TinyGo in PATH", program(path, "tinygo"), TinyGo)
	named := program(t.TempDir(), "my-tinygo")
	environ = append(environ, "TINYGO="+named)
	check("TinyGo that is named", named, TinyGo)
}

func TestWhatTheCompilerSaysIsShown(t *testing.T) {
	dir := folder(t, map[string]string{"policy.c": "this is no C\n"})
	_, err := Build(t.Context(), Options{Dir: dir, Environ: os.Environ()})
	var compile *CompileError
	if !errors.As(err, &compile) || !strings.Contains(compile.Output, "policy.c:1:1") {
		t.Errorf("error is %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "mine.wasm")); err == nil {
		t.Error("a module was written")
	}
}

func TestAFolderWithoutAManifestIsNoPlugin(t *testing.T) {
	if _, err := Build(t.Context(), Options{Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "hermes-cdp plugin new makes it") {
		t.Errorf("error is %v", err)
	}
}

// The command of the manifest and that of a flag write the module to where they are told.
func TestACommandOfTheAuthorBuildsAModule(t *testing.T) {
	wasm := "\x00asm\x01\x00\x00\x00"
	dir := folder(t, map[string]string{"module": wasm})
	manifest := `{"name": "mine", "version": "1.0.0", "hooks": ["hermes_on_dialog"], "build": ["./copy.sh", "module", "{out}"]}`
	for name, text := range map[string]string{"manifest.json": manifest, "copy.sh": "#!/bin/sh\nexec cp \"$1\" \"$2\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil { //nolint:gosec // a program
			t.Fatal(err)
		}
	}
	for _, command := range [][]string{nil, {"sh", "-c", "cp module {out}"}} {
		built, err := Build(t.Context(), Options{Dir: dir, Command: command, Environ: os.Environ()})
		if err != nil || built.Language != Own || built.Name != "mine" {
			t.Errorf("%v: built %+v (%v)", command, built, err)
		}
	}
	for want, command := range map[string][]string{
		"wrote no module":            {"true"},
		"does not compile":           {"false"},
		"nowhere is not there":       {"nowhere"},
		"no such thing\nsecond line": {"sh", "-c", "printf 'no such thing\nsecond line'; exit 1"},
	} {
		if _, err := Build(t.Context(), Options{Dir: dir, Command: command, Environ: os.Environ()}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error is %v", command, err)
		}
	}
}
