package toolkit

import (
	"context"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// scripting says whether a call may run script of the agent's.
type scripting struct {
	disabled bool   // by the configuration; the host then refuses script and says why
	tool     string // the view's tool that runs script; empty: none
}

type scriptingKey struct{}

// WithScripting tells a call whether script is disabled, and which tool of its view runs script.
func WithScripting(ctx context.Context, disabled bool, tool string) context.Context {
	return context.WithValue(ctx, scriptingKey{}, scripting{disabled, tool})
}

// Loadable refuses a URL that would run script of the agent's if the view of the call has no tool for that. It always
// refuses javascript: URLs: they load nothing, and the browser would only report that the load was aborted. Without a
// view, as when the tools are used directly, all other URLs are allowed.
func Loadable(ctx context.Context, parameter, url string) error {
	url = scheme.Complete(url) // as whatever loads it does
	may, viewed := ctx.Value(scriptingKey{}).(scripting)
	switch {
	case may.disabled:
		return nil
	case isScript(url) && may.tool != "":
		return result.BadArgument(parameter, "a javascript: URL is script and loads nothing; use %s to run script", may.tool)
	case isScript(url):
		return result.BadArgument(parameter, "a javascript: URL is script and loads nothing; give a URL such as https://example.org/")
	case viewed && may.tool == "" && !host.IsPlainURL(url):
		return fmt.Errorf("%w: %s: the URL is not http:, https:, file: or about:blank, so it could run script; no tool in the toolsets in use may",
			host.ErrRefused, parameter)
	}
	return nil
}

// MayRunScript refuses script of the agent's if the view of the call has no tool for that.
func MayRunScript(ctx context.Context, parameter string) error {
	if may, viewed := ctx.Value(scriptingKey{}).(scripting); viewed && !may.disabled && may.tool == "" {
		return fmt.Errorf("%w: %s: it is script, and no tool in the toolsets in use may run any", host.ErrRefused, parameter)
	}
	return nil
}

func isScript(url string) bool { return scheme.Of(url) == scheme.JavaScript }
