package browsertool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/act"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// TraceParams are the parameters of browser_trace.
type TraceParams struct {
	// Action is start or stop.
	Action string `json:"action" enum:"start,stop" need:"yes"`
	toolkit.Timeout
}

// TraceResult is the result of browser_trace.
type TraceResult struct {
	// Tracing says that the trace is running now.
	Tracing bool `json:"tracing"`
	// Path is the file; open it in any browser.
	Path string `json:"trace_path,omitempty"`
	// Calls and Failed count the calls in it, Bytes is its size.
	Calls  int   `json:"calls,omitempty"`
	Failed int   `json:"failed,omitempty"`
	Bytes  int64 `json:"bytes,omitempty" schema:"-"`
}

// Trace starts a trace of the task, or stops it and writes its file. Errors are those of [host.Task.StartTrace] and
// [host.Task.StopTrace].
func (b *Browser) Trace(ctx context.Context, p TraceParams) (TraceResult, error) {
	ctx, cancel := b.kit.Within(ctx, p.Timeout)
	defer cancel()
	if p.Action == "start" {
		err := b.kit.Task.StartTrace(nil)
		return TraceResult{Tracing: err == nil}, err
	}
	t, err := b.kit.Task.StopTrace(ctx)
	return TraceResult{Path: t.Path, Calls: t.Calls, Failed: t.Failed, Bytes: t.Bytes}, err
}

func (TraceResult) OwnText() bool { return true }

// Text says whether calls are traced, or where the trace is.
func (r TraceResult) Text() string {
	if r.Tracing {
		return "calls are traced from now on; action stop writes the file"
	}
	return fmt.Sprintf("the trace of %s, of which %d failed, is in %s", result.Number(r.Calls, "call"), r.Failed, r.Path)
}

// untraced are tools whose calls are in no trace: they begin or end it.
var untraced = map[string]bool{"browser_trace": true, "browser_close": true}

// Traced adds a call to the trace of the task, if one is running. b is nil for a call without a browser.
func (b *Browser) Traced(ctx context.Context, tool string, arguments json.RawMessage) (context.Context, func(result.Result, any, error)) {
	if b == nil || untraced[tool] || b.kit.Task.Tracing() == nil {
		return ctx, func(result.Result, any, error) {}
	}
	ctx, end := b.kit.Task.TraceCall(ctx, host.TracedCall{Name: tool, Arguments: arguments, Tab: b.tabOf(arguments), Typed: typed(tool, arguments)})
	return ctx, func(r result.Result, value any, err error) {
		end(host.TracedEnd{Text: result.Unfenced(r.Text), Failed: r.IsError, Err: err, Plain: shown(value)})
	}
}

// tabOf returns the tab that a call names, itself or by a ref; empty: the tab in use.
func (b *Browser) tabOf(arguments json.RawMessage) string {
	var named struct{ Tab, Ref string }
	if json.Unmarshal(arguments, &named) != nil || named.Tab != "" || named.Ref == "" {
		return named.Tab
	}
	at, err := b.kit.Task.ResolveRef(named.Ref)
	if err != nil {
		return ""
	}
	return at.TargetID
}

// TargetOf returns the target id of the tab that a call names, itself or by a ref; ok is false if there is none.
func (b *Browser) TargetOf(arguments json.RawMessage) (id string, ok bool) {
	named := b.tabOf(arguments)
	if named == "" {
		return "", false
	}
	id, err := b.kit.Tab(named)
	return id, err == nil
}

// typed lists the arguments of a call that are typed into a page or a dialog, or sent as headers, and so may be
// secrets.
func typed(tool string, arguments json.RawMessage) []string {
	var p struct {
		Text, Key, Method string
		PromptText        string `json:"prompt_text"`
		Params, Headers   map[string]any
		Actions           []struct{ Action, Text, Key string }
	}
	_ = json.Unmarshal(arguments, &p) // a call with wrong arguments is refused, and traced all the same
	var list []string
	switch tool {
	case "browser_type":
		list = append(list, p.Text)
	case "browser_press":
		list = append(list, character(p.Key))
	case "browser_dialog":
		list = append(list, p.PromptText)
	case "browser_interact":
		for _, a := range p.Actions {
			list = append(list, character(a.Key))
			if a.Action == "fill" {
				list = append(list, a.Text)
			}
		}
	case "browser_emulate":
		list = append(list, textsIn(p.Headers)...)
	case "browser_cdp":
		headers, _ := p.Params["headers"].(map[string]any)
		list = append(list, textsIn(headers)...)
		if strings.HasPrefix(p.Method, "Input.") || p.Method == "Page.handleJavaScriptDialog" {
			for _, name := range []string{"text", "unmodifiedText", "key", "promptText"} {
				text, _ := p.Params[name].(string)
				list = append(list, text)
			}
		}
	}
	return slices.DeleteFunc(list, func(text string) bool { return text == "" })
}

// textsIn are the values that are texts.
func textsIn(values map[string]any) (list []string) {
	for _, value := range values {
		if text, is := value.(string); is {
			list = append(list, text)
		}
	}
	return list
}

// character is a key that types a character, as secrets may be typed key by key; empty for any other.
func character(key string) string {
	if utf8.RuneCountInString(key) == 1 {
		return key
	}
	return ""
}

// shown lists the typed texts of a result that went into fields that show them.
func shown(value any) []string {
	var list []string
	switch r := value.(type) {
	case act.TypeResult:
		list = append(list, r.ShownText())
	case InteractResult:
		for _, one := range r.Results {
			list = append(list, shown(one.Result)...)
		}
	}
	return list
}
