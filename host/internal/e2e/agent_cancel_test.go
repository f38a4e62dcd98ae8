package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
	"github.com/hermes-cdp/hermes-cdp/host/server/httpapi"
	"github.com/hermes-cdp/hermes-cdp/host/server/mcp"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

// stuckCall is a call that never ends, begun by a way in that can go away: gone makes it go, and returns when it has.
type stuckCall struct{ gone func() }

// ways are the ways in by which calls come, each with how its client goes away in the middle of one.
var ways = map[string]func(w *world, r *agent.Registry, tool string, arguments map[string]any) stuckCall{
	"MCP's cancellation over HTTP": func(w *world, r *agent.Registry, tool string, arguments map[string]any) stuckCall {
		client, _ := w.mcpOverHTTP(r)
		return w.cancelled(client, tool, arguments)
	},
	"MCP's connection over HTTP": func(w *world, r *agent.Registry, tool string, arguments map[string]any) stuckCall {
		client, drop := w.mcpOverHTTP(r)
		call := w.cancelled(client, tool, arguments)
		return stuckCall{func() { drop(); call.gone() }}
	},
	"the end of MCP's input": func(w *world, r *agent.Registry, tool string, arguments map[string]any) stuckCall {
		client, hangUp := w.mcpOverStreams(r)
		call := w.cancelled(client, tool, arguments)
		return stuckCall{func() { hangUp(); call.gone() }}
	},
	"an HTTP client": func(w *world, r *agent.Registry, tool string, arguments map[string]any) stuckCall {
		site := httptest.NewServer(httpapi.NewHandler(httpapi.Options{Tools: r, Tasks: w.taskList()}))
		w.t.Cleanup(site.Close)
		ctx, cancel := context.WithCancel(w.ctx)
		body, err := json.Marshal(arguments)
		if err != nil {
			w.t.Fatal(err)
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, site.URL+"/v1/agent/tools/"+tool+"/call?task="+w.ID(), strings.NewReader(string(body)))
		if err != nil {
			w.t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		done := make(chan struct{})
		transport := &http.Transport{}
		w.t.Cleanup(transport.CloseIdleConnections)
		go func() {
			defer close(done)
			answer, err := transport.RoundTrip(request)
			if err == nil {
				text, _ := io.ReadAll(answer.Body) // it is only shown
				_ = answer.Body.Close()
				w.t.Errorf("the call was answered: %s", text)
			}
		}()
		return stuckCall{func() { cancel(); <-done }}
	},
}

func (w *world) taskList() *tasks.Tasks {
	return tasks.New(w.host, func(context.Context, string) error { return errors.New("no other task is wanted") })
}

// cancelled begins a call; gone cancels it.
func (w *world) cancelled(client *sdk.ClientSession, tool string, arguments map[string]any) stuckCall {
	ctx, cancel := context.WithCancel(w.ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if got, err := client.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments}); err == nil {
			w.t.Errorf("the call was answered: %+v", got.StructuredContent)
		}
	}()
	return stuckCall{func() { cancel(); <-done }}
}

// mcpOverHTTP connects a client; drop ends its connections as those of a client that was killed.
func (w *world) mcpOverHTTP(r *agent.Registry) (client *sdk.ClientSession, drop func()) {
	w.t.Helper()
	server := mcp.New(mcp.Options{Tools: r, Tasks: w.taskList()})
	site := httptest.NewServer(server.Handler())
	w.t.Cleanup(site.Close)
	w.t.Cleanup(server.Close)
	transport := &http.Transport{}
	w.t.Cleanup(transport.CloseIdleConnections)
	ctx, drop := context.WithCancel(context.Background())
	w.t.Cleanup(drop)
	client, err := sdk.NewClient(&sdk.Implementation{Name: "hermes-test", Version: "1"}, nil).Connect(w.ctx, &sdk.StreamableClientTransport{
		Endpoint: site.URL + "?task=" + w.ID(), HTTPClient: &http.Client{Transport: ending{transport, ctx}}, MaxRetries: -1,
	}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = client.Close() })
	return client, drop
}

// ending makes the connections of a client end with a context.
type ending struct {
	http.RoundTripper
	ctx context.Context
}

func (e ending) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	context.AfterFunc(e.ctx, cancel)
	return e.RoundTripper.RoundTrip(r.WithContext(ctx))
}

