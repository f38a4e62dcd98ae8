package agent

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// entry is a tool that can be called, whatever its source.
type entry struct {
	Tool
	gate func(gates) bool
	run  func(context.Context, *Browser, json.RawMessage) (any, error)
	// noBrowser says that no browser is started for the tool; run may get nil.
	noBrowser bool
}

// offeredOf are the tools of a view.
func offeredOf(there map[string]entry) result.Offered {
	tools := make(result.Offered, len(there))
	for name := range there {
		tools[name] = struct{}{}
	}
	return tools
}

// networkTools need the requests to be recorded. Whoever is offered one has them recorded from its first call of any
// tool, before that call does anything: an agent looks at the requests of a page after it has opened the page.
var networkTools = []string{"browser_network_request", "browser_network_requests"}

func hasNetwork(there map[string]entry) bool {
	return slices.ContainsFunc(networkTools, func(name string) bool { _, ok := there[name]; return ok })
}

// acts reports whether a tool works on pages, so that its result says what that made the browser log. browser_console
// has all of it anyway, and a wait does nothing to a page.
func (e entry) acts() bool {
	return e.Source == SourceBrowser && !e.ReadOnly && e.Name != "browser_console" && e.Name != "browser_wait_for"
}

// asksOperator is the one tool that works while a person has the task: it is how an agent asks for one.
const asksOperator = "browser_ask_operator"

// admit lets a call begin unless a person has the task. A call that ends because a person takes it over fails with
// [host.ErrHeldByOperator], whatever it was doing. Tools of MCP servers do not use the browser, and are let through.
func (e entry) admit(ctx context.Context, b *Browser) (_ context.Context, ended func(any, error) (any, error), err error) {
	if b == nil || e.Name == asksOperator || e.noBrowser && e.Source != SourceBrowser {
		return ctx, func(value any, err error) (any, error) { return value, err }, nil
	}
	ctx, done, err := b.Task().Admit(ctx)
	return ctx, func(value any, err error) (any, error) {
		cause := context.Cause(ctx)
		done()
		if errors.Is(cause, host.ErrHeldByOperator) {
			return nil, cause
		}
		return value, err
	}, err
}

// evaluators are the tools with which an agent runs script of its own, best first.
var evaluators = []string{"browser_evaluate", "browser_console", "browser_cdp"}

// withScripting tells a call which tools its view has, since a URL can be script, too.
func (r *Registry) withScripting(ctx context.Context, there map[string]entry) context.Context {
	tool := ""
	if i := slices.IndexFunc(evaluators, func(name string) bool { _, ok := there[name]; return ok }); i >= 0 {
		tool = evaluators[i]
	}
	return toolkit.WithScripting(ctx, r.options.EvaluateDisabled, tool)
}
