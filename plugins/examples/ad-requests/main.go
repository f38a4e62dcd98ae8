// The ad-requests plugin blocks what pages load from advertisers and trackers, by a list that it carries.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/request"
)

// current is the module's configuration: only hermes_init sets it.
var current settings

func init() {
	sdk.OnInit(func(config abi.Struct) (err error) {
		current, err = readSettings(config)
		return err
	})
	request.Handle(func(e request.Event) request.Verdict { return decide(&current, &e) })
}

// main never runs: the host calls exports.
func main() {}
