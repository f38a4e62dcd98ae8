package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

// fakeTools are tools controlled by a test.
type fakeTools struct {
	do func(context.Context, agent.Call) agent.Result

	mu     sync.Mutex
	list   []agent.Tool
	views  []agent.View
	notify map[int]func()
	serial int
}

func newFakeTools(do func(context.Context, agent.Call) agent.Result) *fakeTools {
	object := json.RawMessage(`{"type":"object"}`)
	return &fakeTools{do: do, notify: map[int]func(){}, list: []agent.Tool{
		{Name: "act", Title: "Act", Description: "Acts.", Input: object, Output: object, Destructive: true, OpenWorld: true, Source: "browser"},
		{Name: "look", Description: "Looks.", Input: json.RawMessage(`{"type":"object","properties":{"at":{"type":"string"}}}`), ReadOnly: true, Source: "browser"},
		{Name: "scroll", Description: "Scrolls.", Input: object, Source: "browser"},
	}}
}

func (f *fakeTools) Tools(v agent.View) []agent.Tool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.views = append(f.views, v)
	return f.list
}

func (f *fakeTools) Call(ctx context.Context, c agent.Call) (agent.Result, error) {
	f.mu.Lock()
	list := f.list
	f.mu.Unlock()
	for _, tool := range list {
		if tool.Name == c.Name {
			return f.do(ctx, c), nil
		}
	}
	return agent.Result{}, fmt.Errorf("%w %q", fault.ErrUnknownTool, c.Name)
}

func (f *fakeTools) Changed(notify func()) func() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.serial++
	id := f.serial
	f.notify[id] = notify
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.notify, id)
	}
}

// become replaces the list and notifies.
func (f *fakeTools) become(list []agent.Tool) {
	f.mu.Lock()
	f.list = list
	notify := slices.Collect(maps.Values(f.notify))
	f.mu.Unlock()
	for _, n := range notify {
		n()
	}
}

func (f *fakeTools) lastView() agent.View {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.views[len(f.views)-1]
}

// fakeTasks are tasks, none of which is running.
type fakeTasks struct{ ended chan string }

func newFakeTasks() *fakeTasks { return &fakeTasks{ended: make(chan string, 10)} }

func (*fakeTasks) Running(string) *host.Task { return nil }

func (*fakeTasks) Await(ctx context.Context, _ string) (*host.Task, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (f *fakeTasks) Hold(string) func() { return func() {} }

func (f *fakeTasks) End(_ context.Context, id string) error {
	f.ended <- id
	return nil
}

// versions are protocol versions: one whose sessions begin with a handshake, and one that needs none.
var versions = []string{"2025-11-25", "2026-07-28"}

// way is how a test's client connects to a server.
type way struct {
	name    string
	connect func(t *testing.T, s *Server, o SessionOptions) mcp.Transport
}

func ways() []way {
	return []way{
		{"streams", func(t *testing.T, s *Server, o SessionOptions) mcp.Transport {
			client, server := mcp.NewInMemoryTransports()
			served := make(chan error, 1)
			go func() { served <- s.Serve(t.Context(), server, o) }()
			t.Cleanup(func() { <-served })
			return client
		}},
		{"http", func(t *testing.T, s *Server, o SessionOptions) mcp.Transport {
			site := httptest.NewServer(s.Handler())
			t.Cleanup(site.Close)
			t.Cleanup(s.Close) // before the site, which waits for its connections
			address := site.URL + "?task=" + url.QueryEscape(o.Task)
			if len(o.Toolsets) > 0 {
				address += "&toolsets=" + o.Toolsets[0]
			}
			own := &http.Transport{}
			t.Cleanup(own.CloseIdleConnections)
			return &mcp.StreamableClientTransport{Endpoint: address, HTTPClient: &http.Client{Transport: own}}
		}},
	}
}

// each runs a test with each way to connect, in each version of the protocol.
func each(t *testing.T, tools agent.Tools, tasks tasks.Source, o SessionOptions, c *mcp.ClientOptions, test func(*testing.T, *mcp.ClientSession)) {
	t.Helper()
	eachOf(t, Options{Tools: tools, Tasks: tasks}, o, c, test)
}

// eachOf is each for a server with other options.
func eachOf(t *testing.T, server Options, o SessionOptions, c *mcp.ClientOptions, test func(*testing.T, *mcp.ClientSession)) {
	t.Helper()
	eachSubscriber(t, server, o, c, func(t *testing.T, s *subscriber) { test(t, s.ClientSession) })
}

// subscriber is a client that knows when its subscriptions are in effect.
type subscriber struct {
	*mcp.ClientSession
	acknowledged chan struct{} // has room for one
	handshake    bool          // a subscription is in effect when it is answered
}

// subscribe subscribes to a resource and returns when the subscription is in effect. Without a handshake a subscription
// is a stream of its own, whose first message says so.
func (s *subscriber) subscribe(ctx context.Context, uri string) error {
	if err := s.Subscribe(ctx, &mcp.SubscribeParams{URI: uri}); err != nil || s.handshake {
		return err
	}
	select {
	case <-s.acknowledged:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// eachSubscriber is eachOf for tests that subscribe.
func eachSubscriber(t *testing.T, server Options, o SessionOptions, c *mcp.ClientOptions, test func(*testing.T, *subscriber)) {
	t.Helper()
	server.Version = "v-test"
	for _, way := range ways() {
		for _, version := range versions {
			t.Run(way.name+" "+version, func(t *testing.T) {
				s := New(server)
				client := mcp.NewClient(&mcp.Implementation{Name: "hermes-test", Version: "1"}, c)
				subscriber := &subscriber{acknowledged: make(chan struct{}, 1)}
				client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
					return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
						if method == "notifications/subscriptions/acknowledged" {
							subscriber.acknowledged <- struct{}{}
						}
						return next(ctx, method, r)
					}
				})
				session, err := client.Connect(t.Context(), way.connect(t, s, o), &mcp.ClientSessionOptions{ProtocolVersion: version})
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = session.Close() }()
				subscriber.ClientSession = session
				subscriber.handshake = session.InitializeResult().ProtocolVersion == versions[0] // over HTTP it always is
				test(t, subscriber)
			})
		}
	}
}
