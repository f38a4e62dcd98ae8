// The bridge-script plugin takes dialogs from the page's own functions, for backends that answer native dialogs by
// themselves. Its script pauses, and where a page cannot be paused sends a synchronous request.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/bridge"
)

// current is the module-wide configuration: hermes_init sets it, and nothing else.
var current settings

func init() {
	sdk.OnInit(func(config abi.Struct) (err error) {
		current, err = readSettings(config)
		return err
	})
	bridge.Handle(hybrid{&current})
}

// main does not run: the host calls exports.
func main() {}
