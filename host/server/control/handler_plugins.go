package control

import (
	"net/http"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// The paths of the life of a plugin.
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

// pluginRoutes are the routes of [PluginAPI].
func pluginRoutes(api PluginAPI) map[string]func(*http.Request) (any, error) {
	name := func(r *http.Request) string { return r.PathValue("name") }
	return map[string]func(*http.Request) (any, error){
		"POST " + pathSwap: change(func(r *http.Request, in host.PluginChange) (any, error) {
			return api.SwapPlugin(r.Context(), name(r), in)
		}),
		"POST " + pathShadow: change(func(r *http.Request, in host.PluginChange) (any, error) {
			return api.ShadowPlugin(r.Context(), name(r), in)
		}),
		"POST " + pathRollback: body(func(r *http.Request, in reasonRequest) (any, error) {
			return api.RollbackPlugin(r.Context(), name(r), in.Reason)
		}),
		"POST " + pathPromote: body(func(r *http.Request, in reasonRequest) (any, error) {
			return api.PromotePlugin(r.Context(), name(r), in.Reason)
		}),
		"POST " + pathDrop:   func(r *http.Request) (any, error) { return api.DropPlugin(r.Context(), name(r)) },
		"GET " + pathHistory: func(r *http.Request) (any, error) { return api.PluginHistory(r.Context(), name(r)) },
		"GET " + pathShadow:  func(r *http.Request) (any, error) { return api.PluginShadow(r.Context(), name(r)) },
	}
}

// change reads and checks the change that a request asks for.
func change(route func(*http.Request, host.PluginChange) (any, error)) func(*http.Request) (any, error) {
	return body(func(r *http.Request, in host.PluginChange) (any, error) {
		if err := checkChange(&in); err != nil {
			return nil, err
		}
		return route(r, in)
	})
}
