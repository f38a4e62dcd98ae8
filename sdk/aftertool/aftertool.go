// Package aftertool decides on the results of tools. Importing it makes the module export hermes_after_tool.
package aftertool

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event has a call of a tool with its result, before an agent gets it. The result is untrusted, and says most things
// twice: Text is for models, Structured for programs. Slices are valid until the handler returns;
// strings can be kept.
type Event = abi.ToolUseEvent

// Verdict is what to do with the result: one of [Allow], [Deny], [Change], [Rewrite], [Abstain] and [Fail]. The zero
// value abstains.
type Verdict struct {
	decision guest.Decision[abi.ToolVerdict]
}

func decide(v abi.ToolVerdict) Verdict { return Verdict{guest.Decide(v)} }

// Allow gives the agent the result, unless another module denies it.
func Allow() Verdict { return decide(abi.ToolVerdict{Action: abi.ToolActionAllow}) }

// Deny withholds the result of a tool that has run. The agent is told the reason.
func Deny(reason string) Verdict {
	return decide(abi.ToolVerdict{Action: abi.ToolActionDeny, Reason: reason})
}

// Change gives the agent another text and object, which replace all of the result but its pictures. The object is not
// copied.
func Change(text string, structured abi.Struct) Verdict {
	return decide(abi.ToolVerdict{Action: abi.ToolActionChange, Text: text, Structured: structured})
}

// Rewrite changes the text, and each text and key in the object, with a function. It abstains if nothing changes.
func Rewrite(e Event, f func(string) string) Verdict {
	text := f(e.Text)
	structured, changed := rewriteStruct(e.Structured, f)
	if text == e.Text && !changed {
		return Abstain()
	}
	return Change(text, structured)
}

// WithoutPictures leaves the pictures of a changed result out.
func (v Verdict) WithoutPictures() Verdict {
	v.decision.Verdict.DropPictures = true
	return v
}

func rewriteStruct(s abi.Struct, f func(string) string) (out abi.Struct, changed bool) {
	out = make(abi.Struct, len(s))
	for i := range s {
		value, other := rewriteValue(s[i].Value, f)
		out[i] = abi.Field{Key: f(s[i].Key), Value: value}
		changed = changed || other || out[i].Key != s[i].Key
	}
	return out, changed
}

func rewriteValue(v abi.Value, f func(string) string) (_ abi.Value, changed bool) {
	switch v.Kind {
	case abi.KindString:
		text := f(v.String)
		changed, v.String = text != v.String, text
	case abi.KindStruct:
		v.Struct, changed = rewriteStruct(v.Struct, f)
	case abi.KindList:
		list := make([]abi.Value, len(v.List))
		for i := range v.List {
			item, other := rewriteValue(v.List[i], f)
			list[i], changed = item, changed || other
		}
		v.List = list
	}
	return v, changed
}

// Abstain has no opinion; the agent gets the result unless another module denies it.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module cannot decide; the host then withholds the result or not as its operator configured.
func Fail(reason string) Verdict { return Verdict{guest.Fail[abi.ToolVerdict](reason)} }

// Because names the rule that decided, for people who ask why.
func (v Verdict) Because(rule string) Verdict {
	v.decision.Verdict.Rule = rule
	return v
}

var hook guest.Hook[Event, Verdict]

// Handle registers the handler; call it in func init, once: after a second call the host refuses the module. In
// tests, nil makes room for another handler.
func Handle(f func(Event) Verdict) { hook.Handle("aftertool", f) }

func init() { guest.Export(abi.HookAfterTool, afterTool) }

//go:wasmexport hermes_after_tool
func afterTool(n int32) int32 {
	return guest.ServeHook(n, &hook, func(v *Verdict) *guest.Decision[abi.ToolVerdict] { return &v.decision })
}
