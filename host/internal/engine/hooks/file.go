package hooks

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// File asks the modules of a hook about a file, all of which must allow it; nil: they do. FailOpen lets a file pass on
// which a module failed to decide.
func File(hook abi.Hook, e *abi.FileEvent, failOpen bool) (lifecycle.Question, func(lifecycle.Outcome) *fault.FileDeniedError) {
	e.URL, e.Name = pagetext.Shorten(e.URL, abi.MaxFrameURLBytes), pagetext.Shorten(e.Name, abi.MaxFrameURLBytes)
	var verdict abi.FileVerdict
	q := lifecycle.Question{
		Hook: hook, Task: e.Header.TaskID, Header: &e.Header, Encode: e.Append, Decode: decodes(&verdict),
		Next: func() bool { return verdict.Action != abi.FileActionDeny },
	}
	return q, func(o lifecycle.Outcome) *fault.FileDeniedError {
		denied := &fault.FileDeniedError{Name: e.Name, Upload: hook == abi.HookUpload}
		switch {
		case o.Fault != "" && !failOpen:
			denied.FailedClosed, denied.Reason = true, pagetext.Lines(o.Fault)
		case o.Fault == "" && verdict.Action == abi.FileActionDeny:
			denied.Plugin, denied.Reason, denied.Rule = o.Calls[len(o.Calls)-1].Module, pagetext.Lines(verdict.Reason), pagetext.Lines(verdict.Rule)
		default:
			return nil
		}
		return denied
	}
}
