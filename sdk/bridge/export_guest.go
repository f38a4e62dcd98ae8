//go:build tinygo.wasm || wasip1

package bridge

//go:wasmexport hermes_bridge_script
func exportScript(n int32) int32 { return int32(script(n)) }

//go:wasmexport hermes_bridge_request
func exportRequest(n int32) int32 { return int32(request(n)) }

//go:wasmexport hermes_bridge_reply
func exportReply(n int32) int32 { return int32(reply(n)) }
