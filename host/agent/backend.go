package agent

import (
	"context"
)

// BackendTool is a tool of this package as it works in a browser that is not reached by CDP: with its name and
// description, and with the parameters that work there.
type BackendTool struct{ entry }

// NewBackendTool makes such a tool of a name in [Builtins]. Its schema comes from the type of the parameters, as for
// this package's own tools. A failure has the code of the error of run, and a text in a result is fenced.
func NewBackendTool[P any](name string, run func(ctx context.Context, task string, p P) (Result, error)) BackendTool {
	own := builtins()[name]
	t := define(name, own.Description, traits{readOnly: own.ReadOnly, destructive: own.Destructive, openWorld: own.OpenWorld},
		func(_ *Browser, ctx context.Context, p P) (Result, error) {
			task, _ := ctx.Value(taskKey{}).(string)
			return run(ctx, task, p)
		}).withoutBrowser()
	t.Output, t.gate = nil, nil
	if name == "browser_evaluate" {
		t.gate = needsEvaluate
	}
	return BackendTool{t.entry}
}

type taskKey struct{}

// withTask tells the tool of a backend for which task it is called.
func withTask(ctx context.Context, task string) context.Context {
	return context.WithValue(ctx, taskKey{}, task)
}

// served returns the tools that work in the browser of a task: all of them over CDP, which a task of the host has in
// any case, else those of the backend and those that need no browser.
func (r *Registry) served(known map[string]entry, task string) map[string]entry {
	if r.options.Backend == nil || r.host.Task(task) != nil {
		return known
	}
	tools := r.options.Backend()
	if tools == nil {
		return known
	}
	all := map[string]entry{}
	for name, e := range known {
		if e.noBrowser && e.Source != SourceBrowser {
			all[name] = e
		}
	}
	for _, t := range tools {
		all[t.Name] = t.entry
	}
	return all
}

// BackendChanged tells clients that the result of [Options.Backend] may be another from now on.
func (r *Registry) BackendChanged() { r.changed() }
