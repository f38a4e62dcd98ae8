// The bridge-script plugin replaces the page's dialog functions, for backends that answer native dialogs themselves.
// Its script pauses, or sends a synchronous request if a page cannot be paused.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/bridge"
)

// current is the module-wide configuration: only hermes_init sets it.
var current settings

func init() {
	sdk.OnInit(func(config abi.Struct) (err error) {
		current, err = readSettings(config)
		return err
	})
	bridge.Handle(hybrid{&current})
}

// main never runs: the host calls exports.
func main() {}
