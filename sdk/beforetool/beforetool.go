// Package beforetool decides on calls of tools. Importing it makes the module export hermes_before_tool.
package beforetool

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event says that an agent calls a tool, with arguments that the tool has not checked yet. Some tools do several things
// in one call: the actions of browser_interact are in its arguments. Slices and objects are valid until the handler
// returns; strings can be kept.
type Event = abi.ToolUseEvent

// Verdict is what to do with the call: one of [Allow], [Deny], [Ask], [Change], [Abstain] and [Fail]. The zero value
// abstains.
type Verdict struct {
	decision guest.Decision[abi.ToolVerdict]
}

func decide(v abi.ToolVerdict) Verdict { return Verdict{guest.Decide(v)} }

// Allow lets the call continue, unless another module denies it.
func Allow() Verdict { return decide(abi.ToolVerdict{Action: abi.ToolActionAllow}) }

// Deny refuses the call. The agent is told the reason.
func Deny(reason string) Verdict {
	return decide(abi.ToolVerdict{Action: abi.ToolActionDeny, Reason: reason})
}

// Ask leaves the call to the operator, who is told the reason, unless another module denies it. Without an answer it is
// denied.
func Ask(reason string) Verdict {
	return decide(abi.ToolVerdict{Action: abi.ToolActionAsk, Reason: reason})
}

// Change calls the tool with other arguments, which replace all that there were. The host checks them as it checks an
// agent's. The object is not copied.
func Change(arguments abi.Struct) Verdict {
	return decide(abi.ToolVerdict{Action: abi.ToolActionChange, Arguments: arguments})
}

// Abstain has no opinion; the call continues unless another module denies it.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module cannot decide; the host then denies or allows as its operator configured.
func Fail(reason string) Verdict { return Verdict{guest.Fail[abi.ToolVerdict](reason)} }

// Because names the rule that decided, for people who ask why.
func (v Verdict) Because(rule string) Verdict {
	v.decision.Verdict.Rule = rule
	return v
}

var hook guest.Hook[Event, Verdict]

// Handle registers the handler; call it in func init, once: after a second call the host refuses the module. In
// tests, nil makes room for another handler.
func Handle(f func(Event) Verdict) { hook.Handle("beforetool", f) }

func init() { guest.Export(abi.HookBeforeTool, beforeTool) }

//go:wasmexport hermes_before_tool
func beforeTool(n int32) int32 {
	return guest.ServeHook(n, &hook, func(v *Verdict) *guest.Decision[abi.ToolVerdict] { return &v.decision })
}
