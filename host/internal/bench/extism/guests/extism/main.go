//go:build tinygo.wasm

// The policy as a plugin for Extism. The imports are those of Extism's kernel
// (https://extism.org/docs/concepts/memory), used as in its Go PDK: memory is read and written eight bytes at a time.
package main

import (
	"encoding/binary"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/bench/extism/policy"
)

//go:wasmimport extism:host/env input_length
func inputLength() uint64

//go:wasmimport extism:host/env input_load_u8
func inputLoadU8(offset uint64) uint32

//go:wasmimport extism:host/env input_load_u64
func inputLoadU64(offset uint64) uint64

//go:wasmimport extism:host/env alloc
func alloc(length uint64) uint64

//go:wasmimport extism:host/env store_u8
func storeU8(offset uint64, v uint32)

//go:wasmimport extism:host/env store_u64
func storeU64(offset, v uint64)

//go:wasmimport extism:host/env output_set
func outputSet(offset, length uint64)

// Reused from call to call, as the other guest's are.
var (
	buffer []byte
	event  abi.DialogEvent
)

//go:wasmexport on_dialog
func onDialog() int32 {
	if err := event.UnmarshalAlias(input()); err != nil {
		return 1
	}
	verdict := policy.Decide(&event)
	verdict.TimeoutMs = 0
	buffer = verdict.Append(buffer[:0])
	output(buffer)
	return 0
}

func input() []byte {
	n := inputLength()
	if uint64(cap(buffer)) < n {
		buffer = make([]byte, n)
	}
	in := buffer[:n]
	at := uint64(0)
	for ; at+8 <= n; at += 8 {
		binary.LittleEndian.PutUint64(in[at:], inputLoadU64(at))
	}
	for ; at < n; at++ {
		in[at] = byte(inputLoadU8(at))
	}
	return in
}

func output(out []byte) {
	n := uint64(len(out))
	start, at := alloc(n), uint64(0)
	for ; at+8 <= n; at += 8 {
		storeU64(start+at, binary.LittleEndian.Uint64(out[at:]))
	}
	for ; at < n; at++ {
		storeU8(start+at, uint32(out[at]))
	}
	outputSet(start, n)
}

func main() {}
