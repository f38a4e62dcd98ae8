package scaffold_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/builder"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/scaffold"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/trial"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// repository is the root of this one.
const repository = "../../../.."

// offline is an environment in which the Go command can download nothing and finds no module that was downloaded.
func offline(t *testing.T) []string {
	t.Helper()
	return append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOSUMDB=off", "GOTOOLCHAIN=local", "GOWORK=off", "GOMODCACHE="+t.TempDir())
}

func write(t *testing.T, o scaffold.Options) scaffold.Written {
	t.Helper()
	o.Dir = filepath.Join(t.TempDir(), o.Name)
	written, err := scaffold.Write(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return written
}

// command is the command, built.
func command(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hermes-cdp")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, repository+"/cmd/hermes-cdp").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// passes builds the directory, checks the module, runs its golden table and the event of its README.
func passes(t *testing.T, dir string, o builder.Options) {
	t.Helper()
	o.Dir, o.Output = dir, filepath.Join(t.TempDir(), "built.wasm")
	built, err := builder.Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	wasm, err := os.ReadFile(built.File)
	if err != nil {
		t.Fatal(err)
	}
	options := module.Options{Name: built.Name}
	checked, err := module.Check(t.Context(), wasm, options)
	if err != nil || !checked.OK {
		t.Errorf("the check says %+v (%v)", checked, err)
	}
	conformance.Guest(t.Context(), t, module.Conformance(options), wasm)
	report, err := trial.Golden(t.Context(), wasm, options, filepath.Join(dir, "testdata", "golden.json"), host.LaunchOptions{})
	if err != nil || !report.OK || len(report.Cases) < 3 {
		t.Errorf("the golden table says %+v (%v)", report, err)
	}
}

func TestAnExampleEventIsOneOfTheHook(t *testing.T) {
	exports := map[scaffold.Hook]abi.Hook{
		scaffold.HookDialog: abi.HookDialog, scaffold.HookDialogClosed: abi.HookDialogClosed, scaffold.HookFrames: abi.HookFrames, scaffold.HookBridge: abi.HookBridgeRequest,
		scaffold.HookNavigate: abi.HookNavigate, scaffold.HookRequest: abi.HookRequest, scaffold.HookTool: abi.HookToolCall,
		scaffold.HookBeforeTool: abi.HookBeforeTool, scaffold.HookAfterTool: abi.HookAfterTool,
		scaffold.HookConsole: abi.HookConsole, scaffold.HookSnapshot: abi.HookSnapshot, scaffold.HookDownload: abi.HookDownload, scaffold.HookUpload: abi.HookUpload,
	}
	for _, hook := range scaffold.Hooks() {
		written := write(t, scaffold.Options{Name: "my-policy", Hook: hook, Language: builder.Go})
		event, err := os.ReadFile(filepath.Join(written.Dir, "testdata", "event.json"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := abijson.ParseEvent(exports[hook], event); err != nil {
			t.Errorf("%s: %v", hook, err)
		}
	}
}

// Who asks for Go gets Go, though TinyGo is there.
func TestTheLanguageGoIsKept(t *testing.T) {
	written := write(t, scaffold.Options{Name: "my-policy", Language: builder.Go})
	tinygo, err := filepath.Abs(filepath.Join(repository, ".cache", "tinygo", "bin", "tinygo"))
	if err != nil {
		t.Fatal(err)
	}
	built, err := builder.Build(t.Context(), builder.Options{Dir: written.Dir, Environ: append(offline(t), "TINYGO="+tinygo)})
	if err != nil || built.Language != builder.Go {
		t.Errorf("built by %s (%v)", built.Language, err)
	}
}

func TestWhatIsWrittenInGoBuildsAndPassesWithoutANetwork(t *testing.T) {
	for _, hook := range scaffold.Hooks() {
		t.Run(string(hook), func(t *testing.T) {
			t.Parallel()
			written := write(t, scaffold.Options{Name: "my-policy", Hook: hook})
			environ := offline(t)
			if test, err := os.ReadFile(filepath.Join(written.Dir, "main_test.go")); err != nil || !strings.Contains(string(test), "testdata/golden.json") {
				t.Errorf("main_test.go does not name the golden table (%v)", err)
			}
			tinygo := "TINYGO=" + installed(t, "tinygo/bin/tinygo")
			cmd := exec.CommandContext(t.Context(), "go", "test", "-v", "-vet=all", "./...")
			cmd.Dir, cmd.Env = written.Dir, append(environ, tinygo, sdktest.CommandEnv+"=")
			want := []string{"--- PASS: TestGoldenTable"}
			if hook == scaffold.HookDialog { // with the command, the table runs on the module as well
				cmd.Env = append(cmd.Env, sdktest.CommandEnv+"="+command(t))
				want = append(want, "--- PASS: TestGoldenTableOfTheModule")
			}
			out, err := cmd.CombinedOutput()
			for _, line := range want {
				if err != nil || !strings.Contains(string(out), line+" (") {
					t.Errorf("go test does not say %q: %v\n%s", line, err, out)
				}
			}
			if out, err := exec.CommandContext(t.Context(), "gofmt", "-l", written.Dir).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("not formatted: %s (%v)", out, err)
			}
			if hook == scaffold.HookDialog || hook == scaffold.HookBridge { // the others would only take longer
				passes(t, written.Dir, builder.Options{Language: builder.Go, Environ: environ})
			}
			passes(t, written.Dir, builder.Options{Environ: append(environ, tinygo)})
		})
	}
}

// long has every language compile a policy for every hook.
var long = os.Getenv("HERMES_CDP_TESTS") == "long"

// installed is a file in the .cache of the repository, by its absolute path.
func installed(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(repository, ".cache", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// One policy for each hook, in every language: all pass the golden table of the hook, the checks of the host and its
// conformance kit. The compilers come from make tools assemblyscript rust zig. In the languages that compile slowly,
// make test has a policy for every third hook, so that one of them compiles each hook; make test-long compiles all.
func TestWhatIsWrittenInOtherLanguagesPasses(t *testing.T) {
	// Those of Debian, whatever else is in PATH.
	environ := append(os.Environ(), "CC=clang-19", "CARGO=/usr/bin/cargo", "RUSTC=/usr/bin/rustc", "ZIG="+installed(t, "zig/zig"))
	slow := map[builder.Language]int{builder.AssemblyScript: 0, builder.Rust: 1, builder.Zig: 2}
	for _, language := range []builder.Language{builder.C, builder.AssemblyScript, builder.Rust, builder.Zig} {
		for i, hook := range scaffold.Hooks() {
			if third, slow := slow[language]; slow && !long && i%3 != third {
				continue
			}
			t.Run(string(language)+"/"+string(hook), func(t *testing.T) {
				t.Parallel()
				written := write(t, scaffold.Options{Name: "my-policy", Hook: hook, Language: language})
				if language == builder.AssemblyScript {
					if err := os.Symlink(installed(t, "assemblyscript/node_modules"), filepath.Join(written.Dir, "node_modules")); err != nil {
						t.Fatal(err)
					}
				}
				passes(t, written.Dir, builder.Options{Environ: environ})
			})
		}
	}
}

// What plugin generate writes calls functions of the program that embeds the host, and reads answers of any length.
func TestOtherLanguagesCallFunctionsOfAnEmbedder(t *testing.T) {
	environ := append(os.Environ(), "CC=clang-19", "CARGO=/usr/bin/cargo", "RUSTC=/usr/bin/rustc", "ZIG="+installed(t, "zig/zig"))
	for language, source := range map[builder.Language]string{
		builder.C: "policy.c", builder.AssemblyScript: "policy.ts", builder.Rust: "src/lib.rs", builder.Zig: "main.zig",
	} {
		t.Run(string(language), func(t *testing.T) {
			t.Parallel()
			written := write(t, scaffold.Options{Name: "my-policy", Language: language})
			if language == builder.AssemblyScript {
				if err := os.Symlink(installed(t, "assemblyscript/node_modules"), filepath.Join(written.Dir, "node_modules")); err != nil {
					t.Fatal(err)
				}
			}
			text, err := os.ReadFile(filepath.Join("testdata", "embedder", filepath.Base(source)))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(written.Dir, filepath.FromSlash(source)), text, 0o600); err != nil {
				t.Fatal(err)
			}
			built, err := builder.Build(t.Context(), builder.Options{Dir: written.Dir, Environ: environ, Output: filepath.Join(t.TempDir(), "built.wasm")})
			if err != nil {
				t.Fatal(err)
			}
			wasm, err := os.ReadFile(built.File)
			if err != nil {
				t.Fatal(err)
			}
			options := module.Options{Name: built.Name, Functions: []string{"lookup_v1"}}
			report, err := trial.Golden(t.Context(), wasm, options, filepath.Join("testdata", "embedder", "golden.json"), host.LaunchOptions{})
			if err != nil || !report.OK {
				t.Errorf("%+v (%v)", report, err)
			}
		})
	}
}

func TestNothingOfTheTemplatesIsLeft(t *testing.T) {
	for _, language := range builder.Languages() {
		written := write(t, scaffold.Options{Name: "my-policy", Language: language})
		for _, want := range []string{".gitignore", "README.md", "manifest.json", "testdata/event.json", "testdata/golden.json"} {
			if !slices.Contains(written.Files, want) {
				t.Errorf("%s: %s is missing in %v", language, want, written.Files)
			}
		}
		for _, name := range written.Files {
			text, err := os.ReadFile(filepath.Join(written.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			for _, mark := range []string{"<<.", "<<if", "<<end", "assemblyscript-policy"} {
				if strings.Contains(string(text), mark) {
					t.Errorf("%s: %s has %q", language, name, mark)
				}
			}
		}
	}
}

func TestWrongOptionsAreNamed(t *testing.T) {
	for _, c := range []struct {
		options scaffold.Options
		want    string
	}{
		{scaffold.Options{Name: "My"}, `NAME "My" is not possible; want lower-case words`},
		{scaffold.Options{Name: "../x"}, `NAME "../x"`},
		{scaffold.Options{Name: "hermes-cdp"}, `NAME "hermes-cdp"`},
		{scaffold.Options{Name: "x", Hook: "dialogue"}, `--hook "dialogue" is not possible; want one of dialog, dialog-closed, frames`},
		{scaffold.Options{Name: "x", Language: "cobol"}, `--lang "cobol" is not possible; want one of tinygo, go`},
	} {
		c.options.Dir = filepath.Join(t.TempDir(), "made")
		_, err := scaffold.Write(t.Context(), c.options)
		var option *scaffold.OptionError
		if !errors.As(err, &option) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.options, err)
		}
		if _, err := os.Stat(c.options.Dir); err == nil {
			t.Errorf("%+v made a directory", c.options)
		}
	}
}

func TestAFolderThatExistsIsNotTouched(t *testing.T) {
	dir := t.TempDir()
	if _, err := scaffold.Write(t.Context(), scaffold.Options{Name: "x", Dir: dir}); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("error is %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("it has %v (%v)", entries, err)
	}
}
