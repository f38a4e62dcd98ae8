// The agent-rate plugin limits how many calls of tools the agents of a task make in a time.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/beforetool"
)

// current is the module's configuration: hermes_init sets it, and nothing else.
var current settings

func init() {
	sdk.OnInit(func(object abi.Struct) (err error) {
		current, err = readSettings(object)
		return err
	})
	beforetool.Handle(func(e beforetool.Event) beforetool.Verdict { return decide(&current, &e) })
}

// main never runs: the host calls exports.
func main() {}
