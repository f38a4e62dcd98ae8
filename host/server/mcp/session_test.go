package mcp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// site serves a server over HTTP for one test.
func site(t *testing.T, s *Server) string {
	t.Helper()
	site := httptest.NewServer(s.Handler())
	t.Cleanup(site.Close)
	t.Cleanup(s.Close)
	return site.URL
}

// visit connects a client with its own connections; drop closes them.
func visit(t *testing.T, address string) (session *mcp.ClientSession, drop func()) {
	t.Helper()
	ctx, drop := context.WithCancel(context.Background())
	t.Cleanup(drop)
	own := &http.Transport{}
	t.Cleanup(own.CloseIdleConnections)
	client := mcp.NewClient(&mcp.Implementation{Name: "hermes-test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: address, HTTPClient: &http.Client{Transport: dropping{own, ctx}}, MaxRetries: -1,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session, drop
}

// dropping closes a client's connections when a context ends, like those of a client that is killed.
type dropping struct {
	http.RoundTripper
	ctx context.Context
}

func (d dropping) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	context.AfterFunc(d.ctx, cancel)
	return d.RoundTripper.RoundTrip(r.WithContext(ctx))
}

func TestEachSessionHasATaskOfItsOwnThatEndsWithIt(t *testing.T) {
	tools := newFakeTools(func(_ context.Context, c agent.Call) agent.Result { return agent.Result{Text: c.Task} })
	tasks := newFakeTasks()
	address := site(t, New(Options{Tools: tools, Tasks: tasks}))
	task := func(c *mcp.ClientSession) string {
		t.Helper()
		got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "act"})
		if err != nil {
			t.Fatal(err)
		}
		return got.Content[0].(*mcp.TextContent).Text
	}
	one, _ := visit(t, address)
	two, _ := visit(t, address)
	named, _ := visit(t, address+"?task=shared")
	first, second := task(one), task(two)
	if first == second || !strings.HasPrefix(first, "mcp-") || task(one) != first {
		t.Errorf("the tasks are %s and %s", first, second)
	}
	if got := task(named); got != "shared" {
		t.Errorf("the named task is %s", got)
	}
	for _, c := range []*mcp.ClientSession{named, one} { // the named one would be the first to end
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if ended := <-tasks.ended; ended != first {
		t.Errorf("the task %s ended, want %s", ended, first)
	}
	if task(two) != second {
		t.Error("the end of one session disturbed another")
	}
}

func TestAClientThatIsGoneEndsItsCall(t *testing.T) {
	began, ended := make(chan string, 1), make(chan string, 1)
	tools := newFakeTools(func(ctx context.Context, c agent.Call) agent.Result {
		if c.Name == "look" {
			return agent.Result{Text: "still there"}
		}
		began <- c.Task
		<-ctx.Done()
		ended <- c.Task
		return agent.Result{IsError: true}
	})
	tasks := newFakeTasks()
	address := site(t, New(Options{Tools: tools, Tasks: tasks}))
	for name, leave := range map[string]func(c *mcp.ClientSession, drop func()){
		"its connection is lost":  func(_ *mcp.ClientSession, drop func()) { drop() },
		"it deletes its session":  func(c *mcp.ClientSession, _ func()) { remove(t, address, c.ID()) },
		"its streams have an end": nil,
	} {
		t.Run(name, func(t *testing.T) {
			var client *mcp.ClientSession
			var drop func()
			if leave == nil {
				s := New(Options{Tools: tools, Tasks: tasks})
				near, far := mcp.NewInMemoryTransports()
				served := make(chan error, 1)
				go func() { served <- s.Serve(context.Background(), far, SessionOptions{}) }()
				defer func() {
					if err := <-served; err != nil {
						t.Errorf("Serve gives %v", err)
					}
				}()
				cut := &cuttable{Transport: near}
				var err error
				if client, err = mcp.NewClient(&mcp.Implementation{Name: "hermes-test", Version: "1"}, nil).Connect(t.Context(), cut, nil); err != nil {
					t.Fatal(err)
				}
				leave = func(*mcp.ClientSession, func()) { _ = cut.conn.Close() }
			} else {
				client, drop = visit(t, address)
			}
			called := make(chan struct{})
			go func() {
				defer close(called)
				_, _ = client.CallTool(t.Context(), &mcp.CallToolParams{Name: "act"})
			}()
			task := <-began
			leave(client, drop)
			if got := <-ended; got != task {
				t.Errorf("the call of %s ended, not that of %s", got, task)
			}
			_ = client.Close()
			<-called
		})
	}
}

// cuttable is a transport whose connection a test can cut.
type cuttable struct {
	mcp.Transport
	conn mcp.Connection
}

func (c *cuttable) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := c.Transport.Connect(ctx)
	c.conn = conn
	return conn, err
}

// remove ends a session like a client that does not wait for its calls.
func remove(t *testing.T, address, id string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set(headerSession, id)
	own := &http.Transport{}
	defer own.CloseIdleConnections()
	answer, err := own.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusNoContent {
		t.Errorf("the answer is %s", answer.Status)
	}
}
