package agent

import (
	"context"
	"fmt"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// evaluators are the tools with which an agent runs script of its own, best first.
var evaluators = []string{"browser_evaluate", "browser_console", "browser_cdp"}

// scripting says whether a call may run script of the agent's.
type scripting struct {
	disabled bool   // by the configuration; the host then refuses script and says why
	tool     string // the view's tool that runs script; empty: none
}

type scriptingKey struct{}

// withScripting tells a call which tools its view has, since a URL can be script, too.
func (r *Registry) withScripting(ctx context.Context, there map[string]entry) context.Context {
	s := scripting{disabled: r.options.EvaluateDisabled}
	if i := slices.IndexFunc(evaluators, func(name string) bool { _, ok := there[name]; return ok }); i >= 0 {
		s.tool = evaluators[i]
	}
	return context.WithValue(ctx, scriptingKey{}, s)
}

// loadable refuses a URL that would run script of the agent's if the view of the call has no tool for that. It always
// refuses javascript: URLs: they load nothing, and the browser would only report that the load was aborted. Without a
// view, as when a [Browser] is used directly, all other URLs are allowed.
func loadable(ctx context.Context, parameter, url string) error {
	url = scheme.Complete(url) // as whatever loads it does
	may, viewed := ctx.Value(scriptingKey{}).(scripting)
	switch {
	case may.disabled:
		return nil
	case isScript(url) && may.tool != "":
		return badArgument(parameter, "a javascript: URL is script and loads nothing; use %s to run script", may.tool)
	case isScript(url):
		return badArgument(parameter, "a javascript: URL is script and loads nothing; give a URL such as https://example.org/")
	case viewed && may.tool == "" && !host.IsPlainURL(url):
		return fmt.Errorf("%w: %s: the URL is not http:, https:, file: or about:blank, so it could run script; no tool in the toolsets in use may",
			host.ErrRefused, parameter)
	}
	return nil
}

// mayRunScript refuses script of the agent's if the view of the call has no tool for that.
func mayRunScript(ctx context.Context, parameter string) error {
	if may, viewed := ctx.Value(scriptingKey{}).(scripting); viewed && !may.disabled && may.tool == "" {
		return fmt.Errorf("%w: %s: it is script, and no tool in the toolsets in use may run any", host.ErrRefused, parameter)
	}
	return nil
}

func isScript(url string) bool { return scheme.Of(url) == scheme.JavaScript }
