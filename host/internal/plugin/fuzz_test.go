package plugin

import (
	"bytes"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// FuzzImports lets a guest call any import with any arguments: the host does not fail, answers with a length or a code
// that exists, and writes nowhere but where the guest asked it to.
func FuzzImports(f *testing.F) {
	for _, number := range importNumbers {
		for _, args := range [][4]int32{
			{}, {0, 1, 1024, 4096}, {0, 1, 131070, 4096}, {131071, 1, 0, 0}, {131072, 0, 131072, 0}, {0, 256, 0, 257}, {0, 257, 0, 0},
			{-1, -1, -1, -1}, {-1, 1, -1, 1}, {0, -1, 0, -1}, {1, 2, -131072, 1 << 30}, {1 << 30, 1 << 30, 1 << 30, 1 << 30},
			{1, 0, 8, 131072}, {0, 17, 100, 100}, {2, 131071, 1, 0}, {-2147483648, -2147483648, 2147483647, 2147483647},
		} {
			f.Add(number, args[0], args[1], args[2], args[3], []byte("event"))
		}
	}
	m := load(f, "imports", Limits{}, func(s *Source, _ *Options) {
		s.Config, s.Capabilities = []byte("the configuration"), abi.Capabilities()
	})
	f.Fuzz(func(t *testing.T, number byte, a, b, c, d int32, rest []byte) {
		number %= byte(len(importNumbers))
		rest = rest[:min(len(rest), 64<<10)]
		event := append(oneCall(number, [4]int32{a, b, c, d}), rest...)
		i, _, err := newInstance(ctx0, m)
		if err != nil {
			t.Fatal(err)
		}
		defer i.close()
		_, err = i.call(ctx0, fuzzEnvironment(), hookIndex(abi.HookFrames), event, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer := int64(i.guest.ExportedGlobal("answer").Get())
		x := exchanged{name: importName(number), args: [4]uint32{uint32(a), uint32(b), uint32(c), uint32(d)}, answer: answer, event: event}
		memory, _ := i.memory.Read(0, fixtureMemory)
		x.check(t, i, memory)
	})
}

// fuzzEnvironment has something under the keys that the imports fixture can ask for, whose memory is all "a".
func fuzzEnvironment() guestio.Environment {
	state := states(map[string]string{"a": "the state", "aaaaaaaa": "much of the state"})
	env := new(guestio.Store).Environment("p", "t", guestio.Quota{}, state)
	env.KVSet("a", []byte("one"))
	env.KVSet("aaaa", nil)
	env.KVSet("b", []byte("two"))
	return env
}

func importName(number byte) string {
	for name, n := range importNumbers {
		if n == number {
			return name
		}
	}
	return ""
}

// exchanged is one call of an import, made with a memory full of "a".
type exchanged struct {
	name   string
	args   [4]uint32
	answer int64
	event  []byte
}

func (x exchanged) check(t *testing.T, i *instance, memory []byte) {
	key := bytes.Repeat([]byte("a"), int(min(x.args[1], abi.MaxKeyBytes+1)))
	switch x.name {
	case abi.ImportFeatures:
		if x.answer != servedFeatures {
			t.Errorf("features are %d", x.answer)
		}
		x.wrote(t, memory, 0, nil)
	case abi.ImportLogEnabled:
		if x.answer != 0 && x.answer != 1 {
			t.Errorf("log_enabled answered %d", x.answer)
		}
		x.wrote(t, memory, 0, nil)
	case abi.ImportEventRead:
		x.read(t, memory, x.args[0], x.args[1], x.event)
	case abi.ImportConfigRead:
		x.read(t, memory, x.args[0], x.args[1], i.module.config)
	case abi.ImportStateGet:
		value, _ := fuzzEnvironment().StateGet(string(key))
		x.read(t, memory, x.args[2], x.args[3], value)
	case abi.ImportKVGet:
		value, _ := fuzzEnvironment().KVGet(string(key))
		x.read(t, memory, x.args[2], x.args[3], value)
	case abi.ImportKVList:
		keys, _ := fuzzEnvironment().KVList(string(key))
		x.read(t, memory, x.args[2], x.args[3], (&abi.KeyList{Keys: keys}).Append(nil))
	case abi.ImportResultWrite:
		x.took(t, memory, x.args[1])
		if want := bytes.Repeat([]byte("a"), int(max(0, x.answer))); !bytes.Equal(i.result, want) {
			t.Errorf("the host has %d bytes of a result of %d", len(i.result), len(want))
		}
	case abi.ImportErrorWrite:
		x.took(t, memory, x.args[1])
	case abi.ImportLog:
		x.took(t, memory, x.args[2])
	case abi.ImportKVSet:
		x.took(t, memory, x.args[3])
	case abi.ImportKVDelete:
		x.took(t, memory, 0)
	default: // of WASI: an errno, the last of which is ENOTCAPABLE
		if x.answer < 0 || x.answer > 76 {
			t.Errorf("%s answered %d", x.name, x.answer)
		}
	}
}

// coded reports whether the answer is a code, and fails the test unless it is one that a guest can get here.
func (x exchanged) coded(t *testing.T) bool {
	if x.answer >= 0 {
		return false
	}
	switch abi.Code(x.answer) {
	case abi.CodeNotFound, abi.CodeBadMemory, abi.CodeTooLarge:
	default:
		t.Errorf("%s%v answered %d", x.name, x.args, x.answer)
	}
	return true
}

// took checks an import that takes bytes from the guest.
func (x exchanged) took(t *testing.T, memory []byte, length uint32) {
	if !x.coded(t) && x.answer != int64(length) {
		t.Errorf("%s%v answered %d, want the length", x.name, x.args, x.answer)
	}
	x.wrote(t, memory, 0, nil)
}

// read checks an import that gives bytes to the guest, if they fit.
func (x exchanged) read(t *testing.T, memory []byte, buf, limit uint32, value []byte) {
	fits := len(value) <= int(limit)
	switch {
	case x.coded(t), !fits:
		x.wrote(t, memory, 0, nil)
	default:
		x.wrote(t, memory, buf, value)
	}
	if x.answer >= 0 && x.answer != int64(len(value)) {
		t.Errorf("%s%v answered %d, want %d", x.name, x.args, x.answer, len(value))
	}
	if inside := uint64(buf)+uint64(len(value)) <= fixtureMemory; fits && !inside && x.answer >= 0 {
		t.Errorf("%s%v answered %d to a buffer that is outside", x.name, x.args, x.answer)
	}
}

// wrote checks that the memory is as the guest left it but for the value at ptr.
func (x exchanged) wrote(t *testing.T, memory []byte, ptr uint32, value []byte) {
	want := bytes.Repeat([]byte("a"), fixtureMemory)
	if len(value) > 0 {
		copy(want[ptr:], value)
	}
	if !bytes.Equal(memory, want) {
		t.Errorf("%s%v changed the memory elsewhere, or not as asked", x.name, x.args)
	}
}
