//go:build unix

package daemon

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/httpapi"
)

// bearer sends a token with each request.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(r)
}

// session is the official client, with an agent's token.
func (d *running) session(by entrance, token, query string) (*mcp.ClientSession, error) {
	d.t.Helper()
	client := d.client(by)
	client.Transport = bearer{token, client.Transport}
	return mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(d.t.Context(),
		&mcp.StreamableClientTransport{Endpoint: "http://localhost/mcp" + query, HTTPClient: client, MaxRetries: -1}, nil)
}

func (d *running) mustSession(by entrance, token, query string) *mcp.ClientSession {
	d.t.Helper()
	s, err := d.session(by, token, query)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = s.Close() })
	return s
}

func toolsOf(t *testing.T, s *mcp.ClientSession) (names []string) {
	t.Helper()
	for tool, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	return names
}

// An agent's tools are those of its token, of what is configured, and of what it asks for: each can only take away.
func TestATokensToolsetsOnlyEverNarrow(t *testing.T) {
	d := start(t, "toolsets: [browser, browser_cdp]\nplatform_toolsets: {generous: [all], test: [all]}\ndisabled_tools: [browser_back]\n")
	narrow, wide := d.token("narrow", []string{"browser-read", "browser_evaluate"}, "*"), d.token("wide", []string{"all"}, "*")
	few := d.token("few", []string{"browser_click"}, "*")
	listed := func(token, query string) []string {
		t.Helper()
		c := control.NewAgentsSocketClient(d.at.AgentsSocket, token, false)
		defer c.Close()
		view := agent.View{}
		for _, pair := range strings.Split(query, "&") {
			name, value, _ := strings.Cut(pair, "=")
			switch name {
			case "client":
				view.Client = value
			case "toolsets":
				view.Toolsets = strings.Split(value, ",")
			}
		}
		tools, err := httpapi.NewClient(c).Tools(t.Context(), view)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range tools {
			names = append(names, tool.Name)
		}
		return names
	}
	for name, c := range map[string]struct {
		token, query string
		has, lacks   []string
	}{
		"what is configured":                      {wide, "", []string{"browser_click", "browser_cdp"}, []string{"browser_evaluate", "browser_back"}},
		"asking does not widen the configuration": {wide, "toolsets=all", []string{"browser_click"}, []string{"browser_evaluate", "browser_back"}},
		"the token narrows it":                    {narrow, "", []string{"browser_snapshot"}, []string{"browser_click", "browser_cdp", "browser_evaluate"}},
		"asking does not widen the token":         {narrow, "toolsets=all", []string{"browser_snapshot"}, []string{"browser_click", "browser_cdp", "browser_evaluate"}},
		"asking narrows":                          {wide, "toolsets=browser_cdp", []string{"browser_cdp"}, []string{"browser_click"}},
		"a client's own toolsets are configured":  {narrow, "client=generous", []string{"browser_evaluate"}, []string{"browser_click", "browser_cdp"}},
		"a client's name does not widen a token":  {few, "client=generous&toolsets=all", []string{"browser_click"}, []string{"browser_snapshot", "browser_evaluate"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := listed(c.token, c.query)
			for _, tool := range c.has {
				if !slices.Contains(got, tool) {
					t.Errorf("%s is missing: %q", tool, got)
				}
			}
			for _, tool := range c.lacks {
				if slices.Contains(got, tool) {
					t.Errorf("%s is there", tool)
				}
			}
			for _, tool := range append(c.lacks, "browser_back") {
				path := "/v1/agent/tools/" + tool + "/call?" + c.query
				if status := d.statusOf(agentsSocket, c.token, "POST", path, "{}"); status != http.StatusNotFound {
					t.Errorf("%s is called: %d", tool, status)
				}
			}
		})
	}
	s := d.mustSession(agentsSocket, narrow, "?toolsets=all")
	if got := toolsOf(t, s); !slices.Contains(got, "browser_evaluate") || slices.Contains(got, "browser_click") || slices.Contains(got, "browser_back") {
		t.Errorf("over MCP, under the name that has everything, there are %q", got)
	}
	if got := toolsOf(t, d.mustSession(agentsSocket, few, "?toolsets=all")); !slices.Equal(got, []string{"browser_click"}) {
		t.Errorf("over MCP, of one tool under the name that has everything, there are %q", got)
	}
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_click"}); err == nil || !strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("over MCP browser_click is called: %v", err)
	}
	if _, err := d.operator().NewToken(t.Context(), access.Request{Name: "x", Tasks: []string{"a"}, Toolsets: []string{"nothing"}}); !errors.Is(err, fault.ErrBadToken) {
		t.Errorf("a toolset that there is not: %v", err)
	}
}

