//go:build tinygo.wasm || wasip1

package frames

//go:wasmexport hermes_filter_frames
func filterFrames(n int32) int32 { return int32(run(n)) }
