//go:build !(tinygo.wasm || wasip1)

package bridge

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

func init() {
	guest.Export(abi.HookBridgeScript, script)
	guest.Export(abi.HookBridgeRequest, request)
	guest.Export(abi.HookBridgeReply, reply)
}
