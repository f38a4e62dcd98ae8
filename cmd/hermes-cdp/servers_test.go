//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// searchServer configures the server search, which is this binary.
func searchServer(t *testing.T) string {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return "mcp_servers:\n" +
		"  search: {command: '" + binary + "', env: {" + testServer + ": '1', HERMES_TEST_MARK: '${HERMES_TEST_MARK}', TOKEN: a-hidden-token}, exclude: [nothing]}\n"
}

// withServers writes a configuration with the server search, and one that cannot be started.
func withServers(t *testing.T) *shell {
	t.Helper()
	s := newShell(t)
	file := filepath.Join(s.dir, ".config", "hermes-cdp", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(searchServer(t)+"  broken: {command: /nowhere/serve}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// toolNames are the names of the tools that a client is told of.
func toolNames(t *testing.T, c *mcp.ClientSession) []string {
	t.Helper()
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

func TestTheToolsOfMCPServersArePassedThrough(t *testing.T) {
	s := withServers(t)
	changed := make(chan struct{}, 10)
	c := s.mcpClient(&mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
		changed <- struct{}{}
	}}, "--toolsets", "browser-read,mcp-search,mcp-broken")
	if names := toolNames(t, c); !slices.Contains(names, "web_search") || !slices.Contains(names, "learn") || slices.Contains(names, "browser_click") {
		t.Errorf("the first list has %v", names)
	}
	if got := tool(t, c, "web_search", map[string]any{"query": "Hermes"}); got["text"] != "nothing about Hermes" {
		t.Errorf("a call gives %v", got)
	}
	if left := s.processes(); len(left) != 2 {
		t.Errorf("beside the command and the server there run %q", left)
	}
	if got := tool(t, c, "learn", map[string]any{}); got["text"] != "done" {
		t.Fatalf("a call gives %v", got)
	}
	<-changed
	if names := toolNames(t, c); !slices.Contains(names, "learned") {
		t.Errorf("the list has %v", names)
	}
	if got := tool(t, c, "die", map[string]any{}); got["kind"] != string(fault.ErrServer) {
		t.Errorf("a server that ends gives %v", got)
	}
	if got := tool(t, c, "web_search", map[string]any{"query": "again"}); got["text"] != "nothing about again" {
		t.Errorf("after its end a call gives %v", got)
	}
	if err := c.Close(); err != nil {
		t.Errorf("the binary ended with %v", err)
	}
	if left := s.processes(); len(left) > 0 {
		t.Errorf("processes are left: %q", left)
	}
}

func TestMCPUsesTheServersThatTheConfigurationFileNames(t *testing.T) {
	s := newShell(t)
	changed := make(chan struct{}, 10)
	c := s.mcpClient(&mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
		changed <- struct{}{}
	}}, "--config", s.configure(""))
	listsUntil := func(want bool) {
		for slices.Contains(toolNames(t, c), "web_search") != want {
			<-changed
		}
	}
	listsUntil(false)
	s.configure(searchServer(t))
	listsUntil(true)
	if got := tool(t, c, "web_search", map[string]any{"query": "Hermes"}); got["text"] != "nothing about Hermes" {
		t.Errorf("a call gives %v", got)
	}
	s.configure("mcp_servers: {search: {command: 7}}\n")
	s.configure("mcp_servers: {}\n")
	listsUntil(false)
	if left := s.processes(); len(left) != 1 {
		t.Errorf("beside the command there run %q", left)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestTheSearchOfAServerIsInTheDefaultToolset(t *testing.T) {
	s := withServers(t)
	c := s.mcpClient(nil)
	if names := toolNames(t, c); !slices.Contains(names, "web_search") || slices.Contains(names, "learn") || !slices.Contains(names, "browser_click") {
		t.Errorf("the list has %v", names)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	web := s.mcpClient(nil, "--set", "toolsets=browser-read,web")
	if names := toolNames(t, web); !slices.Contains(names, "web_search") || slices.Contains(names, "learn") || slices.Contains(names, "browser_click") {
		t.Errorf("with the toolset web the list has %v", names)
	}
	if err := web.Close(); err != nil {
		t.Error(err)
	}
	off := s.mcpClient(nil, "--set", "disabled_tools=[web_search]")
	if names := toolNames(t, off); slices.Contains(names, "web_search") {
		t.Errorf("though it is disabled the list has %v", names)
	}
	if err := off.Close(); err != nil {
		t.Error(err)
	}
}

func TestCommandsTellOfTheMCPServers(t *testing.T) {
	s := withServers(t)
	list := get[toolsListJSON](s, "tools", "list", "--toolsets", "browser")
	by := states(list)
	if !by["web_search"].On || by["learn"].On || !slices.Equal(by["learn"].Toolsets, []string{"mcp-search"}) {
		t.Errorf("got %+v and %+v", by["web_search"], by["learn"])
	}
	if len(list.MCPServers) != 2 || list.MCPServers[0].State != upstream.StateFailed || !slices.Equal(list.MCPServers[1].Unmatched, []string{"nothing"}) {
		t.Errorf("the servers are %+v", list.MCPServers)
	}
	for _, want := range []string{
		"MCP server broken  failed: it cannot be started: fork/exec /nowhere/serve: no such file or directory, next try at ",
		"MCP server search  ready, search v1, 3 tools, started again 0 times; include or exclude name what it does not have: nothing",
	} {
		if table := s.ok("tools", "list"); !strings.Contains(table, want) {
			t.Errorf("%q is not in %s", want, table)
		}
	}
	if out := s.ok("config", "show"); strings.Contains(out, "hidden") || !strings.Contains(out, "${HERMES_TEST_MARK}") {
		t.Errorf("the configuration is shown as %s", out)
	}
	if out := s.ok("tools", "schema", "web_search", "--format", "openai"); !strings.Contains(out, `"query"`) {
		t.Errorf("the schema is %s", out)
	}
	if left := s.processes(); len(left) > 0 {
		t.Errorf("processes are left: %q", left)
	}
}

func TestADaemonPassesToolsThrough(t *testing.T) {
	s := withServers(t)
	d, at := s.startDaemon()
	if got := get[map[string]any](s, "tools", "call", "web_search", `{"query": "Hermes"}`); got["text"] != "nothing about Hermes" {
		t.Errorf("a call gives %v", got)
	}
	status := get[control.Status](s, "status")
	if len(status.MCPServers) != 2 || status.MCPServers[1].State != upstream.StateReady || len(status.Tasks) != 0 {
		t.Errorf("the status is %+v", status)
	}
	if n := status.Tools["web_search"]; n.Calls != 1 {
		t.Errorf("the counters are %+v", status.Tools)
	}
	if out := s.ok("status"); !strings.Contains(out, "MCP server search") || strings.Contains(out, "hidden") {
		t.Errorf("the status is shown as %s", out)
	}
	s.leavesNothing(d, at, syscall.SIGTERM)
}
