// The ad-frames plugin drops the frames of listed domains. It knows public suffixes, so that a list can name domains,
// and a page's own frames stay.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/frames"
)

// current is the module's configuration: only hermes_init sets it.
var current settings

func init() {
	sdk.OnInit(func(config abi.Struct) (err error) {
		current, err = readSettings(config)
		return err
	})
	frames.Handle(func(e frames.Event) frames.Verdict { return decide(&current, &e) })
}

// main never runs: the host calls exports.
func main() {}
