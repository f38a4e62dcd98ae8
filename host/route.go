package host

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Route adds a rule for the http and https requests of the task: of its tabs, popups, frames and workers, those there
// are and those to come, also after a lost connection. It returns the id of the rule once the rule is in force; while
// the main thread of a page spins, requests that begin there soon after may escape it. The newest rule that matches
// decides, and each hop of a redirect is a request. Rules are not asked about what a plugin denies. They end with the
// task.
//
// Rules do not reach what Chromium does not show to a debugger's Fetch domain: WebSockets, and what a service worker or
// the back/forward cache answers without a request.
//
// Errors: ErrBadArguments, as a [*BadRuleError], for a rule that is not valid and for more than 100 of them;
// ErrEvaluateDisabled for one that fulfils requests, since the answer may be a script; [ErrTask].
func (t *Task) Route(ctx context.Context, r Rule) (id string, err error) {
	defer fault.During("route", &err)
	if r.Fulfil != nil && t.pages.Rules.EvaluateDisabled {
		return "", fault.ErrEvaluateDisabled
	}
	return t.engine.Route(ctx, r)
}

// Routes returns the rules of the task, newest first, and how often each has decided.
func (t *Task) Routes() []Rule { return t.engine.Routes() }

// Unroute removes a rule or, with an empty id, all of them. Requests then are as they are without it. Errors:
// ErrBadArguments for an id that is not in the list, and [ErrTask].
func (t *Task) Unroute(ctx context.Context, id string) (err error) {
	defer fault.During("unroute", &err)
	return t.engine.Unroute(ctx, id)
}
