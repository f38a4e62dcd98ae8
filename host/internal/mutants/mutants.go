// Package mutants checks that the tests of a package notice faults: for each deliberate fault in testdata/mutants, a
// test must fail.
//
// A mutant is a text file: a sentence that says what breaks, a line "file: name", a line "-- from --" with the text to
// replace, and a line "-- to --" with the replacement. The text is within one function. All mutants are compiled into
// one test binary, each as a copy of its function, and an environment variable selects the one that runs.
package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// chosen is the environment variable that names the mutant to run.
const chosen = "HERMES_CDP_MUTANT"

// mutant is one deliberate fault.
type mutant struct {
	name, breaks, file, from, to string
}

// parse parses a mutant.
func parse(name, text string) (mutant, error) {
	head, rest, ok := strings.Cut(text, "-- from --\n")
	from, to, ok2 := strings.Cut(rest, "-- to --\n")
	breaks, file, ok3 := strings.Cut(strings.TrimSpace(head), "\nfile: ")
	if !ok || !ok2 || !ok3 || from == "" {
		return mutant{}, errors.New(`a mutant is a sentence, a line "file: name", "-- from --", a text, "-- to --", a text`)
	}
	return mutant{strings.NewReplacer("-", "_").Replace(name), breaks, file, from, to}, nil
}

// Kill runs the tests of the package in the current directory once for each of its mutants, with the given flags for
// the test binary, and fails for those that no test notices. atLeast is the minimum number of mutants.
func Kill(t *testing.T, atLeast int, flags ...string) {
	t.Helper()
	files, err := filepath.Glob("testdata/mutants/*.txt")
	if err != nil || len(files) < atLeast {
		t.Fatalf("%d mutants: %v", len(files), err)
	}
	var all []mutant
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := parse(strings.TrimSuffix(filepath.Base(file), ".txt"), string(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, m)
	}
	binary := build(t, all)
	for _, m := range all {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel() // as many as there are processors
			m.kill(t, binary, flags)
		})
	}
}

func (m mutant) kill(t *testing.T, binary string, flags []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, append([]string{"-test.skip=^TestMutants$", "-test.failfast", "-test.timeout=60s"}, flags...)...)
	cmd.Env = append(os.Environ(), chosen+"="+m.name)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		t.Errorf("every test passes although: %s", m.breaks)
	case !errors.As(err, &exit):
		t.Errorf("the mutant could not be tested: %v\n%s", err, out)
	case !bytes.Contains(out, []byte("--- FAIL")) && !bytes.Contains(out, []byte("panic:")):
		t.Errorf("the tests ended without a failure: %v\n%s", err, out)
	}
}

// build compiles the package's tests with all mutants.
func build(t *testing.T, all []mutant) (binary string) {
	t.Helper()
	byFile := map[string][]mutant{}
	for _, m := range all {
		byFile[m.file] = append(byFile[m.file], m)
	}
	replaced := map[string]string{} // including files that do not exist
	dir := t.TempDir()
	put := func(name string, content []byte) {
		t.Helper()
		original, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		replaced[original] = filepath.Join(dir, name)
		if err := os.WriteFile(replaced[original], content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var pkg string
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		mutated, name, err := mutate(file, source, byFile[file])
		if err != nil {
			t.Fatal(err)
		}
		put(file, mutated)
		pkg = name
	}
	put("mutant_chosen.go", fmt.Appendf(nil, "package %s\n\nimport \"os\"\n\nvar mutantChosen = os.Getenv(%q)\n", pkg, chosen))
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	list, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "mutants.test")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay="+list, "-vet=off", "-o", binary, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("the mutants do not compile: %v\n%s", err, out)
	}
	if out, err := exec.CommandContext(context.WithoutCancel(t.Context()), binary, "-test.list=.").CombinedOutput(); err != nil {
		t.Fatalf("the mutants do not run: %v\n%s", err, out)
	}
	return binary
}

// edit is a replacement in a source file.
type edit struct {
	from, to int
	text     string
}

// mutate renames each function that has a mutant, and adds its mutated copies and a function with the old name that
// calls the chosen one.
func mutate(file string, source []byte, list []mutant) (mutated []byte, pkg string, err error) {
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, "", err
	}
	offset := func(p token.Pos) int { return files.Position(p).Offset }
	copies := map[*ast.FuncDecl][]mutant{}
	for _, m := range list {
		if n := bytes.Count(source, []byte(m.from)); n != 1 {
			return nil, "", fmt.Errorf("the text to replace is %d times in %s: make it fit the source again, so that the mutant still does what it says: %s", n, m.file, m.breaks)
		}
		at := bytes.Index(source, []byte(m.from))
		i := slices.IndexFunc(tree.Decls, func(d ast.Decl) bool { return offset(d.Pos()) <= at && at+len(m.from) <= offset(d.End())+1 })
		if i < 0 {
			return nil, "", fmt.Errorf("the text to replace in %s is not within one function: %s", m.file, m.breaks)
		}
		f, ok := tree.Decls[i].(*ast.FuncDecl)
		if !ok || f.Type.TypeParams != nil {
			return nil, "", fmt.Errorf("the text to replace in %s is not within a function without type parameters: %s", m.file, m.breaks)
		}
		copies[f] = append(copies[f], m)
	}
	var edits []edit
	for f, list := range copies {
		text := func(n ast.Node) string { return string(source[offset(n.Pos()):offset(n.End())]) }
		var b strings.Builder
		b.WriteString(dispatcher(f, text, list))
		start, name := offset(f.Pos()), offset(f.Name.Pos())
		for _, m := range list {
			whole := string(source[start:name]) + f.Name.Name + "_" + m.name + string(source[offset(f.Name.End()):offset(f.End())]) + "\n"
			b.WriteString(strings.Replace(whole, m.from, m.to, 1) + "\n")
		}
		edits = append(edits, edit{start, start, b.String()}, edit{name, offset(f.Name.End()), f.Name.Name + "_unchanged"})
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.from - a.from })
	out := string(source)
	for _, e := range edits {
		out = out[:e.from] + e.text + out[e.to:]
	}
	mutated, err = format.Source([]byte(out))
	return mutated, tree.Name.Name, err
}

// dispatcher returns a function with the signature of f that calls the chosen mutant of f, or f itself.
func dispatcher(f *ast.FuncDecl, text func(ast.Node) string, list []mutant) string {
	var params, args []string
	for _, field := range f.Type.Params.List {
		for range max(len(field.Names), 1) {
			name := fmt.Sprintf("p%d", len(args))
			params = append(params, name+" "+text(field.Type))
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				name += "..."
			}
			args = append(args, name)
		}
	}
	receiver, on := "", ""
	if f.Recv != nil {
		receiver, on = "(r "+text(f.Recv.List[0].Type)+") ", "r."
	}
	results, back := "", ""
	if f.Type.Results != nil {
		results, back = " "+text(f.Type.Results), "return "
	}
	call := func(suffix string) string {
		return back + on + f.Name.Name + suffix + "(" + strings.Join(args, ", ") + ")\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func %s%s(%s)%s {\nswitch mutantChosen {\n", receiver, f.Name.Name, strings.Join(params, ", "), results)
	for _, m := range list {
		fmt.Fprintf(&b, "case %q:\n%s", m.name, call("_"+m.name))
	}
	b.WriteString("default:\n" + call("_unchanged") + "}\n}\n\n")
	return b.String()
}
