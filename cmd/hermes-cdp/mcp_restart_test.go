//go:build unix

package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
)

func TestAnAgentOverMCPIsToldThatItsBrowserWasRestarted(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/html") }))
	defer site.Close()
	executable, kill := hosttest.Killable(t)
	updated := make(chan string, 1000)
	s := newShell(t)
	c := s.mcpClient(&mcp.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
		updated <- r.Params.URI
	}}, "--set", "browser.executable="+executable)
	const snapshot = "hermes://task/default/snapshot"
	if got := tool(t, c, "browser_close", map[string]any{}); got["closed"] != false {
		t.Errorf("with no browser a close gives %v", got)
	}
	if left := s.processes(); len(left) != 1 {
		t.Errorf("a close has started %q", left)
	}
	subscribe(t, c, snapshot)
	if got := tool(t, c, "browser_navigate", map[string]any{"url": site.URL}); got["restarted"] != nil {
		t.Errorf("the first start gives %v", got)
	}
	kill()
	for running := true; running; {
		<-updated
		read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: snapshot})
		if err != nil {
			t.Fatal(err)
		}
		running = strings.Contains(read.Contents[0].Text, `"running":true`)
	}
	got := tool(t, c, "browser_navigate", map[string]any{})
	if restarted, _ := got["restarted"].(map[string]any); got["url"] != site.URL+"/" || restarted["reason"] != "the browser ended by itself: signal: killed" {
		t.Errorf("after the kill it gives %v", got)
	}
	if err := c.Close(); err != nil {
		t.Errorf("the binary ended with %v", err)
	}
	if left := s.processes(); len(left) > 0 {
		t.Errorf("processes are left: %q", left)
	}
}
