// The dialog-policy plugin answers JavaScript dialogs by ordered rules, and where none matches by a named policy.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialog"
)

// defaults is the module-wide configuration: hermes_init sets it, and nothing else.
var defaults settings

func init() {
	sdk.OnInit(func(config abi.Struct) (err error) {
		defaults, err = readSettings("configuration", config)
		return err
	})
	dialog.Handle(func(e dialog.Event) dialog.Verdict { return decide(&defaults, &e) })
}

// main does not run: the host calls exports.
func main() {}
