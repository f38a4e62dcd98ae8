// The dialog-policy plugin answers JavaScript dialogs by ordered rules, or by a named policy if no rule matches.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialog"
)

// defaults is the module-wide configuration: only hermes_init sets it.
var defaults settings

func init() {
	sdk.OnInit(func(config abi.Struct) (err error) {
		defaults, err = readSettings("configuration", config)
		return err
	})
	dialog.Handle(func(e dialog.Event) dialog.Verdict { return decide(&defaults, &e) })
}

// main never runs: the host calls exports.
func main() {}
