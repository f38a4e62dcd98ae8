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
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// GoldenTable is where the golden table of a module is, in the folder of its source; a module may have none.
const GoldenTable = "testdata/golden.json"

// Check rebuilds every module. With the recorded tools the bytes must be the committed ones. With others they can not
// be; then the golden tables must pass on what was built, and w is told which tool differs.
func (t TinyGo) Check(ctx context.Context, w io.Writer) error {
	record, err := ReadRecord(t.Repository)
	if err != nil {
		return err
	}
	tools, err := t.Tools(ctx)
	if err != nil {
		return err
	}
	differences := record.Differences(tools)
	if differences != "" {
		fmt.Fprintf(w, "comparing behaviour, not bytes: %s\n", differences)
	}
	var errs []error
	for _, m := range Modules() {
		if err := t.checkModule(ctx, record, m, differences == ""); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.Output, err))
		} else {
			fmt.Fprintf(w, "ok  %s\n", m.Output)
		}
	}
	return errors.Join(errs...)
}

func (t TinyGo) checkModule(ctx context.Context, record Record, m Module, sameTools bool) error {
	committed, err := os.ReadFile(filepath.Join(t.Repository, m.Output))
	if err != nil {
		return err
	}
	if got := Hash(committed); got != record.Modules[m.Output] {
		return fmt.Errorf("sha256 is %s, %s says %q; run make plugins and commit both", got, RecordPath, record.Modules[m.Output])
	}
	built, err := t.Compile(ctx, m)
	if err != nil {
		return err
	}
	if sameTools && !bytes.Equal(built, committed) {
		return errors.New("it does not come from its sources; run make plugins and commit the result")
	}
	return t.checkBehaviour(ctx, m, built)
}

func (t TinyGo) checkBehaviour(ctx context.Context, m Module, wasm []byte) error {
	path := filepath.Join(t.Repository, m.Source, GoldenTable)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	table, err := sdktest.ReadTable(path)
	if err != nil {
		return err
	}
	return table.Check(ctx, sdktest.Wasm(wasm, module.Options{Name: m.Name}))
}

// Update builds every module, and writes them and the record.
func (t TinyGo) Update(ctx context.Context, w io.Writer) error {
	tools, err := t.Tools(ctx)
	if err != nil {
		return err
	}
	record := Record{Tools: tools, Modules: make(map[string]string)}
	for _, m := range Modules() {
		wasm, err := t.Compile(ctx, m)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(t.Repository, m.Output), wasm); err != nil {
			return err
		}
		record.Modules[m.Output] = Hash(wasm)
		fmt.Fprintf(w, "%7d bytes  %s\n", len(wasm), m.Output)
	}
	return record.Write(t.Repository)
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
