package script

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// ConsoleParams are the parameters of browser_console.
type ConsoleParams struct {
	// Clear discards the messages once they have been read.
	Clear bool `json:"clear,omitempty" doc:"forget them"`
	// Expression is evaluated instead, as by browser_evaluate.
	Expression string `json:"expression,omitempty" doc:"JavaScript instead"`
	// Target is the element, the frame and the tab of the expression, as for browser_evaluate. Its Tab alone says whose
	// messages are read; empty: those of all.
	toolkit.Target `list:"no"`
	// Stop is the id of a delivered call that keeps its page busy: its script is terminated, and nothing else is done.
	Stop string `json:"stop,omitempty" list:"no"`
	toolkit.Timeout
}

// ConsoleResult is the result of browser_console: the messages, or the value of the expression.
type ConsoleResult struct {
	// Stopped is the call that was ended.
	Stopped  string           `json:"stopped,omitempty" schema:"-"`
	Messages []ConsoleMessage `json:"console_messages,omitempty"`
	Errors   []ConsoleError   `json:"js_errors,omitempty"`
	// TotalMessages and TotalErrors count what is shown; Total counts both since the task began.
	TotalMessages *int `json:"total_messages,omitempty"`
	TotalErrors   *int `json:"total_errors,omitempty"`
	Total         *int `json:"total_since_start,omitempty"`
	// Deprecations counts the uses of outdated features that the browser logged.
	Deprecations int `json:"deprecations,omitempty" schema:"-"`
	Evaluated
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
}

// ConsoleMessage is one message. Text and Source come from the page, escaped for display.
type ConsoleMessage struct {
	Type   string `json:"type"`
	From   string `json:"from,omitempty"` // what in the browser logged it: network, security, ...; empty: a script
	Text   string `json:"text"`
	Source string `json:"source,omitempty"`
}

// ConsoleError is an uncaught exception.
type ConsoleError struct {
	Message string `json:"message"`
	Source  string `json:"source,omitempty"`
}

// Console returns the last 50 console messages and the last 50 uncaught exceptions of the task, oldest first. It can
// also evaluate an expression, or end the script of a call. Errors are those of [host.Tab.Evaluate],
// [host.Task.ClearConsole] and [host.Task.Stop].
func (k *Kit) Console(ctx context.Context, p ConsoleParams) (ConsoleResult, error) {
	if p.Stop != "" {
		ctx, cancel := k.Within(ctx, p.Timeout)
		defer cancel()
		return ConsoleResult{Stopped: p.Stop}, k.Task.Stop(ctx, p.Stop)
	}
	if p.Expression != "" {
		value, err := k.Evaluate(ctx, EvaluateParams{Expression: p.Expression, Target: p.Target, Timeout: p.Timeout})
		return toolkit.After(ctx, k.Kit, value, err, func(_ context.Context, value EvaluateResult) (ConsoleResult, error) {
			return ConsoleResult{Evaluated: value.Evaluated, Untrusted: value.Untrusted}, nil
		})
	}
	if !p.Target.Empty() {
		return ConsoleResult{}, result.BadArgument("expression", "an element is for an expression, which is a function of it")
	}
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	r, err := k.messages(p.Tab)
	if err == nil && p.Clear {
		return r, k.Task.ClearConsole(ctx)
	}
	return r, err
}

// messages returns the messages and the errors of the console, of one tab if one is named.
func (k *Kit) messages(of string) (ConsoleResult, error) {
	if of != "" {
		var err error
		if of, err = k.Tab(of); err != nil {
			return ConsoleResult{}, err
		}
	}
	s := k.Task.Snapshot()
	r := ConsoleResult{Total: &s.ConsoleTotal, Deprecations: s.Deprecations, Untrusted: k.Untrusted(of, "console_messages", "js_errors")}
	for _, m := range s.Console {
		if of != "" && m.TargetID != of {
			continue
		}
		if m.Type == "exception" {
			r.Errors = append(r.Errors, ConsoleError{result.Visible(m.Text), result.Visible(m.Source)})
			continue
		}
		r.Messages = append(r.Messages, ConsoleMessage{m.Type, m.From, result.Visible(m.Text), result.Visible(m.Source)})
	}
	messages, errors := len(r.Messages), len(r.Errors)
	r.TotalMessages, r.TotalErrors = &messages, &errors
	return r, nil
}

