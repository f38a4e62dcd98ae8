package wasmfile

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// The tests of the WebAssembly specification come with wazero's module. Each of their modules runs as it is and
// metered, and every call that a test makes must end the same way on both. No call may be charged less than what it
// executes. What is no valid module is none after it is rewritten, and SIMD is refused.
func TestMeteredModulesPassTheSpecificationTestsAsTheOriginalsDo(t *testing.T) {
	modules, calls, refuels, invalid, vector := 0, 0, int64(0), 0, 0
	for _, path := range specification(t, "*.json") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			p := newQuartet(t)
			defer p.close()
			p.run(path)
			modules += p.modules
			calls += p.calls
			refuels += p.given[1] / 10_000
			invalid += p.invalid
			vector += p.vector
		})
	}
	if modules < 450 || calls < 14_000 || refuels < 1000 || invalid < 1500 || vector < 300 {
		t.Errorf("only %d modules and %d calls were compared, with %d rations of fuel; %d were invalid and %d with SIMD",
			modules, calls, refuels, invalid, vector)
	}
}

// specification returns the files of the specification's tests.
func specification(t testing.TB, pattern string) []string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "internal/integration_test/spectest/v2/testdata", pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no specification tests found: %v", err)
	}
	return paths
}

type script struct {
	Commands []struct {
		Type     string `json:"type"`
		Line     int    `json:"line"`
		Name     string `json:"name"`
		As       string `json:"as"`
		Filename string `json:"filename"`
		Text     string `json:"text"`
		Format   string `json:"module_type"`
		Action   struct {
			Type   string  `json:"type"`
			Module string  `json:"module"`
			Field  string  `json:"field"`
			Args   []value `json:"args"`
		} `json:"action"`
	} `json:"commands"`
}

type value struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

// quartet is the same test run on the original modules and on the variants.
type quartet struct {
	t              *testing.T
	runtimes       [4]wazero.Runtime
	given          [4]int64 // fuel
	last           [4]api.Module
	named          map[string][4]api.Module
	modules, calls int

	invalid, vector int // modules that were refused because they are not valid, and because of SIMD
}

func newQuartet(t *testing.T) *quartet {
	config := wazero.NewRuntimeConfigCompiler().WithCoreFeatures(Features)
	p := &quartet{t: t, named: map[string][4]api.Module{}}
	for n := range p.runtimes {
		p.runtimes[n] = wazero.NewRuntimeWithConfig(t.Context(), config)
		refueled(t, p.runtimes[n], func() int64 { p.given[n] += 10_000; return 10_000 })
	}
	return p
}

func (p *quartet) close() {
	for _, r := range p.runtimes {
		if err := r.Close(context.Background()); err != nil {
			p.t.Error(err)
		}
	}
}

// variants returns the module as it is; metered as the host does it; metered so that all functions pay for themselves,
// but not for the charges; and so that every instruction is paid for alone, when it is executed.
func variants(f *File, wasm []byte) (out [4][]byte, err error) {
	paying := rewriter{file: f, tableElements: 1<<32 - 1, meter: meter{segment: maxSegment}}
	exact := rewriter{file: f, tableElements: 1<<32 - 1}
	out[0] = wasm
	if out[1], err = f.Metered(1<<32 - 1); err != nil {
		return out, err
	}
	if out[2], err = paying.module(); err != nil {
		return out, err
	}
	out[3], err = exact.module()
	return out, err
}

func (p *quartet) run(path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	var s script
	if err := json.Unmarshal(data, &s); err != nil {
		p.t.Fatal(err)
	}
	read := func(name string) []byte {
		wasm, err := os.ReadFile(filepath.Join(filepath.Dir(path), name))
		if err != nil {
			p.t.Fatal(err)
		}
		return wasm
	}
	for _, c := range s.Commands {
		switch c.Type {
		case "assert_invalid", "assert_malformed":
			if c.Format == "binary" {
				p.refuse(read(c.Filename), c.Line, c.Text)
			}
		case "module":
			p.instantiate(read(c.Filename), c.Line)
			if c.Name != "" {
				p.named[c.Name] = p.last
			}
		case "action", "assert_return", "assert_trap", "assert_exhaustion":
			if c.Action.Type == "invoke" {
				p.invoke(c.Action.Module, c.Action.Field, c.Action.Args, c.Line)
			}
		}
	}
}

