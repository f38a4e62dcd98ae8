// The cookie-banners plugin blocks the scripts that show cookie banners, so that no consent is given.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/request"
)

// current is the module's configuration: hermes_init sets it, and nothing else.
var current settings

func init() {
	sdk.OnInit(func(object abi.Struct) (err error) {
		current, err = readSettings(object)
		return err
	})
	request.Handle(func(e request.Event) request.Verdict { return decide(&current, &e) })
}

// main never runs: the host calls exports.
func main() {}
