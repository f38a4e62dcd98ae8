//go:build tinygo.wasm || wasip1

package main

import "unsafe"

//go:wasmimport embedder lookup_v1
func importLookup(request string, buf unsafe.Pointer, limit uint32) int32

// lookup is a function of its own, as TinyGo does not take an import for a value.
func lookup(request string, buf unsafe.Pointer, limit uint32) int32 {
	return importLookup(request, buf, limit)
}
