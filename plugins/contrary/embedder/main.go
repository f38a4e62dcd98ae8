// The contrary-embedder plugin asks the program that embeds the host how to answer a dialog: with the message it calls
// the function lookup in its first version, of which it accepts what says accept and dismisses what says dismiss. It
// reports the reason of a function that fails, and abstains without an answer. A message of twice asks twice.
package main

import (
	"errors"

	"github.com/hermes-cdp/hermes-cdp/sdk/dialog"
	"github.com/hermes-cdp/hermes-cdp/sdk/embedder"
)

func init() {
	dialog.Handle(func(e dialog.Event) dialog.Verdict {
		answer, err := embedder.Call(lookup, e.Message)
		if e.Message == "twice" && err == nil {
			answer, err = embedder.Call(lookup, e.Message)
		}
		var failed *embedder.FailedError
		switch {
		case errors.As(err, &failed):
			return dialog.Dismiss().Because(failed.Reason)
		case err != nil:
			return dialog.Abstain()
		}
		if text := string(answer); text != "dismiss" {
			return dialog.AcceptText(text).Because("the embedder")
		}
		return dialog.Dismiss().Because("the embedder")
	})
}

func main() {}
