//go:build !race

// Nothing here is concurrent, and the race detector makes the engine's compiler fifteen times slower.

package wasmfile

import (
	"context"
	"encoding/json"
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

// The tests of the WebAssembly specification come with wazero's module. Each of their modules runs twice, as it is and
// rewritten, and every call that a test makes must end the same way on both.
func TestRewrittenModulesPassTheSpecificationTestsAsTheOriginalsDo(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join(wazeroDir(t), "internal/integration_test/spectest/v2/testdata/*.json"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no specification tests found: %v", err)
	}
	modules, calls := 0, 0
	for _, path := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			p := newPair(t)
			defer p.close()
			p.run(path)
			modules += p.modules
			calls += p.calls
		})
	}
	if modules < 500 || calls < 20_000 {
		t.Errorf("only %d modules and %d calls were compared", modules, calls)
	}
}

func wazeroDir(t *testing.T) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

type script struct {
	Commands []struct {
		Type     string `json:"type"`
		Line     int    `json:"line"`
		Name     string `json:"name"`
		As       string `json:"as"`
		Filename string `json:"filename"`
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

// pair is the same test run on the original modules and on the rewritten ones.
type pair struct {
	t              *testing.T
	runtimes       [2]wazero.Runtime
	last           [2]api.Module
	named          map[string][2]api.Module
	modules, calls int
}

func newPair(t *testing.T) *pair {
	config := wazero.NewRuntimeConfigCompiler().WithCloseOnContextDone(true)
	p := &pair{t: t, named: map[string][2]api.Module{}}
	for n := range p.runtimes {
		p.runtimes[n] = wazero.NewRuntimeWithConfig(t.Context(), config)
	}
	return p
}

func (p *pair) close() {
	for _, r := range p.runtimes {
		if err := r.Close(context.Background()); err != nil {
			p.t.Error(err)
		}
	}
}

func (p *pair) run(path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	var s script
	if err := json.Unmarshal(data, &s); err != nil {
		p.t.Fatal(err)
	}
	for _, c := range s.Commands {
		switch c.Type {
		case "module":
			wasm, err := os.ReadFile(filepath.Join(filepath.Dir(path), c.Filename))
			if err != nil {
				p.t.Fatal(err)
			}
			p.instantiate(wasm, c.Line)
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

// instantiate makes the module on both sides; what one side refuses, such as an import of a module that this test does
// not offer, the other must refuse too.
func (p *pair) instantiate(wasm []byte, line int) {
	p.last = [2]api.Module{}
	file, err := Parse(wasm)
	if err != nil {
		p.t.Fatalf("line %d: %v", line, err)
	}
	rewritten, err := file.Interruptible(wasm, 1<<32-1)
	if err != nil {
		p.t.Fatalf("line %d: %v", line, err)
	}
	var errs [2]error
	for n, binary := range [2][]byte{wasm, rewritten} {
		p.last[n], errs[n] = p.runtimes[n].InstantiateWithConfig(context.Background(), binary, wazero.NewModuleConfig().WithName(""))
	}
	if (errs[0] == nil) != (errs[1] == nil) {
		p.t.Errorf("line %d: the original instantiates with %v, the rewritten one with %v", line, errs[0], errs[1])
	}
	p.modules++
}

func (p *pair) invoke(module, field string, args []value, line int) {
	target := p.last
	if module != "" {
		target = p.named[module]
	}
	params, ok := numbers(args)
	if !ok || target[0] == nil || target[1] == nil {
		return
	}
	var results [2][]uint64
	var errs [2]error
	for n, m := range target {
		f := m.ExportedFunction(field)
		results[n], errs[n] = f.Call(context.Background(), params...)
		for i, r := range f.Definition().ResultTypes() {
			if (r == api.ValueTypeExternref || r == 0x70) && errs[n] == nil { // references are addresses
				results[n][i] = 0
			}
		}
	}
	if (errs[0] == nil) != (errs[1] == nil) || !slices.Equal(results[0], results[1]) {
		p.t.Errorf("line %d: %s(%v) gives %v, %v; rewritten %v, %v", line, field, params, results[0], errs[0], results[1], errs[1])
	}
	p.calls++
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
