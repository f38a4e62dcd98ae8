package daemon

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/camofox"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
	"github.com/hermes-cdp/hermes-cdp/host/server/charts"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/httpapi"
	"github.com/hermes-cdp/hermes-cdp/host/server/logs"
	"github.com/hermes-cdp/hermes-cdp/host/server/mcp"
	"github.com/hermes-cdp/hermes-cdp/host/server/metrics"
	"github.com/hermes-cdp/hermes-cdp/host/server/spans"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

// agents are the ways in for agents.
type agents struct {
	registry *agent.Registry
	servers  *upstream.Servers
	mcp      *mcp.Server
	http     []access.Route
	tasks    *tasks.Tasks
	camofox  *camofox.Server // nil: there is none
	idle     sync.WaitGroup  // ends tasks that are idle
}

// newAgents offers the tools of a host. The error is a toolset that is wrong.
func newAgents(h *host.Host, api control.API, record *audit.Log, exporter *spans.Exporter, o Options, now func() *loaded) (*agents, error) {
	away, err := options.Camofox(o.Config, o.Report, o.Logger)
	if err != nil {
		return nil, err
	}
	started := tasks.New(h, func(ctx context.Context, id string) error {
		_, err := api.Connect(ctx, requestFor(id, o.Start))
		return err
	})
	tools := options.Agent(o.Config)
	tools.Open = started.Start
	if away != nil {
		started.Ended = away.End
		tools.Backend = func() []agent.BackendTool {
			if l := now(); o.Start != nil && (o.Start.Launch || o.Start.Address != "") || !options.UsesCamofox(l.config, l.report) || options.CheckCamofoxNetwork(l.config.Browser) != nil {
				return nil
			}
			return away.Tools()
		}
	}
	registry, err := agent.New(h, tools)
	if err != nil {
		return nil, err
	}
	h.GuardTools(registry.PluginTools)
	servers := upstream.Start(registry, options.Upstream(o.Config, o.Report.Getenv, o.Version, o.Logger))
	offer := tasks.Offer{
		Tools: audit.Tools(logs.Tools(exporter.Tools(registry), o.Logger), record), Tasks: started, Recordings: h, Settle: servers.Settle, CheckToolsets: registry.CheckToolsets,
		Version: o.Version, Logger: o.Logger,
	}
	return &agents{tasks: started, camofox: away, registry: registry, servers: servers, mcp: mcp.New(offer), http: httpapi.Routes(offer)}, nil
}

// requestFor starts a task of an agent on the browser that the daemon began with, or else on the configured one. The
// tab that the daemon's first task took over is not the agent's, nor are all the others where that one has the whole
// browser.
func requestFor(id string, first *control.ConnectRequest) control.ConnectRequest {
	r := control.ConnectRequest{}
	if first != nil {
		r = *first
	}
	if scope, err := control.ParseScope(r.Scope); err == nil && scope == host.ScopeBrowser && id != cmp.Or(r.Task, control.DefaultTask) {
		r.Scope = ""
	}
	r.Task, r.TargetID, r.URL = id, "", ""
	return r
}

// routes are all that the daemon serves, in the order of the documentation.
func (a *agents) routes(api control.API, record *audit.Log, counted http.Handler, lately *charts.Charts, log *slog.Logger) []access.Route {
	return slices.Concat(a.mcp.Routes(), a.http, control.Routes(audit.API(api, record), log), []access.Route{
		audit.Route(record, log), metrics.Route(counted), charts.Route(lately, log),
	})
}

// clients are what the clients of tasks called themselves when they last called a tool, by task.
func (a *agents) clients() map[string]string {
	names := map[string]string{}
	for _, c := range a.registry.Calls("") {
		if c.Client != "" {
			names[c.Task] = c.Client
		}
	}
	return names
}

// endIdle begins to end the tasks that nobody has used for a time, until ctx ends; 0: never.
func (a *agents) endIdle(ctx context.Context, limit time.Duration, log *slog.Logger) {
	if limit > 0 {
		a.idle.Go(func() { a.tasks.EndIdle(ctx, limit, log) })
	}
	if limit > 0 && a.camofox != nil {
		a.idle.Go(func() { a.camofox.EndIdle(ctx, limit) })
	}
}

// end ends the sessions and their tasks, so that no connection waits for more, the MCP servers, and what tasks have at
// a Camofox server.
func (a *agents) end() error {
	a.mcp.Close()
	a.servers.Close()
	a.registry.Close()
	a.idle.Wait()
	if a.camofox == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return a.camofox.Close(ctx)
}
