//go:build !(tinygo.wasm || wasip1)

package tool

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

func init() { guest.Export(abi.HookToolCall, run) }
