package daemon

import (
	"context"
	"net"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/web"
)

// entered is the record of a browser that came with a link.
func entered(ok bool) audit.Entry {
	e := audit.Entry{Action: audit.LiveLogin}
	if !ok {
		return e.Came(fault.ErrUnauthorized)
	}
	return e.Came(nil)
}

// livePage returns what serves the live page, and gives the API its links if it is served.
func livePage(h *host.Host, api *control.Local, record *audit.Log, a *agents, w *ways, guard control.Guard) *web.Server {
	o := web.Options{
		API: audit.API(api, record), Task: h.Task, Tasks: h.Tasks, Recordings: h.Recordings, OpenRecording: h.OpenRecording, Calls: a.registry.Calls,
		Agents: guard.Agents, Log: guard.Log, Name: w.pageName,
		Entered: func(ctx context.Context, ok bool) { record.Record(entered(ok).By(ctx)) },
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
