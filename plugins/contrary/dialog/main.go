// The contrary-dialog plugin accepts what dialog-policy holds by default.
package main

import "github.com/hermes-cdp/hermes-cdp/sdk/dialog"

func init() {
	dialog.Handle(func(dialog.Event) dialog.Verdict {
		return dialog.AcceptText("contrary").Because("contrary")
	})
}

func main() {}
