// The dialog-memory plugin answers dialogs by regular expressions and leaves the others to an agent. What the agent has
// answered once, it answers the same way from then on.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialog"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialogclosed"
)

// current is the module's configuration: only hermes_init sets it. The answers are in the
// plugin's store for the task, because one instance serves many tasks and may be replaced at any time.
var current settings

func init() {
	sdk.OnInit(func(config abi.Struct) (err error) {
		current, err = readSettings(config)
		return err
	})
	dialog.Handle(func(e dialog.Event) dialog.Verdict { return decide(&current, &e) })
	dialogclosed.Handle(func(e dialogclosed.Event) error { return learn(&current, &e) })
}

// main never runs: the host calls exports.
func main() {}
