//go:build unix

package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
)

// bySocket is a client of the daemon's socket.
func (d *running) bySocket() *http.Client {
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", d.at.Socket)
	}}
	d.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// mortalDaemon is a daemon whose browsers can be killed, and a site with a page.
func mortalDaemon(t *testing.T) (d *running, kill func(), site string) {
	t.Helper()
	executable, kill := hosttest.Killable(t)
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<title>page</title><button>Save</button>") // a client that is gone needs no page
	}))
	t.Cleanup(pages.Close)
	return start(t, "browser: {executable: '"+executable+"'}\n"), kill, pages.URL
}

func TestOverHTTPAKilledBrowserIsSaidToHaveBeenRestarted(t *testing.T) {
	d, kill, site := mortalDaemon(t)
	client := d.bySocket()
	call := func(name, arguments string) (out struct {
		Text       string         `json:"text"`
		Structured map[string]any `json:"structured"`
	}) {
		t.Helper()
		answer, err := client.Post("http://localhost/v1/agent/tools/"+name+"/call?task=one", "application/json", strings.NewReader(arguments))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		if err := json.NewDecoder(answer.Body).Decode(&out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := call("browser_navigate", `{"url":"`+site+`/"}`); got.Structured["success"] != true {
		t.Fatalf("got %+v", got)
	}
	events, err := client.Get("http://localhost/v1/agent/events?task=one&only=state,end")
	if err != nil {
		t.Fatal(err)
	}
	kill()
	told, err := io.ReadAll(events.Body) // the stream ends with the task
	if err != nil || !bytes.Contains(told, []byte("event: end")) {
		t.Errorf("the stream was %s, %v", told, err)
	}
	got := call("browser_navigate", `{}`)
	restarted, _ := got.Structured["restarted"].(map[string]any)
	if got.Structured["success"] != true || got.Structured["url"] != site+"/" || restarted["reason"] != "the browser ended by itself: signal: killed" {
		t.Errorf("got %+v", got)
	}
	if !strings.HasPrefix(got.Text, "the browser was restarted: ") {
		t.Errorf("the text is %s", got.Text)
	}
	if again := call("browser_tabs", `{"action":"list"}`); again.Structured["restarted"] != nil || again.Structured["success"] != true {
		t.Errorf("it is said again: %+v", again)
	}
}

func TestOverMCPAKilledBrowserIsSaidToHaveBeenRestarted(t *testing.T) {
	d, kill, site := mortalDaemon(t)
	updated, changed := make(chan string, 1000), make(chan struct{}, 100)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI },
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
	}).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://localhost/mcp?task=two", HTTPClient: d.bySocket()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	const snapshot = "hermes://task/two/snapshot"
	// becomes waits until the resource says whether the browser runs.
	becomes := func(running bool) {
		t.Helper()
		for {
			read, err := client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: snapshot})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(read.Contents[0].Text, fmt.Sprintf(`"running":%v`, running)) {
				return
			}
			<-updated
		}
	}
	call := func(name string, arguments map[string]any) (string, map[string]any) {
		t.Helper()
		got, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
		if err != nil {
			t.Fatal(err)
		}
		object, _ := got.StructuredContent.(map[string]any)
		return got.Content[0].(*mcp.TextContent).Text, object
	}
	list := func() int {
		t.Helper()
		tools, err := client.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return len(tools.Tools)
	}
	before := list()
	if err := client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: snapshot}); err != nil {
		t.Fatal(err)
	}
	if text, got := call("browser_navigate", map[string]any{"url": site}); got["success"] != true {
		t.Fatalf("got %s", text)
	}
	becomes(true)
	kill()
	becomes(false)
	if now := list(); now != before {
		t.Errorf("%d tools are listed without a browser, and were %d", now, before)
	}
	text, got := call("browser_snapshot", map[string]any{})
	restarted, _ := got["restarted"].(map[string]any)
	if got["success"] != true || restarted["last_url"] != site+"/" || !strings.HasPrefix(text, "the browser was restarted: ") {
		t.Errorf("got %s, %v", text, got)
	}
	becomes(true)
	if text, got := call("browser_snapshot", map[string]any{}); got["success"] != true || got["restarted"] != nil {
		t.Errorf("it is said again: %s", text)
	}
	if len(changed) > 0 {
		t.Error("the list of tools is said to have changed")
	}
}
