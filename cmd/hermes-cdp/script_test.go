package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/catalog"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
)

var update = flag.Bool("update", false, "write the results into the scripts")

// fixtures is where the modules of the scripts come from.
const fixtures = "../../host/internal/plugin/testdata"

// A script in testdata is a txtar archive: what it shows in its head, then the arguments, the environment, files, and
// the expected results in "exit", "stdout" and "stderr". $WORK is the directory of the files, which is also the home.
// The file "modules" lists fixtures that are copied there; the module dialog_only is shipped as dialog-policy.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, path := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			script := parseArchive(string(data))
			got := runScript(t, script)
			if *update {
				if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got.String() != string(data) {
				t.Errorf("the result differs; got:\n%s", got.String())
			}
		})
	}
}

// runScript returns the script with the results that it has now.
func runScript(t *testing.T, script archive) archive {
	t.Helper()
	work := t.TempDir()
	var args []string
	environ := []string{"HOME=" + work, "XDG_RUNTIME_DIR=" + work} // no daemon runs there
	got := archive{head: script.head}
	for _, file := range script.files {
		text := strings.ReplaceAll(file.text, "$WORK", work)
		switch file.name {
		case "exit", "stdout", "stderr":
			continue
		case "args":
			args = lines(text)
		case "env":
			environ = append(environ, lines(text)...)
		case "modules":
			for _, name := range lines(text) {
				writeFile(t, filepath.Join(work, name+".wasm"), readFixture(t, name))
			}
		default:
			writeFile(t, filepath.Join(work, file.name), []byte(text))
		}
		got.files = append(got.files, file)
	}
	exit, stdout, stderr := runInProcess(t, args, environ)
	for _, result := range []section{{"exit", fmt.Sprintln(exit)}, {"stdout", stdout}, {"stderr", stderr}} {
		result.text = steady(strings.ReplaceAll(result.text, work, "$WORK"))
		got.files = append(got.files, result)
	}
	return got
}

var (
	columnGap = regexp.MustCompile(`(\S) {3,}`)
	duration  = regexp.MustCompile(`\b[0-9.]+(ns|µs|ms|s)\b`)
	nanos     = regexp.MustCompile(`("[a-z_]+_ns": )[0-9]+`)
)

// steady removes what differs from run to run: durations, and the width of columns that hold the name of a directory.
func steady(text string) string {
	return duration.ReplaceAllString(nanos.ReplaceAllString(columnGap.ReplaceAllString(text, "$1  "), "$1$$NANOS"), "$$TIME")
}

func runInProcess(t *testing.T, args, environ []string) (exit int, stdout, stderr string) {
	t.Helper()
	var out, errors bytes.Buffer
	a := &app{App: cli.App{Stdout: &out, Stderr: &errors, Environ: environ, Version: version().Version, Shipped: catalog.Shipped{
		Names:  func() []string { return []string{"dialog-policy"} },
		Module: func(name string) ([]byte, bool) { return readFixture(t, "dialog_only"), name == "dialog-policy" },
	}}}
	exit = a.run(context.Background(), args)
	return exit, out.String(), errors.String()
}

func readFixture(t *testing.T, name string) []byte {
	t.Helper()
	wasm, err := os.ReadFile(filepath.Join(fixtures, name+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// lines splits a text; each line is one argument, so that arguments may hold spaces.
func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// archive is a txtar archive.
type archive struct {
	head  string
	files []section
}

type section struct{ name, text string }

func parseArchive(data string) archive {
	var a archive
	for line := range strings.Lines(data) {
		name, isName := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		name, ends := strings.CutSuffix(name, " --")
		switch {
		case isName && ends:
			a.files = append(a.files, section{name: name})
		case len(a.files) == 0:
			a.head += line
		default:
			a.files[len(a.files)-1].text += line
		}
	}
	return a
}

func (a archive) String() string {
	var out strings.Builder
	out.WriteString(a.head)
	for _, f := range a.files {
		fmt.Fprintf(&out, "-- %s --\n%s", f.name, f.text)
	}
	return out.String()
}
