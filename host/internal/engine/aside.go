package engine

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/network"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/route"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Aside starts a task with one tab in the browser context of this one. The tab is in the background, and this task does
// not show it. Whatever it loads is an empty document of the host's own: nothing it requests leaves the browser, and no
// service worker answers. The caller ends it with Leave.
func (t *Task) Aside(ctx context.Context) (_ *Task, err error) {
	aside := NewTask(fmt.Sprintf("%s/aside-%d", t.id, t.Link.ids.Add(1)), t.Link, unobserved{})
	defer func() {
		if err != nil {
			_ = aside.Leave(context.WithoutCancel(ctx)) // the error above says more
		}
	}()
	settings := supervise.TaskSettings{ID: aside.id, BrowserContextID: t.context, Background: true, Bridge: supervise.BridgeOff}
	if err := aside.Start(ctx, settings); err != nil {
		return nil, err
	}
	aside.WatchNetwork() // the browser only bypasses service workers for sessions that report requests
	for _, tab := range aside.Snapshot().Targets {
		if err := aside.CallSession(ctx, tab.SessionID, network.CommandSetBypassServiceWorker, &network.SetBypassServiceWorkerParams{Bypass: true}, nil); err != nil {
			return nil, err
		}
	}
	_, err = aside.Route(ctx, route.Rule{Pattern: "*", Fulfil: &route.Response{Status: 200, Headers: emptyHeaders, Body: []byte(emptyDocument)}})
	return aside, err
}

// emptyDocument has an icon, so that the browser does not ask the site for one.
const emptyDocument = `<!DOCTYPE html><link rel=icon href="data:,">`

// emptyHeaders keep the document out of the caches, and from running script.
var emptyHeaders = map[string]string{
	"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; img-src data:",
}

// unobserved is for tasks of which nobody is told.
type unobserved struct{}

func (unobserved) Publish(view.Event) {}
func (unobserved) Close()             {}

// CredentialsRefused reports whether an origin has refused the credentials that the task has for it.
func (t *Task) CredentialsRefused(origin string) bool {
	refused, _ := askOwner(t.Link, func() bool { return t.Link.state.CredentialsRefused(t.id, origin) })
	return refused
}

// Origins lists the origins that the tabs of the task have shown, the latest last, and counts those that were
// forgotten.
func (t *Task) Origins() (list []string, forgotten int) {
	type known struct {
		list      []string
		forgotten int
	}
	k, _ := askOwner(t.Link, func() (k known) {
		k.list, k.forgotten = t.Link.state.Origins(t.id)
		return k
	})
	return k.list, k.forgotten
}

// NoteOrigins adds origins that have stored something, although no tab has shown them.
func (t *Task) NoteOrigins(list []string) {
	askOwner(t.Link, func() bool {
		t.Link.state.NoteOrigins(t.id, list)
		return true
	})
}
