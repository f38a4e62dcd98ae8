package hosttest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// Patience is how long the helpers wait for what must come. It is never reached when the code under test is right.
const Patience = 2 * time.Minute

// Client is a raw CDP client, for tests that need a second one beside the host. Except for Call its methods fail the
// test, so they are for the test's goroutine.
type Client struct {
	t    testing.TB
	conn *cdp.Conn

	mu      sync.Mutex
	events  []Event // not yet taken by Await, in the order of arrival
	arrived chan struct{}
}

// Event is a CDP event.
type Event struct {
	SessionID string          // empty for the browser's own session
	Method    string          // such as "Page.javascriptDialogOpening"
	Params    json.RawMessage // nil when there are none
}

// Decode puts the parameters into a value.
func (e Event) Decode(into any) error { return json.Unmarshal(e.Params, into) }

// Dial connects to a browser's WebSocket address. The connection ends with the test.
func Dial(t testing.TB, wsURL string) *Client {
	t.Helper()
	return newClient(t, func(opts cdp.Options) (*cdp.Conn, error) {
		ctx, cancel := context.WithTimeout(context.Background(), Patience)
		defer cancel()
		return cdp.Dial(ctx, wsURL, opts)
	})
}

func newClient(t testing.TB, open func(cdp.Options) (*cdp.Conn, error)) *Client {
	t.Helper()
	c := &Client{t: t, arrived: make(chan struct{}, 1)}
	conn, err := open(cdp.Options{Handler: c.keep})
	if err != nil {
		t.Fatal(err)
	}
	c.conn = conn
	t.Cleanup(c.Close)
	return c
}

// keep is the handler of the connection.
func (c *Client) keep(m cdp.Message) {
	c.mu.Lock()
	c.events = append(c.events, Event{SessionID: m.SessionID, Method: m.Method, Params: m.Params})
	c.mu.Unlock()
	select {
	case c.arrived <- struct{}{}:
	default:
	}
}

// Subscribe keeps events of these methods for Await; all others are dropped. The domain has to be enabled as well.
func (c *Client) Subscribe(methods ...string) { c.conn.Subscribe(methods...) }

// Call sends a command and waits for its reply, at most for [Patience]. params is nil, raw JSON or a value to encode;
// result is a pointer or nil. It may be used by any goroutine.
func (c *Client) Call(sessionID, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	return c.conn.Call(ctx, sessionID, method, params, result)
}

// MustCall is Call that fails the test.
func (c *Client) MustCall(sessionID, method string, params, result any) {
	c.t.Helper()
	if err := c.Call(sessionID, method, params, result); err != nil {
		c.t.Fatal(err)
	}
}

// Await takes the first event that fits out of those that came since the last Await that took it, or waits for one. The
// others stay for later calls. what names it in the failure.
func (c *Client) Await(what string, fits func(Event) bool) Event {
	c.t.Helper()
	timeout := time.After(Patience)
	for {
		if e, ok := c.take(fits); ok {
			return e
		}
		select {
		case <-c.arrived:
		case <-c.conn.Done():
			if e, ok := c.take(fits); ok {
				return e
			}
			c.t.Fatalf("waited for %s: %v", what, c.conn.Err())
		case <-timeout:
			c.t.Fatalf("waited too long for %s; these events came: %s", what, c.names())
		}
	}
}

func (c *Client) take(fits func(Event) bool) (Event, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, e := range c.events {
		if fits(e) {
			c.events = append(c.events[:i:i], c.events[i+1:]...)
			return e, true
		}
	}
	return Event{}, false
}

func (c *Client) names() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var names []string
	for _, e := range c.events {
		names = append(names, e.Method)
	}
	return fmt.Sprint(names)
}

// NewPage opens a tab and attaches to it in flat mode.
func (c *Client) NewPage(url string) (targetID, sessionID string) {
	c.t.Helper()
	var created struct {
		TargetID string `json:"targetId"`
	}
	c.MustCall("", "Target.createTarget", map[string]any{"url": url}, &created)
	return created.TargetID, c.Attach(created.TargetID)
}

// Attach gives a session on a target, in flat mode.
func (c *Client) Attach(targetID string) (sessionID string) {
	c.t.Helper()
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	c.MustCall("", "Target.attachToTarget", map[string]any{"targetId": targetID, "flatten": true}, &attached)
	return attached.SessionID
}

// Done is closed when the connection has ended.
func (c *Client) Done() <-chan struct{} { return c.conn.Done() }

// Close ends the connection; it is called at the end of the test in any case.
func (c *Client) Close() {
	_ = c.conn.Close()
	<-c.conn.Done()
}
