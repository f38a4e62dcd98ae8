package act

import (
	"regexp"
	"strings"

	"github.com/chromedp/cdproto/runtime"

	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
)

var (
	leadingComments = regexp.MustCompile(`^(?:\s|//[^\n]*\n|/\*(?s:.*?)\*/)+`)
	// needsParentheses finds what would be a statement, although most who write it mean the value: a function, an object.
	needsParentheses = regexp.MustCompile(`^(?:(?:async\s+)?function\b|\{)`)
)

// readable puts an expression in parentheses if it is a value only there. That they fit is known from compiling it,
// which runs nothing.
func (e *evaluator) readable(expression string) (string, error) {
	if !needsParentheses.MatchString(leadingComments.ReplaceAllString(expression, "")) {
		return expression, nil
	}
	inside := "(" + strings.TrimRight(expression, "; \t\r\n") + "\n)"
	p := &runtime.CompileScriptParams{Expression: inside}
	if id, unique := e.context(); id != 0 || unique != "" {
		p.ExecutionContextID = e.place.Context.ID
	}
	var compiled runtime.CompileScriptResult
	err := e.op.Do(&engine.Call{Method: runtime.CommandCompileScript, Params: p, Call: schedule.Call{At: &e.place}}, &compiled)
	if err != nil || compiled.ExceptionDetails != nil {
		return expression, err
	}
	return inside, nil
}

// finishREPL calls a bare function, and awaits a promise: the browser awaits only what is written with await when it
// reads as a console does.
func (e *evaluator) finishREPL(expression string, object *runtime.RemoteObject) (*runtime.RemoteObject, error) {
	o, function := e.options, "function() { return this }"
	switch {
	case !o.REPL, !o.Locator.isZero(), object.ObjectID == "":
		return object, nil
	case isBareFunction(expression, object):
		function = "function() { return this() }"
	case object.Type != runtime.RemoteObjectTypeObject || object.Subtype == runtime.RemoteObjectSubtypeNode || !o.AwaitPromise:
		return object, nil
	}
	if err := e.op.TakeTurn(&e.place); err != nil {
		return nil, err
	}
	return e.callOn(object.ObjectID, function, &runtime.CallFunctionOnParams{UserGesture: &o.UserGesture, AwaitPromise: &o.AwaitPromise})
}

// isBareFunction reports whether an expression is nothing but the function that it gave. The description of a function
// is its source.
func isBareFunction(expression string, object *runtime.RemoteObject) bool {
	const around = "(); \t\r\n"
	written := strings.Trim(leadingComments.ReplaceAllString(expression, ""), around)
	return object.Type == runtime.RemoteObjectTypeFunction && !strings.HasPrefix(object.Description, "class") &&
		written == strings.Trim(object.Description, around)
}
