package wasmfile

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// listed is an instruction of a function, or a group of its locals, as wasm-objdump of wabt shows it.
type listed struct {
	offset int
	code   []byte
	text   string // of the instruction with its immediates, and without names
}

var (
	listedFunction = regexp.MustCompile(`^[0-9a-f]{6,} func\[\d+\]`)
	listedLine     = regexp.MustCompile(`^ ([0-9a-f]{6,}): ((?:[0-9a-f]{2} )+) *\| *(.*)$`)
	listedLocal    = regexp.MustCompile(`^local\[`)
)

// wabtListing returns the functions that wabt finds in a module, each without its locals. wabt is what `make tools`
// installs.
func wabtListing(t testing.TB, wasm []byte) ([][]listed, error) {
	path := filepath.Join(t.TempDir(), "module.wasm")
	if err := os.WriteFile(path, wasm, 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command("wasm-objdump", "-d", path)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		return nil, fmt.Errorf("wasm-objdump: %w: %s", err, stderr.String())
	}
	var functions [][]listed
	var last *[]listed
	for line := range strings.SplitSeq(string(out), "\n") {
		if listedFunction.MatchString(line) {
			functions = append(functions, nil)
			last = &functions[len(functions)-1]
			continue
		}
		parts := listedLine.FindStringSubmatch(line)
		if parts == nil {
			continue
		}
		offset, _ := strconv.ParseUint(parts[1], 16, 64)
		code, _ := hex.DecodeString(strings.ReplaceAll(parts[2], " ", ""))
		switch {
		case listedLocal.MatchString(parts[3]):
		case parts[3] == "": // the bytes of a long instruction
			long := &(*last)[len(*last)-1]
			long.code = append(long.code, code...)
		default:
			*last = append(*last, listed{int(offset), code, unnamed(parts[3])})
		}
	}
	return functions, nil
}

var listedName = regexp.MustCompile(` <[^;]*?>( |\)|$)`)

// unnamed leaves the names of functions and the like out of an instruction.
func unnamed(text string) string { return strings.TrimSpace(listedName.ReplaceAllString(text, "$1")) }

// ownListing returns the same as this package sees it.
func ownListing(t testing.TB, wasm []byte) [][]listed {
	f, err := Parse(wasm)
	if err != nil {
		t.Fatal(err)
	}
	w := rewriter{file: f}
	functions := make([][]listed, len(f.bodies))
	for n := range f.bodies {
		for r := w.open(n); !r.done(); {
			at := r.pos
			var in instruction
			if r.instruction(&in); r.err != nil {
				t.Fatal(r.err)
			}
			functions[n] = append(functions[n], listed{r.base + at, r.data[at:r.pos], in.text()})
		}
	}
	return functions
}

// text is the instruction as wabt writes it. The value of a float is left out.
func (in *instruction) text() string {
	kind := in.kind()
	text := []string{kind.name}
	if in.opcode == opCallIndirect { // the table comes first
		return fmt.Sprintf("call_indirect %d (type %d)", in.imm[1], in.imm[0])
	}
	for n, imm := range kind.immediates {
		value := fmt.Sprint(in.imm[n])
		switch imm {
		case immLabels:
			value = strings.Trim(fmt.Sprint(in.targets), "[]")
		case immBlockType:
			switch t := int64(in.imm[n]); {
			case t >= 0:
				value = fmt.Sprintf("type[%d]", t)
			case t == noResult:
				continue
			default:
				value = typeName(ValueType(t & 0x7f))
			}
		case immReference:
			value = strings.TrimSuffix(typeName(ValueType(in.imm[n])), "ref")
		case immTypes:
			value = typeName(ValueType(in.imm[n]))
		case immI32:
			value = fmt.Sprint(uint32(in.imm[n]))
		case immI64:
			value = fmt.Sprint(int64(in.imm[n]))
		case immF32, immF64:
			continue
		}
		text = append(text, value)
	}
	return strings.Join(text, " ")
}

// compareListings fails the test where wabt and this package see other instructions, or the same ones elsewhere.
func compareListings(t testing.TB, theirs [][]listed, wasm []byte) {
	t.Helper()
	ours := ownListing(t, wasm)
	if len(theirs) != len(ours) {
		t.Fatalf("wabt sees %d functions, this package %d", len(theirs), len(ours))
	}
	for n := range ours {
		same := slices.EqualFunc(ours[n], theirs[n], func(a, b listed) bool {
			return a.offset == b.offset && bytes.Equal(a.code, b.code) &&
				(a.text == b.text || strings.HasPrefix(a.text, "f") && strings.HasPrefix(b.text, a.text+" "))
		})
		if !same {
			t.Fatalf("function %d is read in another way by wabt:\n%v\nand here:\n%v", n, theirs[n], ours[n])
		}
	}
}

// checkMetered holds a metered module against wabt: both see the same instructions at the same places; without what the
// metering adds, they are those that wabt sees in the original; and every function and loop pays before it runs. It
// reports whether wabt can read the original.
func checkMetered(t testing.TB, wasm []byte) bool {
	t.Helper()
	f, err := Parse(wasm)
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.Metered(1 << 17)
	if err != nil {
		t.Fatal(err)
	}
	original, unreadable := wabtListing(t, wasm)
	metered, err := wabtListing(t, out)
	switch {
	case err != nil && unreadable != nil:
		return false
	case err != nil:
		t.Fatalf("a metered module is not well formed for wabt: %v", err)
	}
	compareListings(t, metered, out)
	added := newAdded(f)
	for n := range metered {
		code := added.named(metered[n], f.locals(n))
		if problem := unpaid(code); problem != "" {
			t.Errorf("function %d: %s:\n%s", n, problem, strings.Join(code, "\n"))
		}
		if unreadable != nil {
			continue
		}
		if got, want := strings.Join(withoutCharges(code), "\n"), added.moved(original[n]); got != want {
			t.Errorf("function %d has the instructions\n%s\nand the original\n%s", n, got, want)
		}
	}
	return unreadable == nil
}

// locals is how many locals a function has, with its parameters.
func (f *File) locals(defined int) uint32 {
	w := rewriter{file: f}
	return w.open(defined).spaces[spaceLocal]
}
