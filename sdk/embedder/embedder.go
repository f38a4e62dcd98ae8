// Package embedder calls functions of the program that embeds the host. The program offers them by name and version,
// and grants them to plugins one by one; a module that imports one without the grant is refused when it is loaded.
//
// A plugin declares each function that it calls in a file for the compiler of modules, and in one for its own tests:
//
//	//go:build tinygo.wasm || wasip1
//
//	//go:wasmimport embedder lookup_v1
//	func importLookup(request string, buf unsafe.Pointer, limit uint32) int32
//
//	func lookup(request string, buf unsafe.Pointer, limit uint32) int32 {
//		return importLookup(request, buf, limit) // TinyGo does not take an import for a value
//	}
//
//	//go:build !(tinygo.wasm || wasip1)
//
//	func lookup(request string, buf unsafe.Pointer, limit uint32) int32 {
//		return embedder.Native("lookup_v1", request, buf, limit)
//	}
//
// and calls it in its handlers:
//
//	answer, err := embedder.Call(lookup, e.Origin)
//
// What requests and answers are is between the program and the plugin: any bytes. Each call is recorded with its
// answer, so replays of the plugin do not need the program.
package embedder

import (
	"unsafe"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// The errors of [Call]; compare with ==. Any other is a [FailedError].
const (
	// ErrNotFound says that the function has nothing for this request.
	ErrNotFound = guest.Error("embedder: not found")
	// ErrDenied says that the function does not answer this plugin or this request.
	ErrDenied = guest.Error("embedder: denied")
	// ErrTooLarge says that the request or the answer is too large, or that one hook call called the function too often.
	ErrTooLarge = guest.Error("embedder: over a limit of the function")
	// ErrUnsupported says that nobody answers: in a self-test, or because the call differs from the one that is replayed.
	ErrUnsupported = guest.Error("embedder: the function does not answer here")
	// ErrInternal says that the function failed without a reason for plugins.
	ErrInternal = guest.Error("embedder: the function failed; the log of the host says why")
)

// FailedError is the reason that a function gave for not answering.
type FailedError struct{ Reason string }

// Error returns the reason.
func (e *FailedError) Error() string { return "embedder: " + e.Reason }

// Import is a function that a plugin imports from the module embedder.
type Import func(request string, buf unsafe.Pointer, limit uint32) int32

// Call calls a function, once, and returns its answer, which the caller may keep.
func Call(f Import, request string) ([]byte, error) {
	answer, code := guest.CallEmbedder(func(buf []byte) int32 {
		return f(request, unsafe.Pointer(unsafe.SliceData(buf)), uint32(len(buf)))
	})
	switch code {
	case 0:
		return answer, nil
	case abi.CodeFailed:
		return nil, &FailedError{string(answer)}
	case abi.CodeNotFound:
		return nil, ErrNotFound
	case abi.CodeDenied:
		return nil, ErrDenied
	case abi.CodeTooLarge:
		return nil, ErrTooLarge
	case abi.CodeUnsupported:
		return nil, ErrUnsupported
	default:
		return nil, ErrInternal
	}
}
