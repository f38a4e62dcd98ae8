//go:build !(tinygo.wasm || wasip1)

package tool

// Reset forgets every handler.
func Reset() { state.handlers = nil }
