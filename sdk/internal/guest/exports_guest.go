//go:build tinygo.wasm || wasip1

package guest

// marker marks the module as one for version 1 of the ABI; it is never called.
//
//go:wasmexport hermes_abi_v1
func marker() {}

//go:wasmexport hermes_init
func initialise() int32 { return int32(start()) }