// refueled offers the import of metered modules in a runtime; each time it adds what add returns.
func refueled(t testing.TB, r wazero.Runtime, add func() int64) {
	refuel := func(_ context.Context, guest api.Module) {
		fuel := guest.ExportedGlobal(FuelExport).(api.MutableGlobal)
		fuel.Set(fuel.Get() + uint64(add()))
	}
	_, err := r.NewHostModuleBuilder(RefuelModule).NewFunctionBuilder().WithFunc(refuel).Export(RefuelImport).Instantiate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
}

// instantiate makes the module on all sides; what one side refuses, such as an import of a module that this test does
// not offer, the others must refuse too.
func (p *quartet) instantiate(wasm []byte, line int) {
	p.last = [4]api.Module{}
	file, err := Parse(wasm)
	var binaries [4][]byte
	if err == nil {
		binaries, err = variants(file, wasm)
	}
	if format := (*FormatError)(nil); errors.As(err, &format) && format.Unsupported && strings.Contains(format.What, "SIMD") {
		p.vector++
		return
	}
	if err != nil {
		p.t.Fatalf("line %d: %v", line, err)
	}
	var errs [4]error
	for n, binary := range binaries {
		p.last[n], errs[n] = started(context.Background(), p.runtimes[n], binary)
		if (errs[n] == nil) != (errs[0] == nil) {
			p.t.Errorf("line %d: the original instantiates with %v, the metered one with %v", line, errs[0], errs[n])
		}
	}
	p.modules++
}

// started instantiates a module and calls its start function, be it one of the file or the export of a metered one.
func started(ctx context.Context, r wazero.Runtime, wasm []byte) (api.Module, error) {
	m, err := r.InstantiateWithConfig(ctx, wasm, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, err
	}
	if start := m.ExportedFunction(StartExport); start != nil {
		if _, err = start.Call(ctx); err != nil {
			return nil, errors.Join(err, m.Close(ctx))
		}
	}
	return m, nil
}

// refuse checks that a module that is not valid is refused, here or by the engine after it is rewritten.
func (p *quartet) refuse(wasm []byte, line int, text string) {
	p.invalid++
	file, err := Parse(wasm)
	if err != nil {
		return
	}
	metered, err := file.Metered(1<<32 - 1)
	if err != nil {
		return
	}
	if m, err := p.runtimes[1].CompileModule(context.Background(), metered); err == nil {
		m.Close(context.Background())
		p.t.Errorf("line %d: a module is accepted that is not valid: %s", line, text)
	}
}

func (p *quartet) invoke(module, field string, args []value, line int) {
	target := p.last
	if module != "" {
		target = p.named[module]
	}
	params, ok := numbers(args)
	if !ok || slices.Contains(target[:], nil) {
		return
	}
	var results [4][]uint64
	var errs [4]error
	var used [4]int64
	for n, m := range target {
		f := m.ExportedFunction(field)
		used[n] = -p.used(n, m)
		results[n], errs[n] = f.Call(context.Background(), params...)
		used[n] += p.used(n, m)
		for i, r := range f.Definition().ResultTypes() {
			if (r == api.ValueTypeExternref || r == 0x70) && errs[n] == nil { // references are addresses
				results[n][i] = 0
			}
		}
		if (errs[0] == nil) != (errs[n] == nil) || !slices.Equal(results[0], results[n]) {
			p.t.Errorf("line %d: %s(%v) gives %v, %v; metered %v, %v", line, field, params, results[0], errs[0], results[n], errs[n])
		}
	}
	if used[2] < used[3] || used[1] < used[3]-costLeaf {
		p.t.Errorf("line %d: %s(%v) was charged %d and %d for what costs %d", line, field, params, used[1], used[2], used[3])
	}
	p.calls++
}

// used returns how much fuel the modules of a side have used, but for a constant.
func (p *quartet) used(n int, m api.Module) int64 {
	if fuel := m.ExportedGlobal(FuelExport); fuel != nil {
		return p.given[n] - int64(fuel.Get())
	}
	return 0
}

// numbers converts arguments of number types; calls with others are not compared.
func numbers(args []value) ([]uint64, bool) {
	params := make([]uint64, 0, len(args))
	for _, a := range args {
		var text string
		if json.Unmarshal(a.Value, &text) != nil {
			return nil, false
		}
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return nil, false
		}
		switch a.Type {
		case "i32", "i64", "f32", "f64":
			params = append(params, n)
		default:
			return nil, false
		}
	}
	return params, true
}
