// Command testruns checks that every test file is compiled by some run of the tests. It reads the runs from its input,
// as printed by `make --dry-run test`, so that there is only one list of them. Run it from the root of the repository;
// see the Makefile.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if err := run(".", os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "testruns:", err)
		os.Exit(1)
	}
}

// run returns an error that names every test file below a directory that none of the commands compiles.
func run(root string, commands io.Reader) error {
	text, err := io.ReadAll(commands)
	if err != nil {
		return err
	}
	root, err = filepath.Abs(root)
	if err != nil {
		return err
	}
	var compiled []string
	runs := 0
	for command := range strings.Lines(string(text)) {
		list, ok := listing(command)
		if !ok {
			continue
		}
		runs++
		files, err := compiles(root, list)
		if err != nil {
			return err
		}
		compiled = append(compiled, files...)
	}
	if runs == 0 {
		return errors.New("no run of go test is in the input; give it what `make --dry-run test` prints")
	}
	all, err := testFiles(root)
	if err != nil {
		return err
	}
	var errs []error
	for _, file := range all {
		if !slices.Contains(compiled, file) {
			errs = append(errs, fmt.Errorf("%s is compiled in none of the %d runs of `make test`; "+
				"change its build constraint, or add a run", strings.TrimPrefix(file, root+"/"), runs))
		}
	}
	return errors.Join(errs...)
}

var (
	testCommand = regexp.MustCompile(`^(\S*go(?: -C \S+)?) test (.*)`)
	onlyTest    = regexp.MustCompile(`-(timeout|vet|parallel)[ =]\S+`) // go list has no such flags
	part        = regexp.MustCompile(`(^| )-(run|skip|bench|short)\b`)
)

// listing turns a go test command into one that lists the files that it compiles. It reports false for other commands,
// and for those that run only some of the tests.
func listing(command string) (string, bool) {
	match := testCommand.FindStringSubmatch(command)
	if match == nil || part.MatchString(match[2]) {
		return "", false
	}
	const format = `{{$d := .Dir}}{{range .TestGoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}` +
		`{{range .XTestGoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`
	return match[1] + " list -f '" + format + "' " + onlyTest.ReplaceAllString(match[2], ""), true
}

func compiles(root, list string) ([]string, error) {
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", list)
	cmd.Dir = root
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", list, err)
	}
	return strings.Fields(string(out)), nil
}

// testFiles lists the test files below a directory, except for those that the go command ignores.
func testFiles(root string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := ""
		if err == nil && path != root {
			name = entry.Name()
		}
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata"):
			return filepath.SkipDir
		case strings.HasSuffix(name, "_test.go"):
			files = append(files, path)
		}
		return nil
	})
	return files, err
}
