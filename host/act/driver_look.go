package act

import (
	"context"
	"encoding/json"
	"sync"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/decode"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/script"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// RunWithin implements [page.Reader]. It takes no turn, because it runs nothing of the page and ends at once: it may be
// asked while another call's script is about to run.
func (d *driver) RunWithin(ctx context.Context, frame cdproto.FrameID, nodes []cdproto.BackendNodeID, function string, args []any, result any) error {
	declaration, err := script.OnNodes(function, args)
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		l, err := d.lookAt(ctx, frame)
		if err == nil {
			err = l.call(l.resolve(nodes), declaration, result)
		}
		switch {
		case !isNoContext(err):
			return RunError(err)
		case try == maxDocuments:
			return errReplaced
		}
	}
}

// look is a call of a function in the isolated world of a document.
type look struct {
	op    *engine.Operation
	ctx   context.Context
	place supervise.ScriptTarget
}

// lookAt locates a frame, and creates its isolated world if there is none.
func (d *driver) lookAt(ctx context.Context, frame cdproto.FrameID) (*look, error) {
	place, err := d.op.LocateWithin(ctx, supervise.FrameSelector{Target: d.tab, Frame: frame, World: isolatedWorldName})
	if err != nil {
		return nil, err
	}
	l := &look{op: d.op, ctx: ctx, place: place}
	if place.Context.ID != 0 {
		return l, nil
	}
	var made cdppage.CreateIsolatedWorldResult
	err = l.do(cdppage.CommandCreateIsolatedWorld, &cdppage.CreateIsolatedWorldParams{FrameID: place.Frame, WorldName: isolatedWorldName}, &made)
	l.place.Context = supervise.ExecutionContext{ID: made.ExecutionContextID}
	return l, err
}

func (l *look) do(method string, params, result any) error {
	return l.op.DoWithin(l.ctx, &engine.Call{Method: method, Params: params, Call: schedule.Call{At: &l.place, NeverTerminated: true}}, result)
}

// maxResolving is how many nodes are resolved at the same time.
const maxResolving = 32

// resolve returns nodes as objects of the world; those that no longer exist are undefined.
func (l *look) resolve(nodes []cdproto.BackendNodeID) []*runtime.CallArgument {
	arguments := make([]*runtime.CallArgument, len(nodes))
	slots := make(chan struct{}, maxResolving)
	var all sync.WaitGroup
	for i, node := range nodes {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			arguments[i] = &runtime.CallArgument{}
			var r dom.ResolveNodeResult
			params := &dom.ResolveNodeParams{BackendNodeID: node, ExecutionContextID: l.place.Context.ID, ObjectGroup: page.Looks}
			if l.do(dom.CommandResolveNode, params, &r) == nil && r.Object != nil {
				arguments[i].ObjectID = r.Object.ObjectID
			}
		})
	}
	all.Wait()
	return arguments
}

// describedNodes returns an array of nodes with their backend node ids, and nothing of what is in them.
var describedNodes = &runtime.SerializationOptions{
	Serialization: runtime.SerializationOptionsSerializationDeep, MaxDepth: &describedDepth,
	AdditionalParameters: jsonv2.Value(`{"maxNodeDepth":0,"includeShadowTree":"all"}`),
}

var describedDepth int64 = 2

func (l *look) call(arguments []*runtime.CallArgument, declaration string, result any) error {
	list, wantsNodes := result.(*[]page.Described)
	byValue := !wantsNodes
	p := &runtime.CallFunctionOnParams{
		FunctionDeclaration: declaration, Arguments: arguments, ExecutionContextID: l.place.Context.ID, ObjectGroup: page.Looks, ReturnByValue: &byValue,
	}
	if wantsNodes {
		p.SerializationOptions, p.ReturnByValue = describedNodes, nil
	}
	var r struct {
		Result struct {
			Value json.RawMessage     `json:"value"`
			Deep  page.DescribedNodes `json:"deepSerializedValue"`
		} `json:"result"`
		Thrown *runtime.ExceptionDetails `json:"exceptionDetails"`
	}
	switch err := l.do(runtime.CommandCallFunctionOn, p, &r); {
	case err != nil:
		return err
	case r.Thrown != nil:
		return &fault.EvaluateError{Exception: decode.ExceptionText(r.Thrown)}
	case wantsNodes:
		*list = r.Result.Deep.List()
		return nil
	case result == nil:
		return nil
	}
	return json.Unmarshal(r.Result.Value, result)
}
