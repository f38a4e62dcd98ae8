package main

import (
	"context"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// testServer is the variable that makes the test's own binary an MCP server.
const testServer = "HERMES_TEST_SERVER"

type query struct {
	Query string `json:"query"`
}

// serveTest is a server of another's, with a search and a list of tools that changes.
func serveTest() {
	s := mcp.NewServer(&mcp.Implementation{Name: "search", Version: "v1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "web_search", Description: "Search the web."}, func(_ context.Context, _ *mcp.CallToolRequest, in query) (*mcp.CallToolResult, any, error) {
		return said("nothing about " + in.Query), nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "learn", Description: "Get another tool."}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		mcp.AddTool(s, &mcp.Tool{Name: "learned"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return said("learned"), nil, nil
		})
		return said("done"), nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "die", Description: "End the server."}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		fmt.Fprintln(os.Stderr, "ended by its tool")
		os.Exit(3)
		return nil, nil, nil
	})
	_ = s.Run(context.Background(), &mcp.StdioTransport{}) // how a client leaves makes no difference
}

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
