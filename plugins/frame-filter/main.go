// The frame-filter plugin trims the frame tree of a tab to what is worth an agent's attention: caps on the number of
// children and on the depth of out-of-process frames, and rules by origin.
package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/frames"
)

// defaults is the module-wide configuration: only hermes_init sets it.
var defaults settings

// scratch is working memory, so that calls make no garbage. A call overwrites it before reading it.
var scratch filter

func init() {
	sdk.OnInit(func(config abi.Struct) (err error) {
		defaults, err = readSettings("configuration", config, builtIn)
		return err
	})
	frames.Handle(handle)
}

// main never runs: the host calls exports.
func main() {}

func handle(e frames.Event) frames.Verdict {
	settings := defaults
	if len(e.Header.TaskConfig) > 0 {
		var err error
		if settings, err = readSettings("task configuration", e.Header.TaskConfig, defaults); err != nil {
			return frames.Fail(err.Error())
		}
	}
	scratch.run(settings, e.Frames)
	return frames.Keep(scratch.kept, scratch.byChildren || scratch.byDepth).Capped(scratch.capped).Masked(scratch.masked).Because(scratch.explain(settings))
}
