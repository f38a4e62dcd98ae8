package script

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// EvaluateParams are the parameters of browser_evaluate.
type EvaluateParams struct {
	// Expression is JavaScript as in a console: await works at top level, let and const may be repeated, and a bare
	// function is called. With an element, it is a function that takes it.
	Expression string `json:"expression" need:"yes" doc:"JavaScript, or a function (of the element if there is one)"`
	// Target is the element, of which there need be none, and the frame and the tab, or the worker; without any of them
	// it is the top frame of the tab in use. BackendNodeID names the element in another way.
	toolkit.Target
	BackendNodeID int64 `json:"backend_node_id,omitempty"`
	toolkit.Timeout
}

// EvaluateResult is the result of browser_evaluate.
type EvaluateResult struct {
	OK bool `json:"ok"`
	Evaluated
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
}

// Evaluate runs an expression once and returns its value; promises are awaited. On a timeout the script is terminated;
// the error says that its effects until then remain. Errors are those of [host.Tab.Evaluate].
func (k *Kit) Evaluate(ctx context.Context, p EvaluateParams) (EvaluateResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	tab, at, err := k.evaluateOn(ctx, p)
	if err != nil {
		return EvaluateResult{}, err
	}
	value, err := tab.Evaluate(ctx, p.Expression, &host.EvaluateOptions{Locator: at, AwaitPromise: true, UserGesture: true, REPL: true})
	return toolkit.Then(ctx, k.Kit, value, err, func(_ context.Context, value host.Evaluation) (EvaluateResult, error) {
		return EvaluatedIn(k.Kit, tab.ID(), value)
	})
}

// EvaluatedIn is the result for a value from a tab.
func EvaluatedIn(k *toolkit.Kit, tab string, value host.Evaluation) (EvaluateResult, error) {
	out, err := keepLong(k, value)
	return EvaluateResult{OK: true, Evaluated: out, Untrusted: k.Untrusted(tab, "result")}, err
}

// evaluateOn says where an expression is evaluated, and on which element.
func (k *Kit) evaluateOn(ctx context.Context, p EvaluateParams) (host.Tab, host.Locator, error) {
	switch {
	case p.BackendNodeID != 0 && !p.Target.Empty():
		return host.Tab{}, host.Locator{}, result.BadArgument("backend_node_id", "leave it out where ref, selector, text or role name the element")
	case p.Ref != "" && (p.FrameID != "" || p.Tab != ""):
		return host.Tab{}, host.Locator{}, result.BadArgument("ref", "it implies the element, its frame and its tab; leave out frame_id and tab")
	}
	tab, at, err := k.Locator(ctx, p.Target)
	if p.FrameID != "" && p.Tab == "" {
		tab = k.Task.Tab("") // the frame's
	}
	at.BackendNodeID = p.BackendNodeID
	return tab, at, err
}
