package act

import (
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// RunOn implements [page.Actor].
func (d *driver) RunOn(frame cdproto.FrameID, nodes []cdproto.BackendNodeID, function string, args []any, result any) error {
	if len(nodes) == 0 {
		return d.Run(frame, 0, function, append([]any{[]int{}}, args...), result)
	}
	declaration, err := applicationToNodes(function, args)
	if err != nil {
		return err
	}
	value, err := d.callOnNodes(frame, nodes, declaration)
	d.op.ReturnTurn() // as in Run
	if err != nil || result == nil {
		return err
	}
	return decodeRun(value, result)
}

// applicationToNodes is [application] to an array of the nodes that the function is called with.
func applicationToNodes(function string, args []any) (string, error) {
	apply, err := application("(...rest) => ("+function+")(nodes, ...rest)", false, args)
	return "function(...nodes) { return " + apply + " }", err
}

func (d *driver) callOnNodes(frame cdproto.FrameID, nodes []cdproto.BackendNodeID, declaration string) (Evaluation, error) {
	e := evaluator{op: d.op, limit: d.limit, options: EvaluateOptions{TargetID: string(d.tab), FrameID: string(frame), World: WorldIsolated, AwaitPromise: true}}
	defer e.release()
	if err := e.find(); err != nil {
		return Evaluation{}, err
	}
	arguments := make([]*runtime.CallArgument, len(nodes))
	for i, node := range nodes {
		e.options.Element = &Element{BackendNodeID: int64(node)}
		object, err := e.resolve(e.place.Context.ID)
		if err != nil {
			return Evaluation{}, err
		}
		arguments[i] = &runtime.CallArgument{ObjectID: object}
	}
	await := true
	object, err := e.callOn(arguments[0].ObjectID, declaration, &runtime.CallFunctionOnParams{Arguments: arguments, AwaitPromise: &await})
	if err != nil {
		return Evaluation{}, RunError(err)
	}
	value, err := e.value(object)
	return value, RunError(err)
}
