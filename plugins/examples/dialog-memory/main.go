// The dialog-memory plugin answers dialogs by regular expressions, leaves the others to an agent, and answers what the agent
// answered once in the same way from then on.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialog"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialogclosed"
)

// current is the module's configuration: hermes_init sets it, and nothing else. What is remembered is in the host's store
// of the plugin for the task, as one instance serves many tasks and is replaced now and then.
var current settings

func init() {
	sdk.OnInit(func(config abi.Struct) (err error) {
		current, err = readSettings(config)
		return err
	})
	dialog.Handle(func(e dialog.Event) dialog.Verdict { return decide(&current, &e) })
	dialogclosed.Handle(func(e dialogclosed.Event) error { return learn(&current, &e) })
}

// main does not run: the host calls exports.
func main() {}
