package hooks

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/decode"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Console asks about a message. Each module sees it as the one before has left it. FailOpen lets a message pass on
// which a module failed to decide.
func Console(e supervise.AskConsole, failOpen bool) (lifecycle.Question, func(lifecycle.Outcome) supervise.ConsoleVerdict) {
	var verdict abi.ConsoleVerdict
	q := lifecycle.Question{
		Hook: abi.HookConsole, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: decodes(&verdict),
		Next: func() bool {
			if verdict.Action == abi.ConsoleActionMask {
				e.Event.Text = verdict.Text
			}
			return verdict.Action != abi.ConsoleActionDrop
		},
	}
	return q, func(o lifecycle.Outcome) supervise.ConsoleVerdict {
		v := supervise.ConsoleVerdict{Task: e.Task, Entry: e.Entry, Fault: o.Fault}
		v.Entry.Text = decode.Cut(e.Event.Text)
		if o.Fault != "" {
			v.Dropped = !failOpen
		} else {
			v.Dropped = verdict.Action == abi.ConsoleActionDrop
		}
		return v
	}
}
