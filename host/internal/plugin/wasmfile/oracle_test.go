package wasmfile

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
)

// corpus returns modules of all compilers that plugins are written with, as they build them.
func corpus(t testing.TB) map[string][]byte {
	root := filepath.Join("..", "..", "..", "..")
	files := fixtures(t)
	for _, folder := range []string{"plugins/dist", "plugins/examples/dist", "plugins/contrary/testdata"} {
		paths, err := filepath.Glob(filepath.Join(root, folder, "*.wasm"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no modules in %s: %v", folder, err)
		}
		for _, path := range paths {
			files[filepath.Base(path)] = readFile(t, path)
		}
	}
	out := filepath.Join(t.TempDir(), "module.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-o", out, "./plugins/dialog-policy")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, text)
	}
	files["dialog-policy, Go"] = readFile(t, out)
	return files
}

func readFile(t testing.TB, path string) []byte {
	wasm, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// wabt, which shares nothing with this package nor with the engine, reads metered modules as they were meant.
func TestWabtSeesTheSameInstructionsInModulesOfAllCompilers(t *testing.T) {
	for name, wasm := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			if !checkMetered(t, wasm) {
				t.Error("wabt cannot read the original")
			}
		})
	}
}

func TestWabtSeesTheSameInstructionsInTheModulesOfTheSpecification(t *testing.T) {
	engine := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(Features))
	defer engine.Close(t.Context())
	checked, unreadable := 0, 0
	for _, path := range specification(t, "*.wasm") {
		wasm := readFile(t, path)
		if !accepted(t, engine, wasm) {
			continue
		}
		checked++
		t.Run(strings.TrimSuffix(filepath.Base(path), ".wasm"), func(t *testing.T) {
			if !checkMetered(t, wasm) {
				unreadable++
			}
		})
	}
	if checked < 1000 || unreadable > 2 { // wabt 1.0.32 knows no padded second opcode, and no global.get in an element
		t.Errorf("only %d modules were checked; wabt could not read %d of the originals", checked, unreadable)
	}
}

// accepted reports whether a module can be metered, and is valid then.
func accepted(t testing.TB, engine wazero.Runtime, wasm []byte) bool {
	f, err := Parse(wasm)
	if err != nil {
		return false
	}
	metered, err := f.Metered(1 << 17)
	if err != nil {
		return false
	}
	m, err := engine.CompileModule(t.Context(), metered)
	if err == nil {
		m.Close(t.Context())
	}
	return err == nil
}

// What is refused is refused because of where it is, and not only by luck of another check.
func TestModulesThatEvadeTheMeterAreRefused(t *testing.T) {
	for name, want := range map[string]string{
		"simd":      "the SIMD instruction 0xfd 12 at byte 88",
		"blocktype": "a number of more than 33 bits at byte 85",
		"fuel":      "global 0 of 0 at byte 94",
	} {
		f, err := Parse(readFile(t, filepath.Join("testdata", "evasion-"+name+".wasm")))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = f.Metered(1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want one with %q", name, err, want)
		}
	}
}

// BenchmarkMetered is what metering adds to the time that it takes to load a module, for one that Go built.
func BenchmarkMetered(b *testing.B) {
	wasm := corpus(b)["dialog-policy, Go"]
	b.SetBytes(int64(len(wasm)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := meteredAnew(wasm); err != nil {
			b.Fatal(err)
		}
	}
}
