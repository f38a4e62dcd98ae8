//go:build tinygo.wasm

// The policy as a plugin for this host.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/bench/extism/policy"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialog"
)

func init() {
	dialog.Handle(func(e dialog.Event) dialog.Verdict {
		v := policy.Decide(&e)
		switch v.Action {
		case abi.DialogActionAccept:
			return dialog.Accept().Because(v.Rule)
		case abi.DialogActionDismiss:
			return dialog.Dismiss().Because(v.Rule)
		}
		return dialog.Hold(0).Because(v.Rule)
	})
}

func main() {}
