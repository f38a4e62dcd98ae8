package daemon

import (
	"net"

	hermescdp "github.com/hermes-cdp/hermes-cdp"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
	"github.com/hermes-cdp/hermes-cdp/host/server/charts"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/web"
)

// livePage returns what serves the live page, and gives the API its links if it is served.
func livePage(h *host.Host, api *control.Local, record *audit.Log, logins *audit.Logins, a *agents, lately *charts.Charts, w *ways, guard control.Guard) *web.Server {
	o := web.Options{
		API: audit.API(api, record), Task: h.Task, Tasks: h.Tasks, Recordings: h.Recordings, OpenRecording: h.OpenRecording, Calls: a.registry.Calls, Charts: lately,
		Agents: guard.Agents, Log: guard.Log, Name: w.pageName,
		Entered: logins.Entered, Documents: hermescdp.Documents,
	}
	page := web.New(o)
	if w.page != nil {
		address := w.page.Addr().String()
		if w.pageName != "" { // which browsers resolve
			_, port, _ := net.SplitHostPort(address)
			address = net.JoinHostPort(w.pageName, port)
		}
		api.LiveLink = func() control.LiveLink { return page.Link(address) }
	}
	return page
}