func (r ConsoleResult) OwnText() bool { return r.Stopped != "" }

// Text lists the errors first, then the messages.
func (r ConsoleResult) Text() string {
	switch {
	case r.Stopped != "":
		return "ended " + result.Visible(r.Stopped)
	case r.Total == nil:
		return r.Evaluated.Text()
	}
	lines := []string{fmt.Sprintf("%s, %s, as written by pages:", result.Number(*r.TotalErrors, "error"), result.Number(*r.TotalMessages, "message"))}
	for _, e := range r.Errors {
		lines = append(lines, "error "+e.Message+at(e.Source))
	}
	for _, m := range r.Messages {
		lines = append(lines, strings.TrimSpace(m.From+" "+m.Type)+" "+m.Text+at(m.Source))
	}
	if r.Deprecations > 0 {
		lines = append(lines, result.Number(r.Deprecations, "use")+" of outdated features")
	}
	return strings.Join(lines, "\n")
}

// Guidance says where the result of a call that was ended is.
func (r ConsoleResult) Guidance(tools result.Offered) []string {
	if r.Stopped == "" {
		return nil
	}
	return []string{tools.Advice("get its result with browser_resume", "its result is lost")}
}

func at(source string) string {
	if source == "" {
		return ""
	}
	return " (" + source + ")"
}

// Evaluated is the value of an expression. Result comes from the page and is untrusted.
type Evaluated struct {
	// Result is JSON. A value that JSON lacks is null, or its description if it has one.
	Result json.RawMessage `json:"result,omitempty"`
	// ResultType is a JavaScript type (object, string, undefined, ...) or a subtype such as null, array or node.
	ResultType string `json:"result_type,omitempty"`
	// Truncated says that Result has only the first characters of a string or of JSON: 65,536, or 2,000 with a Path.
	Truncated bool `json:"result_truncated,omitempty" schema:"-"`
	// Path is the file that has the whole result; Result is then its beginning.
	Path string `json:"result_path,omitempty" schema:"-"`
	// BackendNodeID is that of a DOM node.
	BackendNodeID int64 `json:"backend_node_id,omitempty" schema:"-"`
}

// keepLong is evaluated, with a long value in a file.
func keepLong(k *toolkit.Kit, e host.Evaluation) (out Evaluated, err error) {
	out = evaluated(e)
	if len(e.Value) > 0 {
		out.Result, out.Path, out.Truncated, err = k.KeepValue(e.Value)
	}
	return out, err
}

func evaluated(e host.Evaluation) Evaluated {
	out := Evaluated{Result: e.Value, ResultType: e.Type, BackendNodeID: e.BackendNodeID}
	if e.Subtype != "" {
		out.ResultType = e.Subtype
	}
	switch {
	case len(e.Value) > 0:
	case e.Unserializable != "":
		out.Result = toolkit.Quote(e.Unserializable)
	case e.Description != "" && e.Type != "undefined":
		out.Result = toolkit.Quote(result.Visible(e.Description))
	default:
		out.Result = json.RawMessage("null")
	}
	return out
}

// Text returns the result; a string without its quotes.
func (e Evaluated) Text() string {
	var text string
	if json.Unmarshal(e.Result, &text) != nil {
		text = string(e.Result)
	}
	text = result.VisibleLines(text)
	switch {
	case e.Path != "":
		text += "\n(only the beginning; all of it is in " + e.Path + ")"
	case e.Truncated:
		text += "\n(only the first 65,536 characters; return a part of it)"
	}
	return "the page returned (" + e.ResultType + "): " + text
}
