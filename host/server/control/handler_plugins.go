package control

import (
	"cmp"
	"context"
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

	pathInstall     = pathPlugins + "/{name}/add"
	pathWithdraw    = pathPlugins + "/{name}/remove"
	pathReconfigure = pathPlugins + "/{name}/configure"
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
	return []route{
		{"GET " + pathPlugins, "list the modules in service", of(api.Plugins)},
		{"POST " + pathInstall, "add a plugin, or put back one that was removed", body(func(r *http.Request, in host.PluginAddition) (any, error) {
			name := r.PathValue("name")
			if !pluginName.MatchString(name) {
				return nil, badRequest("%q cannot be the name of a plugin: use a-z, 0-9 and -", name)
			}
			if err := cmp.Or(checkSource(in.PluginSource), checkTrigger(&in.Trigger)); err != nil {
				return nil, err
			}
			return api.InstallPlugin(r.Context(), name, in)
		})},
		{"POST " + pathWithdraw, "remove a plugin", body(func(r *http.Request, in host.PluginRemoval) (any, error) {
			if err := checkTrigger(&in.Trigger); err != nil {
				return nil, err
			}
			return api.WithdrawPlugin(r.Context(), r.PathValue("name"), in)
		})},
		{"POST " + pathReconfigure, "give the module in service another configuration", changing(api.ReconfigurePlugin)},
		{"POST " + pathSwap, "put another module into service", changing(api.SwapPlugin)},
		{"POST " + pathShadow, "start a candidate", changing(api.ShadowPlugin)},
		{"POST " + pathRollback, "put the previous module back into service", body(func(r *http.Request, in rollbackRequest) (any, error) {
			return api.RollbackPlugin(r.Context(), r.PathValue("name"), in.Reason, in.DropHooks...)
		})},
		{"POST " + pathPromote, "put a candidate into service", body(func(r *http.Request, in reasonRequest) (any, error) {
			return api.PromotePlugin(r.Context(), r.PathValue("name"), in.Reason)
		})},
		{"POST " + pathDrop, "end a candidate", ofName(api.DropPlugin)},
		{"GET " + pathHistory, "list the generations of a plugin", ofName(api.PluginHistory)},
		{"GET " + pathShadow, "show how a candidate compares", ofName(api.PluginShadow)},
	}
}

// changing serves a call of the API with the change in the request, once that is checked.
func changing[Out any](ask func(context.Context, string, host.PluginChange) (Out, error)) func(*http.Request) (any, error) {
	return body(func(r *http.Request, in host.PluginChange) (any, error) {
		if err := checkChange(&in); err != nil {
			return nil, err
		}
		return ask(r.Context(), r.PathValue("name"), in)
	})
}
