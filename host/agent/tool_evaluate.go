package agent

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// EvaluateParams are the parameters of browser_evaluate.
type EvaluateParams struct {
	// Expression is JavaScript; with an element, a function that takes it.
	Expression string `json:"expression" need:"yes" doc:"JavaScript; with an element: a function of it"`
	// Ref (from a snapshot), Selector (CSS) or BackendNodeID is the element; set at most one.
	Ref           string `json:"ref,omitempty"`
	Selector      string `json:"selector,omitempty"`
	BackendNodeID int64  `json:"backend_node_id,omitempty"`
	// FrameID and Tab (a handle such as t1, or the id of a tab or worker) say where; default: the top frame of the tab in
	// use.
	FrameID string `json:"frame_id,omitempty"`
	Tab     string `json:"tab,omitempty"`
	Timeout
}

// EvaluateResult is the result of browser_evaluate.
type EvaluateResult struct {
	OK bool `json:"ok"`
	Evaluated
	Untrusted *Untrusted `json:"untrusted,omitempty" schema:"-"`
}

// Evaluate runs an expression once and returns its value; promises are awaited. On a timeout the script is terminated;
// the error says that its effects until then remain. Errors are those of [host.Task.Evaluate].
func (b *Browser) Evaluate(ctx context.Context, p EvaluateParams) (EvaluateResult, error) {
	ctx, cancel := b.within(ctx, p.Timeout)
	defer cancel()
	o, err := b.evaluateOptions(ctx, p)
	if err != nil {
		return EvaluateResult{}, err
	}
	value, err := b.task.Evaluate(ctx, p.Expression, o)
	return then(ctx, b, value, err, func(_ context.Context, value host.Evaluation) (EvaluateResult, error) {
		return EvaluateResult{OK: true, Evaluated: evaluated(value), Untrusted: b.untrusted(o.TargetID, "result")}, nil
	})
}

// evaluateOptions says where an expression is evaluated and on which element.
func (b *Browser) evaluateOptions(ctx context.Context, p EvaluateParams) (host.EvaluateOptions, error) {
	o := host.EvaluateOptions{FrameID: p.FrameID, AwaitPromise: true, UserGesture: true}
	tab, err := b.onPage(ctx, p.Tab)
	if err != nil {
		return o, err
	}
	if p.Tab != "" || p.FrameID == "" { // else the frame's tab
		o.TargetID = tab
	}
	if p.Ref == "" {
		if p.Selector != "" || p.BackendNodeID != 0 {
			o.Element = &host.Element{Selector: p.Selector, BackendNodeID: p.BackendNodeID}
		}
		return o, nil
	}
	if p.Selector != "" || p.BackendNodeID != 0 || p.FrameID != "" || p.Tab != "" {
		return o, badArgument("ref", "it implies the element, its frame and its tab; leave out selector, backend_node_id, frame_id and tab")
	}
	at, err := b.task.ResolveRef(p.Ref)
	o.TargetID, o.Element = at.TargetID, &host.Element{Ref: p.Ref}
	return o, err
}
