// The mask-secrets plugin masks tokens and card numbers in whatever an agent gets from tools.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/aftertool"
)

// current is the module's configuration: hermes_init sets it, and nothing else.
var current settings

func init() {
	sdk.OnInit(func(object abi.Struct) (err error) {
		current, err = readSettings(object)
		return err
	})
	aftertool.Handle(func(e aftertool.Event) aftertool.Verdict {
		return aftertool.Rewrite(e, current.masked).Because("secrets")
	})
}

// main never runs: the host calls exports.
func main() {}
