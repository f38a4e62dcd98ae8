package e2e

import (
	"context"
	"encoding/json"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// rawClient is another CDP client of the same browser, as a developer's tools would be.
type rawClient struct {
	t      *testing.T
	ctx    context.Context
	conn   *cdp.Conn
	events chan cdp.Message
}

// newRawClient connects; subscribed events come through its channel.
func newRawClient(ctx context.Context, t *testing.T, address string, subscribe ...string) *rawClient {
	t.Helper()
	c := &rawClient{t: t, ctx: ctx, events: make(chan cdp.Message, 1000)}
	conn, err := cdp.Dial(ctx, address, cdp.Options{Handler: func(m cdp.Message) {
		if m.ID == 0 {
			c.events <- m
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	c.conn = conn
	conn.Subscribe(subscribe...)
	t.Cleanup(func() { _ = conn.Close() })
	return c
}

// call sends a command and waits for its reply.
func (c *rawClient) call(session, method string, params, result any) {
	c.t.Helper()
	if err := c.conn.Call(c.ctx, session, method, params, result); err != nil {
		c.t.Fatalf("raw client: %s: %v", method, err)
	}
}

// attach gives a session of a target, without enabling anything on it.
func (c *rawClient) attach(targetID string) (session string) {
	c.t.Helper()
	flatten := true
	var made target.AttachToTargetResult
	c.call("", target.CommandAttachToTarget, &target.AttachToTargetParams{TargetID: target.ID(targetID), Flatten: &flatten}, &made)
	return string(made.SessionID)
}

// newTab opens a tab that belongs to no task and gives its target id.
func (c *rawClient) newTab() (targetID string) {
	c.t.Helper()
	var made target.CreateTargetResult
	c.call("", target.CommandCreateTarget, &target.CreateTargetParams{URL: "about:blank"}, &made)
	return string(made.TargetID)
}

// navigate loads an address in a tab.
func (c *rawClient) navigate(session, url string) {
	c.t.Helper()
	var result cdppage.NavigateResult
	c.call(session, cdppage.CommandNavigate, &cdppage.NavigateParams{URL: url}, &result)
	if result.ErrorText != "" {
		c.t.Fatalf("raw client: navigate to %s: %s", url, result.ErrorText)
	}
}

// next waits for a subscribed event.
func (c *rawClient) next() cdp.Message {
	c.t.Helper()
	select {
	case m := <-c.events:
		return m
	case <-c.ctx.Done():
		c.t.Fatalf("raw client: no event: %v", context.Cause(c.ctx))
		return cdp.Message{}
	}
}

// targets lists all targets of the browser as JSON.
func (c *rawClient) targets() string {
	c.t.Helper()
	var all target.GetTargetsResult
	c.call("", target.CommandGetTargets, nil, &all)
	text, err := json.Marshal(all.TargetInfos) // whole, as callers look for what should not be there
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

// crasher prepares the end of the renderer process of a target, which never replies to that. A process that a dialog
// holds takes no new session, so it has to be prepared before.
func (c *rawClient) crasher(targetID string) (crash func()) {
	c.t.Helper()
	session := c.attach(targetID)
	c.evaluate(session, "0") // the process has taken the session
	return func() {
		c.t.Helper()
		if _, err := c.conn.Send(session, "Page.crash", nil); err != nil {
			c.t.Fatal(err)
		}
	}
}
