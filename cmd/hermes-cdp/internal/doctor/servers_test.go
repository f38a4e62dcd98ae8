package doctor

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
)

func TestMCPServersAreTried(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "files", Version: "v1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "read"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{}, nil, nil
	})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	site := httptest.NewServer(handler)
	defer site.Close()
	no := false
	cfg := &config.Config{MCPServers: map[string]config.MCPServer{
		"good": {URL: site.URL}, "misspelt": {URL: site.URL, Include: []string{"read", "raed"}},
		"missing": {Command: "/nowhere/serve"}, "off": {Command: "/nowhere/serve", Enabled: &no},
	}}
	checks := checkServers(t.Context(), cfg, nil)
	expect(t, find(t, checks, "MCP server good"), StatusOK, "files v1, 1 tools")
	expect(t, find(t, checks, "MCP server misspelt"), StatusWarn, "it has no tool raed")
	expect(t, find(t, checks, "MCP server missing"), StatusWarn, "no such file")
	expect(t, find(t, checks, "MCP server off"), StatusOK, "not enabled")
	if Failed(checks) {
		t.Error("a server that cannot be used fails the whole")
	}
	if checks := checkServers(t.Context(), &config.Config{}, nil); checks != nil {
		t.Errorf("without servers there is %+v", checks)
	}
}
