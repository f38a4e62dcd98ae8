package wasmfile

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var (
	mutantCount = flag.Int("mutants", 400, "how many modules with changed bytes to run")
	mutantSeed  = flag.Uint64("mutants.seed", 1, "which ones")
)

// Modules whose bytes were changed at random are refused, or they end by their fuel, and wabt sees in them what was
// metered. They run in a child process, which is killed when one of them does not come to its end: compiled code that
// runs forever cannot be stopped otherwise.
func TestMutantsEndByTheirFuel(t *testing.T) {
	random := rand.New(rand.NewPCG(*mutantSeed, 0))
	seeds := seeds(t)
	names := slices.Sorted(maps.Keys(seeds))
	folder := t.TempDir()
	mutants := map[string][]byte{}
	for tries := 0; len(mutants) < *mutantCount && tries < 1000**mutantCount; tries++ {
		name := names[random.IntN(len(names))]
		wasm := mutated(random, seeds[name])
		if _, err := meteredAnew(wasm); err != nil {
			continue
		}
		name = fmt.Sprintf("%s-%d", name, tries)
		mutants[name] = wasm
		if err := os.WriteFile(filepath.Join(folder, name), wasm, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	valid := inChild(t, folder, mutants)
	if len(valid) < *mutantCount/4 {
		t.Errorf("only %d of %d mutants were valid", len(valid), len(mutants))
	}
	read := 0
	for _, name := range valid {
		t.Run(name, func(t *testing.T) {
			if checkMetered(t, mutants[name]) {
				read++
			} else {
				t.Logf("wabt cannot read %x", mutants[name])
			}
		})
	}
	if read < len(valid)*9/10 {
		t.Errorf("wabt could read %d of %d", read, len(valid))
	}
}

// The processes that run mutants are killed when these do not end, and the module is named.
func TestAMutantThatOutlivesItsFuelIsFound(t *testing.T) {
	wasm := readFile(t, filepath.Join("..", "testdata", "spin.wasm"))
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "unmetered"), wasm, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, stuck, err := watch(t, folder, 2*time.Second); stuck != "unmetered" {
		t.Errorf("found %q, %v", stuck, err)
	}
}

func meteredAnew(wasm []byte) ([]byte, error) {
	f, err := Parse(wasm)
	if err != nil {
		return nil, err
	}
	return f.Metered(1 << 17)
}

// seeds are small modules: those of this repository and of the specification.
func seeds(t testing.TB) map[string][]byte {
	files := fixtures(t)
	for _, path := range append(specification(t, "*.wasm"), evasions(t)...) {
		files[filepath.Base(path)] = readFile(t, path)
	}
	maps.DeleteFunc(files, func(_ string, wasm []byte) bool { return len(wasm) > 4000 || len(wasm) < 40 })
	return files
}

func evasions(t testing.TB) []string {
	paths, err := filepath.Glob(filepath.Join("testdata", "evasion-*.wasm"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no evasions: %v", err)
	}
	return paths
}

// mutated returns a module with changes in a few places, half of the time inside of a function whose length is
// corrected.
func mutated(random *rand.Rand, wasm []byte) []byte {
	f, err := Parse(wasm)
	if err != nil || len(f.bodies) == 0 || random.IntN(2) == 0 {
		return changed(random, wasm)
	}
	target := random.IntN(len(f.bodies))
	code := binary.AppendUvarint(nil, uint64(len(f.bodies)))
	for n, b := range f.bodies {
		body := b.code
		if n == target {
			body = changed(random, body)
		}
		code = append(binary.AppendUvarint(code, uint64(len(body))), body...)
	}
	out := bytes.Clone(header)
	for _, s := range f.Sections {
		switch {
		case s.ID == sectionCode:
			out = appendSection(out, sectionCode, code)
		case !s.Custom():
			out = appendSection(out, s.ID, s.Data)
		}
	}
	return out
}

// changed returns bytes with one to three changes: a byte set, put in or left out, or a stretch repeated.
func changed(random *rand.Rand, from []byte) []byte {
	out := bytes.Clone(from)
	for range 1 + random.IntN(3) {
		if len(out) == 0 {
			break
		}
		at := random.IntN(len(out))
		switch random.IntN(5) {
		case 0:
			out[at] = byte(random.Uint32())
		case 1:
			out[at] = telling[random.IntN(len(telling))]
		case 2:
			out = slices.Insert(out, at, telling[random.IntN(len(telling))])
		case 3:
			out = slices.Delete(out, at, at+1)
		default:
			out = slices.Insert(out, at, out[at:min(len(out), at+1+random.IntN(8))]...)
		}
	}
	return out
}

// telling are bytes that mean something where numbers and instructions are read.
var telling = []byte{0, 1, 0x7f, 0x80, 0x81, 0xff, empty, opBlock, opLoop, opIf, opElse, opEnd, opBr, opBrIf, opBrTable, opCall,
	opCallIndirect, opGlobalGet, opGlobalSet, opLocalTee, opMemoryGrow, opI32Const, opI64Const, opF64Const, opPrefixMisc, 0xfd}
