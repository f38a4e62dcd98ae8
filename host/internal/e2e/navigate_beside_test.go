package e2e

import (
	"encoding/json"
	"testing"

	"github.com/chromedp/cdproto/fetch"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// The bridge's requests and those for documents are paused by one list of patterns.
func TestNavigationsAndTheBridgeShareASession(t *testing.T) {
	t.Parallel()
	g := newGuardedOn(t, common.Address(t), guardOptions(), map[string]string{"/page": `<iframe src="{{127.0.0.1}}/asks"></iframe>`, "/asks": `<script>
		report('said', confirm('in the frame'))</script>`}, host.TaskOptions{DialogBridge: host.BridgeOn})
	g.open("/page")
	want(t, "via", g.dialog().Via, pause)
	g.answer(host.DialogResponse{Accept: true})
	want(t, "the page", g.reported("said"), "true")
	wantDenied(t, commit(g.ctx, g.Tab(""), g.url("b.localhost", "/x!d")))
	g.goes(g.url("localhost", "/empty?page"), "/empty")
	// A script that leaves can only ask by a request.
	g.start("addEventListener('pagehide', () => { sessionStorage.said = confirm('leaving') }); location = '/empty'")
	want(t, "via", g.dialog().Via, request)
	g.answer(host.DialogResponse{Accept: true})
	g.lands(g.url("localhost", "/empty"), "/empty")
	want(t, "the page", g.evaluate("sessionStorage.said"), `"true"`)
}

// The agent's own session was attached after the host's, so its requests are paused there first: what it changes is
// judged all the same.
func TestAnAgentsOwnInterceptionComesBeforeTheModule(t *testing.T) {
	g := newGuarded(t, nil)
	g.open("/empty")
	client := newRawClient(g.ctx, t, g.address, "Fetch.requestPaused")
	session := client.attach(g.Snapshot().Page().ID)
	client.call(session, fetch.CommandEnable, &fetch.EnableParams{}, nil)
	failed := make(chan error, 1)
	go func() { failed <- commit(g.ctx, g.Tab(""), g.url("localhost", "/x")) }()
	var e fetch.EventRequestPaused
	if err := json.Unmarshal(client.next().Params, &e); err != nil {
		t.Fatal(err)
	}
	client.call(session, fetch.CommandContinueRequest, &fetch.ContinueRequestParams{RequestID: e.RequestID, URL: g.url("localhost", "/y!d")}, nil)
	d := wantDenied(t, <-failed)
	want(t, "the address", d.URL, g.url("localhost", "/y!d"))
	g.never("/y!d")
	g.never("/x")
}

func TestNavigationsAreAskedAboutAfterAReconnection(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	p := newProxy(t, address)
	g := newGuardedOn(t, p.address, guardOptions(), nil, host.TaskOptions{})
	g.open("/empty")
	events := g.Events(100)
	p.cut()
	g.back(events)
	wantDenied(t, commit(g.ctx, g.Tab(""), g.url("localhost", "/x!d")))
	g.never("/x!d")
}
