package agent

import (
	"context"
	"fmt"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/scheme"
)

// evaluators are the tools by which an agent runs script of its own, the best first.
var evaluators = []string{"browser_evaluate", "browser_console", "browser_cdp"}

// scripting is what a call under a context may do with script of the agent's.
type scripting struct {
	disabled bool   // by the configuration: the host refuses it, and says why
	tool     string // of the view, that runs it; empty: there is none
}

type scriptingKey struct{}

// withScripting tells a call which tools its view has, since an address can be script, too.
func (r *Registry) withScripting(ctx context.Context, there map[string]entry) context.Context {
	s := scripting{disabled: r.options.EvaluateDisabled}
	if i := slices.IndexFunc(evaluators, func(name string) bool { _, ok := there[name]; return ok }); i >= 0 {
		s.tool = evaluators[i]
	}
	return context.WithValue(ctx, scriptingKey{}, s)
}

// loadable refuses an address that would run script of the agent's where the view of the call has no tool that may, and
// javascript: everywhere: it loads nothing, so that the browser's answer would be that it was aborted. Without a view, as
// for who uses a [Browser] directly, all others are allowed.
func loadable(ctx context.Context, parameter, url string) error {
	may, viewed := ctx.Value(scriptingKey{}).(scripting)
	switch {
	case may.disabled:
		return nil
	case isScript(url) && may.tool != "":
		return badArgument(parameter, "a javascript: address is script and loads nothing; %s runs script", may.tool)
	case isScript(url):
		return badArgument(parameter, "a javascript: address is script and loads nothing; give an address, such as https://example.org/")
	case viewed && may.tool == "" && !host.PlainAddress(url):
		return fmt.Errorf("%w: %s: the address is neither http:, https:, file: nor about:blank, so it can run script; no tool of the toolsets in use may",
			host.ErrRefused, parameter)
	}
	return nil
}

func isScript(url string) bool { return scheme.Of(url) == scheme.JavaScript }
