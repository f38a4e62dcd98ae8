//go:build tinygo.wasm || wasip1

package navigate

//go:wasmexport hermes_on_navigate
func onNavigate(n int32) int32 { return int32(run(n)) }
