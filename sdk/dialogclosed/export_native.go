//go:build !(tinygo.wasm || wasip1)

package dialogclosed

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

func init() { guest.Export(abi.HookDialogClosed, run) }
