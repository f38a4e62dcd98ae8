// Package tool serves the tools that a plugin offers to agents. Importing it makes the module export hermes_tool_call.
package tool

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Call says that an agent calls a tool. Its Arguments conform to the tool's input schema. Page is the JSON of what the
// tool's page script returned; it is the page's, untrusted (package json of the SDK reads it). Its strings and slices are
// valid until the handler returns.
type Call = abi.ToolCallEvent

// Result is what the agent gets: one of [Text], [Error] and [Fail]. The zero value is an empty text.
type Result struct {
	result abi.ToolResult
	reason string
	failed bool
}

// Text answers with what a model is to read.
func Text(text string) Result { return Result{result: abi.ToolResult{Text: text}} }

// Error answers that the tool did not do what was asked, and why, so that a model can do better: the arguments fit
// nothing on the page, or the page is not of the kind that the tool knows.
func Error(text string) Result { return Result{result: abi.ToolResult{Text: text, IsError: true}} }

// Fail says why the module can not answer at all; the call is then an error of the plugin's, not a result.
func Fail(reason string) Result { return Result{reason: reason, failed: true} }

// With adds what a program is to read. The object is not copied.
func (r Result) With(structured abi.Struct) Result {
	r.result.Structured = structured
	return r
}

// handler serves one tool.
type handler struct {
	name string
	run  func(Call) Result
}

// state is of the one module that an instance is, and reused from call to call.
var state struct {
	handlers []handler
	call     Call
	result   Result
}

// Handle registers the handler of a tool, by the name that it has in the manifest; call it in func init, once for each
// tool. The last one registered under a name counts.
func Handle(name string, f func(Call) Result) {
	for i := range state.handlers {
		if state.handlers[i].name == name {
			state.handlers[i].run = f
			return
		}
	}
	state.handlers = append(state.handlers, handler{name, f})
}

func run(n int32) abi.Status {
	src, ok := guest.Event(n)
	if !ok {
		return abi.StatusError
	}
	if err := state.call.UnmarshalAlias(src); err != nil {
		return guest.Fail(err.Error())
	}
	for i := range state.handlers {
		if state.handlers[i].name == state.call.Tool {
			state.result = state.handlers[i].run(state.call)
			return answer(&state.result)
		}
	}
	return guest.Fail(unknown(state.call.Tool))
}

func answer(r *Result) abi.Status {
	if r.failed {
		return guest.Fail(r.reason)
	}
	return guest.Decide(&r.result)
}

// unknown names the tool and those that there are.
func unknown(name string) string {
	text := `unknown tool "` + name + `"; `
	if len(state.handlers) == 0 {
		return text + "no tool is handled"
	}
	text += "handled are "
	for i := range state.handlers {
		if i > 0 {
			text += ", "
		}
		text += state.handlers[i].name
	}
	return text
}
