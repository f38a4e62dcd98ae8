//go:build tinygo.wasm || wasip1

package dialogclosed

//go:wasmexport hermes_on_dialog_closed
func onDialogClosed(n int32) int32 { return int32(run(n)) }
