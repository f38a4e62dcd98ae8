package act

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/decode"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// objectGroups numbers the groups of the page's objects that evaluations keep until they end.
var objectGroups atomic.Uint64

// scriptCall is a call that runs script. With awaits it may wait for a promise after its script has ended.
func (e *evaluator) scriptCall(method string, params any, awaits bool) *engine.Call {
	c := &engine.Call{Method: method, Params: params, Call: schedule.Call{At: &e.place, HasEffect: true, NeverTerminated: e.harmless}}
	if awaits {
		c.Turn = schedule.FenceAfter
	}
	return c
}

// errNoFunction is how Chromium says that an expression that should be called with an element is not a function, which
// it knows only after evaluating it.
const errNoFunction = "Given expression does not evaluate to a function"

// run evaluates the expression, or calls it with the element, and returns the result as an object of the page: if it
// were returned by value and had no JSON, it would be lost with the reply.
func (e *evaluator) run(expression string) (*runtime.RemoteObject, error) {
	o := e.options
	if !o.Locator.isZero() {
		element, err := e.element()
		if err != nil {
			return nil, err
		}
		object, err := e.callOn(element, expression, &runtime.CallFunctionOnParams{
			Arguments: []*runtime.CallArgument{{ObjectID: element}}, UserGesture: &o.UserGesture, AwaitPromise: &o.AwaitPromise, ReturnByValue: &e.byValue,
		})
		if refusedWith(err, errNoFunction) {
			return nil, fmt.Errorf("%w: with an element the expression must be a function of it, such as el => el.id; this one was evaluated, and its effects remain", fault.ErrBadArguments)
		}
		return object, err
	}
	if o.REPL {
		var err error
		if expression, err = e.readable(expression); err != nil {
			return nil, err
		}
	}
	return e.evaluateExpression(expression, &runtime.EvaluateParams{
		UserGesture: &o.UserGesture, AwaitPromise: &o.AwaitPromise, ReturnByValue: &e.byValue, ReplMode: &o.REPL,
	})
}

func (e *evaluator) evaluateExpression(expression string, p *runtime.EvaluateParams) (*runtime.RemoteObject, error) {
	p.Expression, p.ObjectGroup = expression, e.objectGroup()
	p.ContextID, p.UniqueContextID = e.context()
	var r runtime.EvaluateResult
	if err := e.op.Do(e.scriptCall(runtime.CommandEvaluate, p, isSet(p.AwaitPromise) || isSet(p.ReplMode)), &r); err != nil {
		return nil, err
	}
	return e.outcome(r.Result, r.ExceptionDetails)
}

func isSet(flag *bool) bool { return flag != nil && *flag }

// callOn calls a function on an object of the page.
func (e *evaluator) callOn(object runtime.RemoteObjectID, function string, p *runtime.CallFunctionOnParams) (*runtime.RemoteObject, error) {
	p.ObjectID, p.FunctionDeclaration, p.ObjectGroup = object, function, e.objectGroup()
	var r runtime.CallFunctionOnResult
	if err := e.op.Do(e.scriptCall(runtime.CommandCallFunctionOn, p, isSet(p.AwaitPromise)), &r); err != nil {
		return nil, err
	}
	return e.outcome(r.Result, r.ExceptionDetails)
}

func (e *evaluator) outcome(object *runtime.RemoteObject, thrown *runtime.ExceptionDetails) (*runtime.RemoteObject, error) {
	switch {
	case thrown != nil:
		e.hasObjects = true
		return nil, &fault.EvaluateError{Exception: decode.ExceptionText(thrown)}
	case object == nil:
		return &runtime.RemoteObject{Type: runtime.RemoteObjectTypeUndefined}, nil
	}
	e.hasObjects = e.hasObjects || object.ObjectID != ""
	return object, nil
}

// objectGroup names the group of the page's objects of this evaluation.
func (e *evaluator) objectGroup() string {
	if e.groupName == "" {
		e.groupName = "hermes-cdp-" + strconv.FormatUint(objectGroups.Add(1), 10)
	}
	return e.groupName
}

// release lets the page's objects go. It does not wait for the reply.
func (e *evaluator) release() {
	if e.hasObjects {
		e.op.Task().Tell(e.place.Session, runtime.CommandReleaseObjectGroup, &runtime.ReleaseObjectGroupParams{ObjectGroup: e.groupName})
	}
}

// createWorld creates the isolated world of a document. The browser announces it, so that it is created only once.
func (e *evaluator) createWorld() error {
	var made cdppage.CreateIsolatedWorldResult
	err := e.op.Do(&engine.Call{Method: cdppage.CommandCreateIsolatedWorld, Call: schedule.Call{At: &e.place}, Params: &cdppage.CreateIsolatedWorldParams{
		FrameID: e.place.Frame, WorldName: e.isolatedWorld(),
	}}, &made)
	if err != nil {
		return err
	}
	e.place.Context = supervise.ExecutionContext{ID: made.ExecutionContextID}
	return nil
}

func (e *evaluator) isolatedWorld() string { return cmp.Or(e.world, isolatedWorldName) }

