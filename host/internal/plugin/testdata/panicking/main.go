// Command panicking is a dialog policy that panics in a function of its own. The file
// panicking.wasm beside its folder is TinyGo's build:
//
//	tinygo build -target tools/tinygo/wasip1.json -opt 2 -no-debug -o host/internal/plugin/testdata/panicking.wasm ./host/internal/plugin/testdata/panicking
package main

import "github.com/hermes-cdp/hermes-cdp/sdk/dialog"

func init() {
	dialog.Handle(func(e dialog.Event) dialog.Verdict {
		return decide(e.Message)
	})
}

//go:noinline
func decide(m string) dialog.Verdict {
	if m != "" {
		panic("no rule for " + m)
	}
	return dialog.Abstain()
}

func main() {}