// By MCP an agent has a task of its own within its token, or one that the token names, and no other; and no session but
// its own.
func TestAnAgentsSessionIsItsOwn(t *testing.T) {
	d := start(t, "")
	shop, mail := d.token("shop", []string{"browser"}, "shop-*"), d.token("mail", []string{"browser"}, "mail")
	for _, by := range []entrance{agentsSocket, port, operatorsSocket} {
		own := d.mustSession(by, shop, "")
		resources, err := own.ListResources(t.Context(), nil)
		if err != nil || len(resources.Resources) == 0 || !strings.HasPrefix(resources.Resources[0].URI, "hermes://task/shop-mcp-") {
			t.Fatalf("by %s the session has %+v, %v", by, resources, err)
		}
		d.mustSession(by, shop, "?task=shop-1")
		if _, err := d.session(by, shop, "?task=mail"); err == nil {
			t.Errorf("by %s a foreign task is served", by)
		}
		if r, err := d.mustSession(by, mail, "").ListResources(t.Context(), nil); err != nil || r.Resources[0].URI != "hermes://task/mail/snapshot" && !strings.HasPrefix(r.Resources[0].URI, "hermes://task/mail/") {
			t.Errorf("by %s a token of one task has %+v, %v", by, r, err)
		}
		if _, err := own.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "hermes://task/mail/snapshot"}); err == nil {
			t.Errorf("by %s a foreign task is read", by)
		}
		operators := d.mustSession(operatorsSocket, "", "?task=shop-1")
		list := `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`
		if stolen := d.withSession(by, shop, "POST", operators.ID(), list); !strings.HasPrefix(stolen, "404") {
			t.Errorf("by %s an operator's session is served to an agent: %s", by, stolen)
		}
		for _, method := range []string{"POST", "GET", "DELETE"} {
			stolen, never := d.withSession(by, mail, method, own.ID(), list), d.withSession(by, mail, method, "NEVER", list)
			if stolen != never || !strings.HasPrefix(stolen, "404") {
				t.Errorf("by %s, %s with a foreign session: %s; with one that never was: %s", by, method, stolen, never)
			}
		}
		if len(toolsOf(t, own)) == 0 {
			t.Errorf("by %s the session has ended", by)
		}
	}
}

// withSession sends a request that names a session.
func (d *running) withSession(by entrance, token, method, session, body string) string {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, "http://localhost/mcp", strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + token, "Mcp-Session-Id": session, "Content-Type": "application/json",
		"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2025-11-25",
	} {
		r.Header.Set(name, value)
	}
	answer, err := d.client(by).Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return answer.Status + string(text)
}

// Revoking a token ends what is open by it: a stream of events, a call in a page, a session with its stream and its own
// task.
func TestARevokedTokenEndsWhatIsUnderWay(t *testing.T) {
	d := start(t, "browser: {executable: '"+hosttest.Executable(t)+"'}\ntoolsets: [browser-full]\n")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if _, err := d.operator().Connect(ctx, control.ConnectRequest{Task: "shop-1", Launch: true}); err != nil {
		t.Fatal(err)
	}
	token, other := d.token("shop", []string{"all"}, "shop-*"), d.token("other", []string{"all"}, "shop-*")

	events := d.ask(ctx, agentsSocket, token, "GET", "/v1/agent/events?task=shop-1", "")
	others := d.ask(ctx, agentsSocket, other, "GET", "/v1/agent/events?task=shop-1", "")
	session := d.mustSession(agentsSocket, token, "")
	if r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "browser_snapshot"}); err != nil || r.IsError {
		t.Fatalf("the session's first call: %+v, %v", r, err)
	}
	called := make(chan string, 1)
	began := make(chan struct{})
	go func() { called <- d.endless(ctx, token, began) }()
	<-began
	d.awaitExpression(ctx)

	if _, err := d.operator().RevokeToken(ctx, "shop"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(events.Body); err != nil {
		t.Errorf("the stream of events: %v", err)
	}
	if answer := <-called; strings.Contains(answer, `"success":true`) {
		t.Errorf("the call was answered with %s", answer)
	}
	if err := session.Wait(); ctx.Err() != nil {
		t.Errorf("the session goes on: %v", err)
	}
	for _, path := range []string{"/v1/agent/tools", "/mcp"} {
		if status := d.statusOf(agentsSocket, token, "GET", path, ""); status != http.StatusUnauthorized {
			t.Errorf("%s is answered with %d", path, status)
		}
	}
	d.awaitTasks(ctx, "shop-1") // that of the session has ended with it
	if status := d.statusOf(agentsSocket, other, "GET", "/v1/agent/tools", ""); status != http.StatusOK {
		t.Errorf("another token is answered with %d", status)
	}
	if _, err := d.operator().RevokeToken(ctx, "other"); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(others.Body); err != nil || !strings.Contains(string(text), "event: state") {
		t.Errorf("the other stream had %q, %v", text, err)
	}
	_ = others.Body.Close()
	_ = events.Body.Close()
}

