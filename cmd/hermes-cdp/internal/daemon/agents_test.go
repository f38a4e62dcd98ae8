//go:build unix

package daemon

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// get asks by the socket, or by the port where a token is given.
func (d *running) get(path, token string, byPort bool, change func(*http.Request)) int {
	d.t.Helper()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	if !byPort {
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", d.at.Socket)
		}
	}
	request, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, "http://"+d.at.Address+path, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if change != nil {
		change(request)
	}
	answer, err := transport.RoundTrip(request)
	if err != nil {
		d.t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

func TestAgentsComeInBehindTheSameGuard(t *testing.T) {
	d := start(t, "")
	token, err := control.ReadToken(d.at.TokenFile)
	if err != nil {
		t.Fatal(err)
	}
	foreign := func(r *http.Request) { r.Host = "attacker.example" }
	page := func(r *http.Request) { r.Method = "POST"; r.Header.Set("Origin", "https://attacker.example") }
	for name, c := range map[string]struct {
		path, token string
		byPort      bool
		change      func(*http.Request)
		status      int
	}{
		"the API by the socket":           {"/v1/agent/tools", "", false, nil, 200},
		"the API by the port":             {"/v1/agent/openapi.json", token, true, nil, 200},
		"the API without a token":         {"/v1/agent/tools", "", true, nil, 401},
		"the API by another name":         {"/v1/agent/tools", token, true, foreign, 403},
		"the API from a page":             {"/v1/agent/tools/browser_close/call", token, true, page, 403},
		"MCP without a token":             {"/mcp", "", true, nil, 401},
		"MCP with a wrong token":          {"/mcp", "wrong", true, nil, 401},
		"MCP by another name":             {"/mcp", token, true, foreign, 403},
		"MCP from a page":                 {"/mcp", token, true, page, 403},
		"MCP with a token and no session": {"/mcp", token, true, nil, 400},
		"the control API is still there":  {"/v1/status", token, true, nil, 200},
		"a toolset that there is not":     {"/v1/agent/tools?toolsets=nothing", token, true, nil, 400},
		"a path that is nobody's":         {"/v2/agent", token, true, nil, 404},
		"the control API without a token": {"/v1/status", "", true, nil, 401},
	} {
		t.Run(name, func(t *testing.T) {
			if got := d.get(c.path, c.token, c.byPort, c.change); got != c.status {
				t.Errorf("the status is %d, want %d", got, c.status)
			}
		})
	}
}

func TestTheStatusCountsTheCallsOfAgents(t *testing.T) {
	d := start(t, "")
	call := func(r *http.Request) {
		r.Method, r.Body = http.MethodPost, io.NopCloser(strings.NewReader(`{"arguments": {"nothing": 1}}`))
		r.Header.Set("Content-Type", "application/json")
	}
	if status := d.get("/v1/agent/tools/browser_click/call", "", false, call); status != http.StatusOK {
		t.Fatalf("a call with wrong arguments gives %d", status)
	}
	got := d.status(control.NewSocketClient(d.at.Socket)).Tools
	if n := got["browser_click"]; len(got) != 1 || n.Calls != 1 || len(n.Failures) != 1 {
		t.Errorf("the counters are %+v", got)
	}
}

// mcpSession begins one of MCP for a client of a name, which ends with the test. changed is told of new lists of tools.
func (d *running) mcpSession(name string, changed chan<- struct{}) *mcp.ClientSession {
	d.t.Helper()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", d.at.Socket)
	}}
	session, err := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			select {
			case changed <- struct{}{}:
			default:
			}
		},
	}).Connect(d.t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://localhost/mcp", HTTPClient: &http.Client{Transport: transport}}, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		_ = session.Close()
		transport.CloseIdleConnections()
	})
	return session
}

func listed(t *testing.T, session *mcp.ClientSession) (names []string) {
	t.Helper()
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	return names
}

// Whoever picks tools while agents work need not end their browsers for it.
func TestAnAgentIsToldOfToolsThatAreChosenMeanwhile(t *testing.T) {
	d := start(t, "toolsets: [browser_close]\n")
	changed := make(chan struct{}, 1)
	session := d.mcpSession("somebody", changed)
	for i, text := range []string{"toolsets: [browser_close, browser_tabs]\n", "platform_toolsets: {somebody: [browser_close, browser_tabs, browser_back]}\n"} {
		write(t, d.file, text)
		for len(listed(t, session)) != i+2 {
			select {
			case <-changed:
			case <-t.Context().Done():
				t.Fatal("the tools stayed as they were")
			}
		}
	}
	write(t, d.file, "toolsets: [browser_clos]\n")
	if s := d.reloaded(); s.Daemon.Config.Error == "" || len(listed(t, session)) != 3 {
		t.Errorf("after a toolset that does not exist: %+v, %v", s.Daemon.Config, listed(t, session))
	}
}

