//go:build tinygo.wasm || wasip1

package dialog

//go:wasmexport hermes_on_dialog
func onDialog(n int32) int32 { return int32(run(n)) }
