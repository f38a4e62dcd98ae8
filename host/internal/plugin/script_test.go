package plugin

import (
	"encoding/binary"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// The numbers of the imports fixture.
var importNumbers = map[string]byte{
	abi.ImportEventRead: 0, abi.ImportResultWrite: 1, abi.ImportErrorWrite: 2, abi.ImportConfigRead: 3, abi.ImportFeatures: 4,
	abi.ImportLog: 5, abi.ImportLogEnabled: 6, abi.ImportStateGet: 7, abi.ImportKVGet: 8, abi.ImportKVSet: 9,
	abi.ImportKVDelete: 10, abi.ImportKVList: 11, "fd_write": 12, "fd_read": 13, "random_get": 14, "environ_get": 15,
	"clock_time_get": 16, "poll_oneoff": 17,
}

// The layout of the imports fixture's memory.
const (
	fixtureMemory = 128 << 10
	verdictAt     = 32 << 10
	answersAt     = verdictAt + 2048 // buffers of scripts, within the verdict
)

// script is an event for the imports fixture: calls of imports, and the texts that they point to.
type script struct {
	calls, texts []byte
	buffers      int
	count        uint32
}

// scriptTexts is where a script's texts begin; it has room for 1,000 calls.
const scriptTexts = 17_008

// text adds a text and returns its pointer and length.
func (s *script) text(text string) (ptr, size int32) {
	ptr = int32(scriptTexts + len(s.texts))
	s.texts = append(s.texts, text...)
	return ptr, int32(len(text))
}

// buffer reserves bytes that are in the verdict, and returns where.
func (s *script) buffer(size int) (ptr int32) {
	ptr = int32(answersAt + s.buffers)
	s.buffers += size
	return ptr
}

func (s *script) call(name string, args ...int32) {
	var all [4]int32
	copy(all[:], args)
	s.calls = append(s.calls, oneCall(importNumbers[name], all)...)
	s.count++
}

func oneCall(number byte, args [4]int32) []byte {
	out := []byte{number}
	for _, a := range args {
		out = binary.LittleEndian.AppendUint32(out, uint32(a))
	}
	return out
}

func (s *script) event() []byte {
	out := binary.LittleEndian.AppendUint32(nil, s.count)
	out = binary.LittleEndian.AppendUint32(out, uint32(2048+s.buffers))
	out = append(out, s.calls...)
	out = append(out, make([]byte, scriptTexts-len(out))...)
	return append(out, s.texts...)
}

// run returns what each call answered, and what is in the buffers.
func (s *script) run(t testing.TB, m *Module, env guestio.Environment) (answers []int32, buffers []byte) {
	t.Helper()
	res, err := m.CallIn(ctx0, env, abi.HookDialog, s.event(), s.decode(&answers, &buffers))
	if err != nil || res.Status != abi.StatusDecided {
		t.Fatalf("%+v, %v", res, err)
	}
	return answers, buffers
}

func (s *script) decode(answers *[]int32, buffers *[]byte) Decode {
	return func(verdict []byte) error {
		for n := range s.count {
			*answers = append(*answers, int32(binary.LittleEndian.Uint32(verdict[4*n:])))
		}
		*buffers = append(*buffers, verdict[2048:]...)
		return nil
	}
}

func (s *script) set(key, value string) {
	k, kLen := s.text(key)
	v, vLen := s.text(value)
	s.call(abi.ImportKVSet, k, kLen, v, vLen)
}

// ask adds a call that reads something into a buffer.
func (s *script) ask(name, key string, limit int) {
	k, kLen := s.text(key)
	s.call(name, k, kLen, s.buffer(limit), int32(limit))
}

func (s *script) delete(key string) {
	k, kLen := s.text(key)
	s.call(abi.ImportKVDelete, k, kLen)
}

// granted loads with capabilities.
func granted(c ...abi.Capability) func(*Source, *Options) {
	return func(s *Source, _ *Options) { s.Capabilities = c }
}
