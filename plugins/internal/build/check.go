package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/module/plugintest"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// GoldenTable is where the golden table of a module is, in the directory of its source; a module may have none.
const GoldenTable = "testdata/golden.json"

// toolchain makes modules from their sources.
type toolchain interface {
	compile(ctx context.Context, m Module) ([]byte, error)
	tools(ctx context.Context) (map[string]string, error) // their versions; that of a missing Debian package is "none"
}

// Set is modules that are committed with a record of the tools that built them.
type Set struct {
	repository string
	record     string // path in the repository
	target     string // the command that builds them, for people
	modules    []Module
	golden     func(Module) string // path of its table in the repository
	toolchain  toolchain
}

// Check rebuilds every module. With the recorded tools the bytes must be those that are committed. With other tools
// they cannot be; then the golden tables must pass on the new modules, and w is told which tool differs.
func (s Set) Check(ctx context.Context, w io.Writer) error {
	record, err := ReadRecord(s.repository, s.record)
	if err != nil {
		return err
	}
	tools, err := s.toolchain.tools(ctx)
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

func (s Set) checkModule(ctx context.Context, record Record, m Module, sameTools bool) error {
	committed, err := os.ReadFile(filepath.Join(s.repository, m.Output))
	if err != nil {
		return err
	}
	if got := Hash(committed); got != record.Modules[m.Output] {
		return fmt.Errorf("sha256 is %s, %s says %q; run %s and commit both", got, s.record, record.Modules[m.Output], s.target)
	}
	built, err := s.toolchain.compile(ctx, m)
	if err != nil {
		return err
	}
	if sameTools && !bytes.Equal(built, committed) {
		return fmt.Errorf("it does not come from its sources; run %s and commit the result", s.target)
	}
	return s.checkBehaviour(ctx, m, built)
}

func (s Set) checkBehaviour(ctx context.Context, m Module, wasm []byte) error {
	path := filepath.Join(s.repository, s.golden(m))
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	table, err := sdktest.ReadTable(path)
	if err != nil {
		return err
	}
	return table.Check(ctx, plugintest.Wasm(wasm, module.Options{Name: m.Name}))
}

// Update builds every module, and writes them and the record.
func (s Set) Update(ctx context.Context, w io.Writer) error {
	tools, err := s.toolchain.tools(ctx)
	if err != nil {
		return err
	}
	record := Record{Tools: tools, Modules: make(map[string]string)}
	for _, m := range s.modules {
		wasm, err := s.toolchain.compile(ctx, m)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(s.repository, m.Output), wasm); err != nil {
			return err
		}
		record.Modules[m.Output] = Hash(wasm)
		fmt.Fprintf(w, "%7d bytes  %s\n", len(wasm), m.Output)
	}
	return record.Write(s.repository, s.record)
}

// WriteGo builds every module with the Go toolchain into a directory.
func WriteGo(ctx context.Context, repository, dir string, w io.Writer) error {
	for _, m := range Modules() {
		wasm, err := Go(ctx, repository, m)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, m.Name+".wasm")
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
