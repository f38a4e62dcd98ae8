// Command systems checks that everything compiles for other operating systems, tests included. It type-checks all
// packages from their sources, those of dependencies without the bodies of functions: to compile them for one more
// system takes a minute if nothing is cached, this a few seconds. Run it from the root of the repository; see the
// Makefile.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

func main() {
	var errs []error
	for _, system := range os.Args[1:] {
		if err := check(".", system); err != nil {
			errs = append(errs, fmt.Errorf("for %s: %w", system, err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		fmt.Fprintln(os.Stderr, "systems:", err)
		os.Exit(1)
	}
}

// listed is what go list says about a package.
type listed struct {
	Dir, ImportPath string
	GoFiles         []string
	ImportMap       map[string]string
	DepOnly         bool
}

// check type-checks all packages of a module and all that they import.
func check(root, system string) error {
	cmd := exec.Command("go", "list", "-deps", "-test", "-json=Dir,ImportPath,GoFiles,ImportMap,DepOnly", "./...")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	faults, err := checkAll(json.NewDecoder(out))
	return errors.Join(err, cmd.Wait(), errors.Join(faults...))
}

// checkAll type-checks packages that come after what they import, and returns what is wrong with those that are not
// only imported.
func checkAll(list *json.Decoder) (faults []error, err error) {
	files := token.NewFileSet()
	known := map[string]*types.Package{"unsafe": types.Unsafe}
	for {
		var p listed
		if err := list.Decode(&p); errors.Is(err, io.EOF) {
			return faults, nil
		} else if err != nil {
			return faults, err
		}
		if p.ImportPath == "unsafe" || slices.ContainsFunc(p.GoFiles, filepath.IsAbs) {
			continue // the second is the generated main package of a test
		}
		var parsed []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				return faults, err
			}
			parsed = append(parsed, file)
		}
		config := types.Config{
			IgnoreFuncBodies: p.DepOnly, FakeImportC: true, Importer: importer{p.ImportMap, known},
			Error: func(err error) {
				if !p.DepOnly {
					faults = append(faults, err)
				}
			},
		}
		known[p.ImportPath], _ = config.Check(p.ImportPath, files, parsed, nil) // the error is the first of those above
	}
}

// importer finds the packages that were checked before.
type importer struct {
	names map[string]string // what the import paths of a package stand for, where that is something else
	known map[string]*types.Package
}

func (i importer) Import(path string) (*types.Package, error) {
	if name, ok := i.names[path]; ok {
		path = name
	}
	if p := i.known[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("go list does not know %s", path)
}
