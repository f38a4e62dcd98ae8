package engine

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/route"
)

// Route adds a rule for the requests of the task and returns its id, once it holds.
func (t *Task) Route(ctx context.Context, r route.Rule) (string, error) {
	reply, err := t.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.AddRoute{Request: id, Task: t.id, Rule: r}
	})
	return reply.Route, err
}

// Unroute removes a rule or, with an empty id, all of them.
func (t *Task) Unroute(ctx context.Context, route string) error {
	_, err := t.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.RemoveRoute{Request: id, Task: t.id, Route: route}
	})
	return err
}

// Routes lists the rules, newest first.
func (t *Task) Routes() []route.Rule {
	list, _ := askOwner(t.Link, func() []route.Rule { return t.Link.state.Routes(t.id) })
	return list
}
