// The download-types plugin lets a task keep downloads by what is in them, by name, size and origin.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/download"
)

// current is the module's configuration: hermes_init sets it, and nothing else.
var current settings

func init() {
	sdk.OnInit(func(object abi.Struct) (err error) {
		current, err = readSettings(object)
		return err
	})
	download.Handle(func(e download.Event) download.Verdict { return decide(&current, &e) })
}

// main never runs: the host calls exports.
func main() {}
