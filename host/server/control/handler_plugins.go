package control

import (
	"net/http"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// The paths for changing plugins.
const (
	pathSwap     = pathPlugins + "/{name}/swap"
	pathRollback = pathPlugins + "/{name}/rollback"
	pathHistory  = pathPlugins + "/{name}/history"
	pathShadow   = pathPlugins + "/{name}/shadow"
	pathPromote  = pathPlugins + "/{name}/promote"
	pathDrop     = pathPlugins + "/{name}/drop"
)

type reasonRequest struct {
	Reason string `json:"reason,omitempty"`
}

type rollbackRequest struct {
	Reason    string   `json:"reason,omitempty"`
	DropHooks []string `json:"drop_hooks,omitempty"`
}

// pluginRoutes are the routes of [PluginAPI] and the list of plugins.
func pluginRoutes(api API) []route {
	name := func(r *http.Request) string { return r.PathValue("name") }
	return []route{
		{"GET " + pathPlugins, "list the modules in service", func(r *http.Request) (any, error) { return api.Plugins(r.Context()) }},
		{"POST " + pathSwap, "put another module into service", change(func(r *http.Request, in host.PluginChange) (any, error) {
			return api.SwapPlugin(r.Context(), name(r), in)
		})},
		{"POST " + pathShadow, "start a candidate", change(func(r *http.Request, in host.PluginChange) (any, error) {
			return api.ShadowPlugin(r.Context(), name(r), in)
		})},
		{"POST " + pathRollback, "put the previous module back into service", body(func(r *http.Request, in rollbackRequest) (any, error) {
			return api.RollbackPlugin(r.Context(), name(r), in.Reason, in.DropHooks...)
		})},
		{"POST " + pathPromote, "put a candidate into service", body(func(r *http.Request, in reasonRequest) (any, error) {
			return api.PromotePlugin(r.Context(), name(r), in.Reason)
		})},
		{"POST " + pathDrop, "end a candidate", func(r *http.Request) (any, error) { return api.DropPlugin(r.Context(), name(r)) }},
		{"GET " + pathHistory, "list the generations of a plugin", func(r *http.Request) (any, error) {
			return api.PluginHistory(r.Context(), name(r))
		}},
		{"GET " + pathShadow, "show how a candidate compares", func(r *http.Request) (any, error) {
			return api.PluginShadow(r.Context(), name(r))
		}},
	}
}

// change decodes and checks the change in a request.
func change(route func(*http.Request, host.PluginChange) (any, error)) func(*http.Request) (any, error) {
	return body(func(r *http.Request, in host.PluginChange) (any, error) {
		if err := checkChange(&in); err != nil {
			return nil, err
		}
		return route(r, in)
	})
}
