package wasmfile

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// mutantsEnv names the directory of modules that a child process of this test is to run.
const mutantsEnv = "HERMES_CDP_MUTANTS"

func TestMain(m *testing.M) {
	if folder := os.Getenv(mutantsEnv); folder != "" {
		if err := runMutants(folder, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// inChild runs the modules of a directory in child processes, and returns those that are valid. One that does not end,
// or ends the process, fails the test.
func inChild(t *testing.T, folder string, mutants map[string][]byte) []string {
	valid, stuck, err := watch(t, folder, 2*time.Minute)
	if stuck != "" || err != nil {
		t.Fatalf("the mutant %s: %v:\n%s", stuck, err, hex.EncodeToString(mutants[stuck]))
	}
	return valid
}

// watch runs the modules of a directory in a child process, kills it when one of them takes so long, and returns the
// modules that were valid, and the one that it was about when it ended too early.
func watch(t *testing.T, folder string, patience time.Duration) (valid []string, stuck string, err error) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), mutantsEnv+"="+folder)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	lines, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	const start = 5 * time.Minute // on a busy machine
	watchdog := time.AfterFunc(start, func() { cancel(errors.New("it did not end")) })
	defer watchdog.Stop()
	for scan := bufio.NewScanner(lines); scan.Scan(); watchdog.Reset(patience) {
		word, name, _ := strings.Cut(scan.Text(), " ")
		switch word {
		case "run":
			stuck = name
		case "valid":
			valid = append(valid, name)
			stuck = ""
		case "refused":
			stuck = ""
		}
	}
	err = cmd.Wait()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if err != nil {
		err = fmt.Errorf("%w: %s", err, stderr.String())
	}
	return valid, stuck, err
}

// runMutants runs all modules of a directory, and says before and after each which it is.
func runMutants(folder string, out io.Writer) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		fmt.Fprintln(out, "run", e.Name())
		wasm, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		if e.Name() != "unmetered" {
			if wasm, err = meteredAnew(wasm); err != nil {
				return err
			}
		}
		word := "valid"
		if err := runMutant(wasm); err != nil {
			word = "refused"
		}
		fmt.Fprintln(out, word, e.Name())
	}
	return nil
}

// runMutant calls all that a metered module exports, with fuel for a moment. The error says that it is not valid.
func runMutant(wasm []byte) error {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler().
		WithCoreFeatures(Features).WithDebugInfoEnabled(false).WithMemoryLimitPages(256))
	defer r.Close(ctx)
	compiled, err := r.CompileModule(ctx, wasm)
	if err != nil {
		return err
	}
	fuel := &rations{}
	if err := hosts(ctx, r, compiled, fuel); err != nil {
		return nil // it imports what this host has not, and so never runs
	}
	fuel.left = 1_000_000
	m, err := r.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil // it was out of fuel, or trapped
	}
	for name, definition := range compiled.ExportedFunctions() {
		fuel.left = 1_000_000
		_, _ = m.ExportedFunction(name).Call(ctx, make([]uint64, len(definition.ParamTypes()))...)
	}
	return nil
}

// hosts offers the functions that a module imports. They do nothing, but for the one that gives fuel.
func hosts(ctx context.Context, r wazero.Runtime, compiled wazero.CompiledModule, fuel *rations) error {
	builders := map[string]wazero.HostModuleBuilder{}
	for _, f := range compiled.ImportedFunctions() {
		module, name, _ := f.Import()
		if builders[module] == nil {
			builders[module] = r.NewHostModuleBuilder(module)
		}
		do := func(context.Context, api.Module, []uint64) {}
		if module == RefuelModule {
			do = func(_ context.Context, guest api.Module, _ []uint64) {
				left := guest.ExportedGlobal(FuelExport).(api.MutableGlobal)
				left.Set(left.Get() + uint64(fuel.next()))
			}
		}
		builders[module].NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(do), f.ParamTypes(), f.ResultTypes()).Export(name)
	}
	for _, b := range builders {
		if _, err := b.Instantiate(ctx); err != nil {
			return err
		}
	}
	return nil
}
