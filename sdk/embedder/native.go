//go:build !(tinygo.wasm || wasip1)

package embedder

import (
	"unsafe"

	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Native is an [Import] for tests of the plugin: the answers are those of the test case.
func Native(function string, request string, buf unsafe.Pointer, limit uint32) int32 {
	return guest.CallNativeEmbedder(function, []byte(request), unsafe.Slice((*byte)(buf), limit))
}
