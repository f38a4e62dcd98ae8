// Package tool serves the tools that a plugin offers to agents. Importing it makes the module export hermes_tool_call.
package tool

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Call says that an agent calls a tool. Its Arguments conform to the tool's input schema. Page is the JSON that the
// tool's page script returned: untrusted, because the page controls it; read it with package json of the SDK. Slices
// and objects are valid until the handler returns; strings can be kept.
type Call = abi.ToolCallEvent

// Result is what the agent gets: one of [Text], [Error] and [Fail]. The zero value is an empty text.
type Result struct {
	result abi.ToolResult
	err    error
}

// Text answers with a text for the model.
func Text(text string) Result { return Result{result: abi.ToolResult{Text: text}} }

// Error answers that the tool did not do what was asked, and why, so that a model can do better: the arguments fit
// nothing on the page, or the page is not of the kind that the tool knows.
func Error(text string) Result { return Result{result: abi.ToolResult{Text: text, IsError: true}} }

// Fail says why the module cannot answer at all; the call is then an error of the plugin, not a result.
func Fail(reason string) Result { return Result{err: guest.Error(reason)} }

// With adds structured data for programs. The object is not copied.
func (r Result) With(structured abi.Struct) Result {
	r.result.Structured = structured
	return r
}

// handler serves one tool.
type handler struct {
	name string
	run  func(Call) Result
}

// state belongs to the module, and is reused from call to call.
var state struct {
	handlers []handler
	call     Call
	result   Result
}

// Handle registers the handler of a tool, by its name in the manifest; call it in func init, once for each tool:
// after a second call for one tool the host refuses the module.
func Handle(name string, f func(Call) Result) {
	for i := range state.handlers {
		if state.handlers[i].name == name {
			guest.Misuse(`tool.Handle was called twice for "` + name + `"; a tool has one handler`)
		}
	}
	state.handlers = append(state.handlers, handler{name, f})
}

func init() { guest.Export(abi.HookToolCall, onToolCall) }

//go:wasmexport hermes_tool_call
func onToolCall(n int32) int32 {
	return guest.Serve(n, &state.call, func() (*abi.ToolResult, error) {
		for i := range state.handlers {
			if state.handlers[i].name == state.call.Tool {
				state.result = state.handlers[i].run(state.call)
				return &state.result.result, state.result.err
			}
		}
		return nil, unknown(state.call.Tool)
	})
}

// unknown names the tool and those that are handled.
func unknown(name string) error {
	text := `unknown tool "` + name + `"; `
	if len(state.handlers) == 0 {
		return guest.Error(text + "no tool is handled")
	}
	text += "handled are "
	for i := range state.handlers {
		if i > 0 {
			text += ", "
		}
		text += state.handlers[i].name
	}
	return guest.Error(text)
}

// Decimal formats a whole number, for a result.
func Decimal(n int64) string { return guest.Decimal(n) }
