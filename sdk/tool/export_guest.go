//go:build tinygo.wasm || wasip1

package tool

//go:wasmexport hermes_tool_call
func toolCall(n int32) int32 { return int32(run(n)) }
