package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// GoldenTable is where the golden table of a module is, in the folder of its source; a module may have none.
const GoldenTable = "testdata/golden.json"

// toolchain makes modules from their sources.
type toolchain interface {
	Compile(ctx context.Context, m Module) ([]byte, error)
	Tools(ctx context.Context) (map[string]string, error)
}

// set is modules that are committed with one record of what they were built with.
type set struct {
	repository string
	record     string // path in the repository
	target     string // the command that builds them, for people
	modules    []Module
	golden     func(Module) string // path of its table in the repository
	toolchain  toolchain
}

func (t TinyGo) set() set {
	golden := func(m Module) string { return path.Join(m.Source, GoldenTable) }
	return set{t.Repository, RecordPath, "make plugins", Modules(), golden, t}
}

// Check rebuilds every module. With the recorded tools the bytes must be the committed ones. With others they can not
// be; then the golden tables must pass on what was built, and w is told which tool differs.
func (t TinyGo) Check(ctx context.Context, w io.Writer) error { return t.set().check(ctx, w) }

// Update builds every module, and writes them and the record.
func (t TinyGo) Update(ctx context.Context, w io.Writer) error { return t.set().update(ctx, w) }

func (s set) check(ctx context.Context, w io.Writer) error {
	record, err := readRecord(s.repository, s.record)
	if err != nil {
		return err
	}
	tools, err := s.toolchain.Tools(ctx)
	if err != nil {
		return err
	}
	differences := record.Differences(tools)
	if differences != "" {
		fmt.Fprintf(w, "comparing behaviour, not bytes: %s\n", differences)
	}
	var errs []error
	for _, m := range s.modules {
		if err := s.checkModule(ctx, record, m, differences == ""); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.Output, err))
		} else {
			fmt.Fprintf(w, "ok  %s\n", m.Output)
		}
	}
	return errors.Join(errs...)
}

func (s set) checkModule(ctx context.Context, record Record, m Module, sameTools bool) error {
	committed, err := os.ReadFile(filepath.Join(s.repository, m.Output))
	if err != nil {
		return err
	}
	if got := Hash(committed); got != record.Modules[m.Output] {
		return fmt.Errorf("sha256 is %s, %s says %q; run %s and commit both", got, s.record, record.Modules[m.Output], s.target)
	}
	built, err := s.toolchain.Compile(ctx, m)
	if err != nil {
		return err
	}
	if sameTools && !bytes.Equal(built, committed) {
		return fmt.Errorf("it does not come from its sources; run %s and commit the result", s.target)
	}
	return s.checkBehaviour(ctx, m, built)
}

func (s set) checkBehaviour(ctx context.Context, m Module, wasm []byte) error {
	path := filepath.Join(s.repository, s.golden(m))
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	table, err := sdktest.ReadTable(path)
	if err != nil {
		return err
	}
	return table.Check(ctx, sdktest.Wasm(wasm, module.Options{Name: m.Name}))
}

func (s set) update(ctx context.Context, w io.Writer) error {
	tools, err := s.toolchain.Tools(ctx)
	if err != nil {
		return err
	}
	record := Record{Tools: tools, Modules: make(map[string]string)}
	for _, m := range s.modules {
		wasm, err := s.toolchain.Compile(ctx, m)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(s.repository, m.Output), wasm); err != nil {
			return err
		}
		record.Modules[m.Output] = Hash(wasm)
		fmt.Fprintf(w, "%7d bytes  %s\n", len(wasm), m.Output)
	}
	return record.write(s.repository, s.record)
}

// WriteGo builds every module with the Go toolchain into a folder.
func WriteGo(ctx context.Context, repository, folder string, w io.Writer) error {
	for _, m := range Modules() {
		wasm, err := Go(ctx, repository, m)
		if err != nil {
			return err
		}
		path := filepath.Join(folder, m.Name+".wasm")
		if err := writeFile(path, wasm); err != nil {
			return err
		}
		fmt.Fprintf(w, "%7d bytes  %s\n", len(wasm), path)
	}
	return nil
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
