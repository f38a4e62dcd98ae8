//go:build !(tinygo.wasm || wasip1)

package main

import (
	"unsafe"

	"github.com/hermes-cdp/hermes-cdp/sdk/embedder"
)

func lookup(request string, buf unsafe.Pointer, limit uint32) int32 {
	return embedder.Native("lookup_v1", request, buf, limit)
}