// context names the world in which the expression runs. The default of a session is the main world of its root frame,
// so an expression there always runs in the current document.
func (e *evaluator) context() (id runtime.ExecutionContextID, unique string) {
	switch c := e.place.Context; {
	case e.place.Root && e.options.World == WorldMain:
		return 0, ""
	case c.Unique != "":
		return 0, c.Unique
	default:
		return c.ID, ""
	}
}

// element returns the element as an object of the world in which the function runs.
func (e *evaluator) element() (runtime.RemoteObjectID, error) {
	if e.options.Locator.FrameID == "" && e.options.World == WorldMain {
		return e.resolve(0) // in the main world of its own document
	}
	if !e.checksDocument {
		if err := e.checkDocument(); err != nil {
			return "", err
		}
	}
	return e.resolve(e.place.Context.ID)
}

// resolve returns the element of the backend node id as an object of a world.
func (e *evaluator) resolve(world runtime.ExecutionContextID) (runtime.RemoteObjectID, error) {
	node := e.options.Locator.BackendNodeID
	p := &dom.ResolveNodeParams{BackendNodeID: cdproto.BackendNodeID(node), ExecutionContextID: world, ObjectGroup: e.objectGroup()}
	var resolved dom.ResolveNodeResult
	var err error
	if e.resolvingTakesTurn() {
		e.hasObjects = true // also if the reply comes when nobody waits for it any more
		err = e.op.TakeTurnWith(&e.place, e.limit, dom.CommandResolveNode, p, &resolved)
	} else {
		err = e.op.Do(&engine.Call{Method: dom.CommandResolveNode, Params: p, Call: schedule.Call{At: &e.place}}, &resolved)
	}
	if errors.Is(err, fault.ErrProtocol) {
		return "", fmt.Errorf("%w: the frame has no element with the backend node id %d: %w", fault.ErrNoElement, node, err)
	}
	if err != nil {
		return "", err
	}
	e.hasObjects = true
	if resolved.Object.ClassName == "CSSPseudoElement" { // https://drafts.csswg.org/css-pseudo-4/#csspseudoelement
		return "", fmt.Errorf("%w: the browser draws it by the style of another element, and scripts cannot reach it; scroll that element instead",
			fault.ErrNotActionable)
	}
	return resolved.Object.ObjectID, nil
}

// checkDocument verifies that the element belongs to the frame's document: Chromium also resolves elements in the
// worlds of other frames of the same origin. It runs where the page's scripts cannot change the answer.
func (e *evaluator) checkDocument() error {
	isolated := evaluator{op: e.op, tab: e.tab, options: e.options, limit: e.limit, harmless: e.harmless}
	isolated.options.World = WorldIsolated
	defer isolated.release()
	if err := isolated.find(); err != nil {
		return err
	}
	element, err := isolated.resolve(isolated.place.Context.ID)
	if err != nil {
		return err
	}
	same, err := isolated.callOn(element, "function() { return this.ownerDocument === document }", &runtime.CallFunctionOnParams{})
	if err != nil {
		return err
	}
	if string(same.Value) != "true" {
		return fmt.Errorf("%w: the element with the backend node id %d is in another frame", fault.ErrNoElement, e.options.Locator.BackendNodeID)
	}
	return nil
}

// value turns an object of the page into JSON, if it has any. The page's getters run once.
func (e *evaluator) value(o *runtime.RemoteObject) (Evaluation, error) {
	v := Evaluation{
		Type: string(o.Type), Subtype: string(o.Subtype), Unserializable: string(o.UnserializableValue), Description: o.Description,
		Value: json.RawMessage(o.Value),
	}
	switch {
	case e.byValue || o.ObjectID == "" || o.Type == runtime.RemoteObjectTypeFunction || o.Type == runtime.RemoteObjectTypeSymbol:
		return v, nil
	case o.Subtype == runtime.RemoteObjectSubtypeNode:
		return v, e.describe(o.ObjectID, &v)
	}
	if e.options.AwaitPromise || e.options.REPL { // otherwise it still has its turn
		if err := e.op.TakeTurn(&e.place); err != nil {
			return Evaluation{}, err
		}
	}
	byValue := true
	copied, err := e.callOn(o.ObjectID, "function() { return this }", &runtime.CallFunctionOnParams{ReturnByValue: &byValue})
	var refused *fault.ProtocolError
	switch {
	case errors.As(err, &refused) && RunError(err) == err: //nolint:errorlint // RunError returns unknown errors unchanged
		return Evaluation{}, &NotSerialisableError{Evaluation: v, Reason: refused.Message}
	case err != nil:
		return Evaluation{}, err
	}
	v.Value = json.RawMessage(copied.Value)
	return v, nil
}

// describe adds the backend node id of a DOM node.
func (e *evaluator) describe(node runtime.RemoteObjectID, v *Evaluation) error {
	var described dom.DescribeNodeResult
	err := e.op.Do(&engine.Call{Method: dom.CommandDescribeNode, Params: &dom.DescribeNodeParams{ObjectID: node}, Call: schedule.Call{At: &e.place}}, &described)
	if err != nil {
		return err
	}
	v.BackendNodeID = int64(described.Node.BackendNodeID)
	return nil
}

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
