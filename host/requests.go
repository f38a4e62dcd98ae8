package host

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
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

// WatchNetwork begins to record the requests of the task's tabs, their frames and workers, and does nothing if that has
// begun. It does not wait: whatever the task does after it is recorded. It costs the browser some work for each
// request, and memory for the bodies, so nothing is recorded before.
func (t *Task) WatchNetwork() { t.engine.WatchNetwork() }

// LastRequest returns the number of the latest recorded request; 0: there was none. Taken before an action, it is what
// [Tab.WaitRequest] starts from.
func (t *Task) LastRequest() uint64 { return t.engine.LastRequest() }

// Requests returns the recorded requests: the last 1,000, or fewer if they take more than 4 MiB.
func (t *Task) Requests() Requests { return t.engine.Requests() }

// RequestBodies asks the browser for the bodies of a recorded request, by its number. The browser forgets them when the
// page is left, when the connection is lost, and when others need their place; Missing then says so. Errors:
// ErrBadArguments for an unknown number, and those of [Tab.Evaluate].
func (t *Task) RequestBodies(ctx context.Context, number uint64) (_ Bodies, err error) {
	defer fault.During("request_bodies", &err)
	value, err := t.engine.Operate(ctx, func(op *engine.Operation) (any, error) { return op.Bodies(number) })
	if err != nil {
		return Bodies{}, err
	}
	return value.(Bodies), nil
}
