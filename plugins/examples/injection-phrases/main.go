// The injection-phrases plugin warns, in the results of tools, of texts that sound like orders to a model.
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
	aftertool.Handle(func(e aftertool.Event) aftertool.Verdict { return decide(&current, &e) })
}

// main never runs: the host calls exports.
func main() {}
