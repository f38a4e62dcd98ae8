package daemon

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/httpapi"
	"github.com/hermes-cdp/hermes-cdp/host/server/mcp"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

// agents are the ways in for agents.
type agents struct {
	registry *agent.Registry
	servers  *upstream.Servers
	mcp      *mcp.Server
	http     []access.Route
	tasks    *tasks.Tasks
	idle     sync.WaitGroup // ends tasks that are idle
}

// newAgents offers the tools of a host. The error is a toolset that is wrong.
func newAgents(h *host.Host, api control.API, o Options) (*agents, error) {
	started := tasks.New(h, func(ctx context.Context, id string) error {
		_, err := api.Connect(ctx, requestFor(id, o.Start))
		return err
	})
	tools := options.Agent(o.Config)
	tools.Open = started.Start
	registry, err := agent.New(h, tools)
	if err != nil {
		return nil, err
	}
	servers := upstream.Start(registry, options.Upstream(o.Config, o.Report.Getenv, o.Version, o.Logger))
	offer := tasks.Offer{
		Tools: registry, Tasks: started, Recordings: h, Settle: servers.Settle, CheckToolsets: registry.CheckToolsets,
		Version: o.Version, Logger: o.Logger,
	}
	return &agents{tasks: started, registry: registry, servers: servers, mcp: mcp.New(offer), http: httpapi.Routes(offer)}, nil
}

// requestFor starts a task of an agent on the browser that the daemon began with, or else on the configured one. The
// tab that the daemon's first task took over is not the agent's, nor are all the others where that one has the whole
// browser.
func requestFor(id string, first *control.ConnectRequest) control.ConnectRequest {
	r := control.ConnectRequest{}
	if first != nil {
		r = *first
	}
	if r.Scope == scopeBrowser && id != cmp.Or(r.Task, control.DefaultTask) {
		r.Scope = ""
	}
	r.Task, r.TargetID, r.URL = id, "", ""
	return r
}

// scopeBrowser is what [control.ParseScope] takes for all tabs of a browser.
const scopeBrowser = "browser"

// routes are all that the daemon serves, in the order of the documentation.
func (a *agents) routes(api control.API, log *slog.Logger) []access.Route {
	return slices.Concat(a.mcp.Routes(), a.http, control.Routes(api, log))
}

// endIdle begins to end the tasks that nobody has used for a time, until ctx ends; 0: never.
func (a *agents) endIdle(ctx context.Context, limit time.Duration, log *slog.Logger) {
	if limit > 0 {
		a.idle.Go(func() { a.tasks.EndIdle(ctx, limit, log) })
	}
}

// end ends the sessions and their tasks, so that no connection waits for more, and the MCP servers.
func (a *agents) end() {
	a.mcp.Close()
	a.servers.Close()
	a.registry.Close()
	a.idle.Wait()
}
