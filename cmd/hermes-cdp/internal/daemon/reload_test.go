//go:build unix

package daemon

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// other is a value for a key that is not its default.
func other(key config.Key) string {
	switch key.Path {
	case "browser.cdp_url":
		return "localhost:1"
	case "browser.profile":
		return "mine"
	case "browser.proxy":
		return "socks5://127.0.0.1:1"
	case "browser.credentials":
		return "https://${USER}:${PASSWORD}@a.example"
	case "browser.emulation.geolocation":
		return "1 2"
	case "browser.emulation.permissions":
		return "https://a.example geolocation"
	case "browser.emulation.headers":
		return "{X-Tenant: '${USER}'}"
	case "browser.state_key":
		return "${KEY}"
	}
	switch {
	case len(key.Allowed) > 0 && key.Allowed[0] != key.Default:
		return key.Allowed[0]
	case len(key.Allowed) > 0:
		return key.Allowed[1]
	case key.Type == config.TypeBool && key.Default == true:
		return "false"
	}
	return map[config.Type]string{config.TypeBool: "true", config.TypeInteger: "777", config.TypeNumber: "7.5", config.TypeList: "alpha", config.TypeText: "/alpha"}[key.Type]
}

// settingsOf are those of new tasks; a provider, which has functions, is its name.
func settingsOf(l *loaded) []any {
	s := options.Connection(l.config, l.report)
	if s.Rent == nil {
		return []any{s}
	}
	rent := *s.Rent
	named := rent.Provider.Name()
	rent.Provider, s.Rent = nil, &rent
	return []any{s, named}
}

// What the schema says of a reload, and so the documentation and the status of a daemon, is what happens: the settings
// of new tasks change with the keys that say so, and with no others.
func TestTheSchemaSaysWhichKeysNewTasksUse(t *testing.T) {
	environ := []string{"HOME=/nonexistent", "USER=u", "PASSWORD=p", "BROWSERBASE_API_KEY=k"}
	load := func(set ...string) *loaded {
		t.Helper()
		c, report, err := config.Load(config.Sources{Environ: environ, Set: set})
		if err != nil {
			t.Fatal(err)
		}
		return &loaded{config: c, report: report}
	}
	before := load()
	rest := map[string]string{
		"browser.dialog_policy": "the host has the policy of new tasks; see TestAReloadTakesWhatCanChangeAndNamesTheRest",
		"browser.state_key":     "it is never shown, so nobody can compare it",
	}
	for _, key := range config.Keys() {
		if !strings.HasPrefix(key.Path, "browser.") || rest[key.Path] != "" {
			continue
		}
		after := load(key.Path + "=" + other(key))
		changed := !reflect.DeepEqual(settingsOf(before), settingsOf(after))
		if changed != (key.Reload == config.ReloadTasks) {
			t.Errorf("%s=%s changes the settings of new tasks: %v; the schema says %q", key.Path, other(key), changed, key.Reload)
		}
		if got := len(needRestart(before, after)) > 0; got != (key.Reload == config.ReloadRestart) {
			t.Errorf("%s=%s needs a restart: %v; the schema says %q", key.Path, other(key), got, key.Reload)
		}
	}
}

// serverWith serves MCP over HTTP, with one tool.
func serverWith(t *testing.T, tool string) string {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: tool, Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: tool}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "it is " + tool}}}, nil, nil
	})
	s := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

// An agent that is connected is told of the tools that a reload brings and takes; its task, and the other servers,
// stay.
func TestAReloadAddsAndRemovesMCPServers(t *testing.T) {
	const toolsets = "toolsets: [browser-read, mcp-weather, mcp-tickets]\n"
	weather, tickets := serverWith(t, "weather"), serverWith(t, "tickets")
	d := start(t, fmt.Sprintf("mcp_servers: {weather: {url: '%s'}, tickets: {url: '%s', enabled: false}}\n"+toolsets, weather, tickets))
	told := make(chan struct{}, 1)
	client := d.client(agentsSocket)
	client.Transport = bearer{d.token("shop", []string{"all"}, "*"), client.Transport}
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
		select {
		case told <- struct{}{}:
		default:
		}
	}}).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://localhost/mcp", HTTPClient: client, MaxRetries: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	until := func(what string, want map[string]bool) {
		t.Helper()
		late := time.After(time.Minute)
		for {
			names, fits := toolsOf(t, s), true
			for tool, there := range want {
				fits = fits && slices.Contains(names, tool) == there
			}
			if fits {
				return
			}
			select {
			case <-told:
			case <-late:
				t.Fatalf("%s the tools are %v", what, names)
			}
		}
	}
	until("at the start", map[string]bool{"weather": true, "tickets": false})
	if got := d.hangUp(fmt.Sprintf("mcp_servers: {weather: {url: '%s'}, tickets: {url: '%s'}}\n"+toolsets, weather, tickets)); got.Error != "" || len(got.NeedRestart) > 0 {
		t.Errorf("after the reload: %+v", got)
	}
	until("with another server", map[string]bool{"weather": true, "tickets": true})
	for _, tool := range []string{"weather", "tickets"} {
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
		if err != nil || r.IsError || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, "it is "+tool) {
			t.Errorf("%s: %+v, %v", tool, r, err)
		}
	}

	wrong := d.hangUp(fmt.Sprintf("mcp_servers: {tickets: {url: '%s'}}\n"+toolsets, tickets))
	if !strings.Contains(wrong.Error, "mcp-weather") {
		t.Errorf("a toolset without its server: %+v", wrong)
	}
	until("without the first", map[string]bool{"weather": false, "tickets": true})
	status := d.status(control.NewSocketClient(d.at.Socket))
	if len(status.MCPServers) != 1 || status.MCPServers[0].Name != "tickets" {
		t.Errorf("the servers are %+v", status.MCPServers)
	}
}

// A Camofox server knows nothing of the proxy of the configuration: once a reload brings one, agents have the tools of
// browsers that are started here, with it. So they have once the reload chooses another provider.
func TestAReloadTakesAgentsFromACamofoxServer(t *testing.T) {
	for name, text := range map[string]string{"a proxy": "browser: {proxy: 'socks5://127.0.0.1:1'}\n", "networks": "browser: {network: {allow: [public, loopback]}}\n", "another provider": "browser: {provider: local}\n"} {
		t.Run(name, func(t *testing.T) {
			o, file := optionsOf(t, "toolsets: [browser]\n")
			o.Load = func() (*config.Config, *config.Report, error) {
				return config.Load(config.Sources{File: file, Environ: []string{"CAMOFOX_URL=http://127.0.0.1:1"}})
			}
			var err error
			if o.Config, o.Report, err = o.Load(); err != nil {
				t.Fatal(err)
			}
			d := startWith(t, o, file)
			s := d.mustSession(agentsSocket, d.token("shop", []string{"all"}, "*"), "")
			if tools := toolsOf(t, s); slices.Contains(tools, "browser_dialog") || !slices.Contains(tools, "browser_click") {
				t.Errorf("with the server the tools are %v", tools)
			}
			if got := d.hangUp("toolsets: [browser]\n" + text); got.Error != "" || len(got.NeedRestart) > 0 {
				t.Errorf("after the reload: %+v", got)
			}
			if tools := toolsOf(t, s); !slices.Contains(tools, "browser_dialog") {
				t.Errorf("after the reload the tools are %v", tools)
			}
		})
	}
}