// endless calls a tool that does not end by itself, and gives its answer.
func (d *running) endless(ctx context.Context, token string, began chan<- struct{}) string {
	body := `{"expression": "document.title = 'begun'; new Promise(() => {})", "timeout_ms": 600000}`
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/v1/agent/tools/browser_evaluate/call?task=shop-1", strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	r.Header.Set("Authorization", "Bearer "+token)
	close(began)
	answer, err := d.client(agentsSocket).Do(r)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return string(text) + errorText(err)
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// awaitExpression waits until the call has begun in its page.
func (d *running) awaitExpression(ctx context.Context) {
	d.t.Helper()
	d.await(ctx, func() bool {
		v, err := d.operator().Evaluate(ctx, "shop-1", control.EvaluateRequest{Expression: "document.title"})
		return err == nil && strings.Contains(string(v.Value), "begun")
	})
}

// awaitTasks waits until these are all the tasks.
func (d *running) awaitTasks(ctx context.Context, want ...string) {
	d.t.Helper()
	d.await(ctx, func() bool {
		status, err := d.operator().Status(ctx)
		if err != nil {
			d.t.Fatal(err)
		}
		var names []string
		for _, t := range status.Tasks {
			names = append(names, t.ID)
		}
		return slices.Equal(names, want)
	})
}

func (d *running) await(ctx context.Context, there func() bool) {
	d.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !there() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			d.t.Fatal("the expected event did not come")
		}
	}
}

// An agent that may give files to pages cannot give them what would make it the operator, nor put anything beside that.
func TestAnAgentReachesNoSecretByFiles(t *testing.T) {
	d := start(t, "browser: {executable: '"+hosttest.Executable(t)+"', upload_roots: [.]}\ntoolsets: [browser-full]\n")
	dir := filepath.Dir(d.file)
	token, plain := d.token("shop", []string{"all"}, "shop"), filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := d.mustSession(agentsSocket, token, "")
	call := func(tool string, arguments any) (text string, failed bool) {
		t.Helper()
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			t.Fatal(err)
		}
		return r.Content[0].(*mcp.TextContent).Text, r.IsError
	}
	if text, failed := call("browser_navigate", map[string]any{"url": "data:text/html,<input type=file>"}); failed {
		t.Fatal(text)
	}
	upload := func(path string) (string, bool) {
		return call("browser_upload", map[string]any{"selector": "input", "paths": []string{path}})
	}
	if text, failed := upload(plain); failed {
		t.Fatalf("a file that is nobody's secret: %s", text)
	}
	for _, path := range []string{d.at.TokenFile, filepath.Join(dir, "state", "tokens.json"), d.file} {
		if text, failed := upload(path); !failed || !strings.Contains(text, "may not be used") {
			t.Errorf("%s is given to a page: %s", path, text)
		}
	}
	profile := filepath.Join(dir, "profiles", "mine")
	if err := errors.Join(os.MkdirAll(filepath.Dir(profile), 0o700), os.WriteFile(profile, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if text, failed := upload(profile); failed {
		t.Errorf("a file of nobody: %s", text)
	}
	d.hangUp("browser: {executable: '" + hosttest.Executable(t) + "', upload_roots: [.], profile_dir: profiles}\ntoolsets: [browser-full]\n")
	if text, failed := upload(profile); !failed || !strings.Contains(text, "may not be used") {
		t.Errorf("a profile of the directory that a reload names is given to a page: %s", text)
	}
	for _, folder := range []string{dir, filepath.Join(dir, "state"), compiled} {
		text, failed := call("browser_cdp", map[string]any{
			"method": "Browser.setDownloadBehavior", "params": map[string]any{"behavior": "allow", "downloadPath": folder},
		})
		if !failed || !strings.Contains(text, "may not be used") {
			t.Errorf("files can be put into %s: %s", folder, text)
		}
	}
}
