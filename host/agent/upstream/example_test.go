package upstream_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
)

type search struct {
	Query string `json:"query"`
}

// searchServer stands for somebody else's server.
func searchServer() *httptest.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "search", Version: "v1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "web_search", Description: "Search the web."}, func(_ context.Context, _ *mcp.CallToolRequest, in search) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "nothing about " + in.Query}}}, nil, nil
	})
	return httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
}

// An embedder gives its agents the tools of an MCP server in addition to those of the browser.
func ExampleStart() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	site := searchServer()
	defer site.Close()
	h, err := host.New(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = h.Close(ctx) }()

	servers := upstream.Options{Servers: map[string]upstream.Server{"search": {URL: site.URL}}}
	registry, err := agent.New(h, agent.Options{Sources: servers.Sources()})
	if err != nil {
		log.Fatal(err)
	}
	defer registry.Close()
	running := upstream.Start(registry, servers)
	defer running.Close()
	running.Settle(ctx)

	for _, tool := range registry.Tools(agent.View{Toolsets: []string{"mcp-search"}}) {
		fmt.Println(tool.Name, "of", tool.Source)
	}
	arguments, err := json.Marshal(search{Query: "Hermes"})
	if err != nil {
		log.Fatal(err)
	}
	result, err := registry.Call(ctx, agent.Call{Name: "web_search", Toolsets: []string{"mcp-search"}, Arguments: arguments})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Structured["text"]) // result.Text has it in a fence, which tells a model that it is untrusted
	// Output:
	// web_search of mcp-search
	// nothing about Hermes
}