// errorsOf is a handler that passes on what is logged as an error.
type errorsOf struct {
	slog.Handler
	to chan<- string
}

func (h errorsOf) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

func (h errorsOf) Handle(_ context.Context, r slog.Record) error {
	h.to <- r.Message
	return nil
}

// A tool that the operator disabled stays so when the file that says it is gone, whether that was there from the start
// or was read for its toolsets alone.
func TestAFileThatIsGoneEnablesNoTool(t *testing.T) {
	const text = "disabled_tools: [browser_cdp]\n"
	for name, fromTheStart := range map[string]bool{"from the start": true, "since": false} {
		t.Run(name, func(t *testing.T) {
			o, file := optionsOf(t, text)
			home := filepath.Dir(file)
			file = filepath.Join(home, "hermes-cdp", "config.yaml") // where it may be missing
			if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if fromTheStart {
				write(t, file, text)
			}
			said := make(chan string, 100)
			o.Logger = slog.New(errorsOf{slog.DiscardHandler, said})
			o.Load = func() (*config.Config, *config.Report, error) {
				return config.Load(config.Sources{Environ: []string{"XDG_CONFIG_HOME=" + home, "HOME=" + home, "XDG_RUNTIME_DIR=" + home}})
			}
			var err error
			if o.Config, o.Report, err = o.Load(); err != nil {
				t.Fatal(err)
			}
			d := startWith(t, o, file)
			changed := make(chan struct{}, 1)
			session := d.mcpSession("somebody", changed)
			if !fromTheStart {
				write(t, file, text)
			}
			for slices.Contains(listed(t, session), "browser_cdp") {
				<-changed
			}
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			for message := range said {
				if strings.Contains(message, "toolsets in the configuration file cannot be used") {
					break
				}
			}
			if s := d.reloaded(); !strings.Contains(s.Daemon.Config.Error, "is missing") {
				t.Errorf("read again, the configuration is %+v", s.Daemon.Config)
			}
			if names := listed(t, session); slices.Contains(names, "browser_cdp") || !slices.Contains(names, "browser_click") {
				t.Errorf("the tools are %q", names)
			}
		})
	}
}

func TestAnAgentSeesTheToolsThatAreConfiguredForIt(t *testing.T) {
	d := start(t, "toolsets: [browser-full]\nplatform_toolsets: {hermes-acp: [browser_close]}\ndisabled_tools: [browser_cdp]\n")
	if names := listed(t, d.mcpSession("hermes-acp", nil)); !reflect.DeepEqual(names, []string{"browser_close"}) {
		t.Errorf("a client with toolsets of its own sees %q", names)
	}
	all := map[string]bool{}
	for _, name := range listed(t, d.mcpSession("somebody", nil)) {
		all[name] = true
	}
	if !all["browser_evaluate"] || all["browser_cdp"] {
		t.Errorf("another sees %v", all)
	}
}

func TestADaemonWithAWrongToolsetDoesNotBegin(t *testing.T) {
	o, _ := optionsOf(t, "toolsets: [nothing]\n")
	if err := Run(t.Context(), o); !errors.Is(err, fault.ErrToolset) {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(o.Config.Control.Socket); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket is left: %v", err)
	}
}

func TestAnAgentsTaskTakesTheBrowserOfTheFirstButNotItsTab(t *testing.T) {
	first := &control.ConnectRequest{Task: "mine", Address: "127.0.0.1:9222", TargetID: "T1", URL: "https://example.org/", Scope: "context"}
	want := control.ConnectRequest{Task: "mcp-1", Address: "127.0.0.1:9222", Scope: "context"}
	if got := requestFor("mcp-1", first); got != want {
		t.Errorf("the request is %+v", got)
	}
	whole := &control.ConnectRequest{Address: "127.0.0.1:9222", Scope: "browser"}
	if got := requestFor("mcp-1", whole); got.Scope != "" {
		t.Errorf("another task gets the scope %q: all tabs of the first", got.Scope)
	}
	if got := requestFor(control.DefaultTask, whole); got.Scope != "browser" {
		t.Errorf("the first task begins again with the scope %q", got.Scope)
	}
	if got := requestFor("mcp-1", nil); got != (control.ConnectRequest{Task: "mcp-1"}) {
		t.Errorf("without a first task it is %+v", got)
	}
}
