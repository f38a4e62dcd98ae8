// The navigate-allowlist plugin lets tabs navigate to the origins of a list, and nowhere else.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/navigate"
)

// defaults is the module-wide configuration: only hermes_init sets it.
var defaults settings

func init() {
	sdk.OnInit(func(config abi.Struct) (err error) {
		defaults, err = readSettings(config)
		return err
	})
	navigate.Handle(func(e navigate.Event) navigate.Verdict { return decide(&defaults, &e) })
}

// main never runs: the host calls exports.
func main() {}
