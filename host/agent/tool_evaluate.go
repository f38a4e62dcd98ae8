package agent

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// EvaluateParams are the parameters of browser_evaluate.
type EvaluateParams struct {
	// Expression is JavaScript as in a console: await works at top level, let and const may be repeated, and a bare
	// function is called. With an element, it is a function that takes it.
	Expression string `json:"expression" need:"yes" doc:"JavaScript, or a function (of the element if there is one)"`
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
// the error says that its effects until then remain. Errors are those of [host.Tab.Evaluate].
func (b *Browser) Evaluate(ctx context.Context, p EvaluateParams) (EvaluateResult, error) {
	ctx, cancel := b.within(ctx, p.Timeout)
	defer cancel()
	tab, at, err := b.evaluateOn(ctx, p)
	if err != nil {
		return EvaluateResult{}, err
	}
	value, err := tab.Evaluate(ctx, p.Expression, &host.EvaluateOptions{Locator: at, AwaitPromise: true, UserGesture: true, REPL: true})
	return then(ctx, b, value, err, func(_ context.Context, value host.Evaluation) (EvaluateResult, error) {
		out, err := b.keepLong(value)
		return EvaluateResult{OK: true, Evaluated: out, Untrusted: b.untrusted(tab.ID(), "result")}, err
	})
}

// evaluateOn says where an expression is evaluated, and on which element.
func (b *Browser) evaluateOn(ctx context.Context, p EvaluateParams) (host.Tab, host.Locator, error) {
	tab, err := b.onPage(ctx, p.Tab)
	if err != nil {
		return host.Tab{}, host.Locator{}, err
	}
	switch {
	case p.Tab != "":
	case p.Ref != "":
		tab = b.tabOfRef(p.Ref)
	case p.FrameID != "":
		tab = "" // the frame's
	}
	if p.Ref != "" && (p.Selector != "" || p.BackendNodeID != 0 || p.FrameID != "" || p.Tab != "") {
		return host.Tab{}, host.Locator{}, badArgument("ref", "it implies the element, its frame and its tab; leave out selector, backend_node_id, frame_id and tab")
	}
	return b.task.Tab(tab), host.Locator{Ref: p.Ref, Selector: p.Selector, BackendNodeID: p.BackendNodeID, FrameID: p.FrameID}, nil
}
