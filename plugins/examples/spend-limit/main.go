// The spend-limit plugin denies what an agent does on a checkout whose total is above a limit.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/aftertool"
	"github.com/hermes-cdp/hermes-cdp/sdk/beforetool"
)

// current is the module's configuration: hermes_init sets it, and nothing else.
var current settings

func init() {
	sdk.OnInit(func(object abi.Struct) (err error) {
		current, err = readSettings(object)
		return err
	})
	aftertool.Handle(func(e aftertool.Event) aftertool.Verdict { return learn(&current, &e) })
	beforetool.Handle(func(e beforetool.Event) beforetool.Verdict { return decide(&current, &e) })
}

// main never runs: the host calls exports.
func main() {}
