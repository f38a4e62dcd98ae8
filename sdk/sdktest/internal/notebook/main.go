// The notebook plugin accesses its store and the host's state as the message of a dialog says. It is for tests of what
// such a plugin sees, natively and as a module.
package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/sdk/dialog"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialogclosed"
	"github.com/hermes-cdp/hermes-cdp/sdk/kv"
	"github.com/hermes-cdp/hermes-cdp/sdk/state"
)

func init() {
	dialog.Handle(func(e dialog.Event) dialog.Verdict {
		word, rest, _ := strings.Cut(e.Message, " ")
		key, value, _ := strings.Cut(rest, "=")
		switch word {
		case "note":
			return answer("", kv.Set(key, []byte(value)))
		case "fill":
			return answer("", kv.Set(key, make([]byte, 70<<10)))
		case "read":
			value, ok, err := kv.Get(key)
			return found(value, ok, err)
		case "forget":
			return answer("", kv.Delete(key))
		case "list":
			keys, err := kv.List(key)
			return answer(strings.Join(keys, ","), err)
		case "state":
			value, ok, err := state.Get(key)
			return found(value, ok, err)
		case "panic":
			stumble(rest)
		}
		return dialog.Abstain()
	})
	dialogclosed.Handle(func(e dialogclosed.Event) error { return kv.Set("closed "+e.DialogID, []byte(e.ClosedBy.String())) })
}

func found(value []byte, ok bool, err error) dialog.Verdict {
	if err == nil && !ok {
		return dialog.Dismiss()
	}
	return answer(string(value), err)
}

func answer(text string, err error) dialog.Verdict {
	if err != nil {
		return dialog.Fail(err.Error())
	}
	return dialog.AcceptText(text)
}

// stumble panics in a separate function, which tests look for in the stack.
//
//go:noinline
func stumble(message string) { panic(message) }

// main never runs: the host calls exports.
func main() {}