// mcpOverStreams connects a client as over standard input and output; hangUp closes the server's input.
func (w *world) mcpOverStreams(r *agent.Registry) (client *sdk.ClientSession, hangUp func()) {
	w.t.Helper()
	server := mcp.New(mcp.Options{Tools: r, Tasks: w.taskList()})
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- server.Serve(context.Background(), &sdk.IOTransport{Reader: fromClient, Writer: toClient}, mcp.SessionOptions{Task: w.ID()})
	}()
	client, err := sdk.NewClient(&sdk.Implementation{Name: "hermes-test", Version: "1"}, nil).Connect(w.ctx,
		&sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	hangUp = func() {
		_ = toServer.Close()
		if err := <-served; err != nil {
			w.t.Errorf("the session ended with %v", err)
		}
		_ = toClient.Close()
	}
	w.t.Cleanup(func() { _ = toServer.Close(); _ = client.Close(); server.Close() })
	return client, hangUp
}

// A client that goes away, in whichever way it came, ends what its call runs in the page, and the next call works at
// once.
func TestAClientThatGoesAwayEndsItsCallInThePage(t *testing.T) {
	const request = "const r = new XMLHttpRequest(); r.open('POST', '/report/spins', false); r.send('1'); "
	pages := map[string]string{
		"/page": `<button onclick="` + request + `while (true) {}">b</button><iframe src="/inner"></iframe><iframe src="{{127.0.0.1}}/far"></iframe>
<script>worker = new Worker(URL.createObjectURL(new Blob(["0"]))); worker.onmessage = () => report("spins")</script>`,
		"/inner": `<p>inner`, "/far": `<p>far<script>report("far")</script>`,
	}
	for way, begin := range ways {
		t.Run(way, func(t *testing.T) {
			w := newWorldAlone(t, pages, host.TaskOptions{})
			w.Task = attachAs(t, w.host, "task", w.address, host.TaskOptions{Scope: host.ScopeContext})
			r := w.tools()
			for what, c := range map[string]struct {
				tool, where string
				arguments   map[string]any
				ends        bool // there is a script to be ended
			}{
				"a loop":               {"browser_evaluate", "top", map[string]any{"expression": request + "while (true) {}"}, true},
				"a loop in a frame":    {"browser_evaluate", "/inner", map[string]any{"expression": request + "while (true) {}"}, true},
				"a loop in another":    {"browser_evaluate", "/far", map[string]any{"expression": request + "while (true) {}"}, true},
				"a loop in a worker":   {"browser_evaluate", "worker", map[string]any{"expression": "postMessage(0); while (true) {}"}, true},
				"a promise":            {"browser_evaluate", "top", map[string]any{"expression": request + "new Promise(() => {})"}, false},
				"a debugger statement": {"browser_evaluate", "top", map[string]any{"expression": "debugger; " + request + "while (true) { debugger }"}, true},
				"a click":              {"browser_click", "top", map[string]any{"selector": "button"}, true},
				"a list":               {"browser_interact", "top", map[string]any{"actions": []map[string]any{{"action": "click", "selector": "button"}}}, true},
			} {
				w.forget()
				w.open("/page")
				w.reported("far")
				w.aim(c.where, c.arguments)
				before := w.terminations()
				call := begin(w, r, c.tool, c.arguments)
				w.reported("spins")
				call.gone()
				next := map[string]any{"expression": "40 + 2", "timeout_ms": shared.Limit().Milliseconds()}
				w.aim(c.where, next)
				if got := w.callTool(r, "browser_evaluate", next); got.IsError {
					t.Errorf("after %s: %s", what, got.Text)
				}
				if c.ends && w.terminations() == before {
					t.Errorf("no script was ended for %s", what)
				}
			}
		})
	}
}

// aim makes the arguments of an evaluate name a place of the page.
func (w *world) aim(where string, arguments map[string]any) {
	w.t.Helper()
	s := w.await("the frames and the worker", func(s *host.Snapshot) bool {
		return len(s.Page().RawFrameTree.Children) == 2 && typesOf(s)["worker"] == 1
	})
	for _, f := range s.Page().RawFrameTree.Children {
		if strings.HasSuffix(f.URL, where) {
			arguments["frame_id"] = f.FrameID
		}
	}
	for _, target := range s.Targets {
		if target.Type == where {
			arguments["tab"] = target.ID
		}
	}
}
