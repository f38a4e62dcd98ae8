//go:build unix

package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestAnAgentOverMCPWorksAPage(t *testing.T) {
	spinning := make(chan struct{}, 1)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/spin" {
			spinning <- struct{}{}
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, `<button onclick="document.title = 'saved'">Save</button><input aria-label="Name">`)
	}))
	defer site.Close()
	s := newShell(t)
	heard := make(chan *mcp.ProgressNotificationParams, 100)
	c := s.mcpClient(&mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		heard <- r.Params
	}}, "--toolsets", "all")

	if got := tool(t, c, "browser_navigate", map[string]any{"url": site.URL}); !strings.Contains(fmt.Sprint(got["snapshot"]), `button "Save"`) {
		t.Fatalf("the page is %v", got)
	}
	list := []map[string]any{
		{"action": "fill", "selector": "input", "text": "Ada"}, {"action": "click", "selector": "button"}, {"action": "screenshot"},
	}
	acted, err := c.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "browser_interact", Arguments: map[string]any{"actions": list}, Meta: mcp.Meta{"progressToken": "list"},
	})
	if err != nil || acted.IsError {
		t.Fatalf("the list gives %+v, %v", acted, err)
	}
	for last := 0.0; last < 3; {
		p := <-heard
		if p.Progress <= last || p.ProgressToken != "list" {
			t.Fatalf("after %v came %+v", last, p)
		}
		last = p.Progress
	}
	if got := tool(t, c, "browser_evaluate", map[string]any{"expression": "document.title + document.querySelector('input').value"}); got["result"] != "savedAda" {
		t.Errorf("the page became %v", got)
	}
	shot, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_screenshot"})
	if err != nil || shot.IsError {
		t.Fatalf("the picture is %+v, %v", shot, err)
	}
	if image, ok := shot.Content[len(shot.Content)-1].(*mcp.ImageContent); !ok || !strings.HasPrefix(image.MIMEType, "image/") || len(image.Data) == 0 {
		t.Errorf("the picture is %+v", shot.Content)
	}

	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "browser_evaluate", Arguments: map[string]any{
			"expression": "navigator.sendBeacon('/spin'); while (true) {}", "timeout_ms": 60000,
		}})
		answered <- err
	}()
	<-spinning
	cancel()
	if err := <-answered; err == nil {
		t.Error("a call that was cancelled has an answer")
	}
	if got := tool(t, c, "browser_evaluate", map[string]any{"expression": "document.title"}); got["result"] != "saved" {
		t.Errorf("after the end of a script that spins: %v", got)
	}
}

// What is closed by default is so on the way that agents take.
func TestAnAgentOverMCPReachesNoFileOfThisMachine(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, `<input type=file>`)
	}))
	defer site.Close()
	c := newShell(t).mcpClient(nil, "--toolsets", "all")
	tool(t, c, "browser_navigate", map[string]any{"url": site.URL})
	for _, call := range []struct {
		name      string
		arguments map[string]any
	}{
		{"browser_navigate", map[string]any{"url": "file:///etc/passwd"}},
		{"browser_navigate", map[string]any{"url": " fi\tle:///etc/passwd"}},
		{"browser_navigate", map[string]any{"url": "chrome://quit"}},
		{"browser_navigate", map[string]any{"url": "view-source:file:///etc/passwd"}},
		{"browser_tabs", map[string]any{"action": "open", "url": "FILE:///etc/passwd"}},
		{"browser_interact", map[string]any{"url": "file:///etc/passwd", "actions": []any{map[string]any{"action": "extract_text"}}}},
		{"browser_cdp", map[string]any{"method": "Page.navigate", "params": map[string]any{"url": "file:///etc/passwd"}}},
		{"browser_cdp", map[string]any{"method": "Target.createTarget", "params": map[string]any{"url": "chrome://quit"}}},
		{"browser_cdp", map[string]any{"method": "DOM.setFileInputFiles", "params": map[string]any{"files": []any{"/etc/passwd"}, "backendNodeId": 1}}},
		{"browser_cdp", map[string]any{"method": "Page.setDownloadBehavior", "params": map[string]any{"behavior": "allow", "downloadPath": "/etc"}}},
		{"browser_upload", map[string]any{"selector": "input", "paths": []any{"/etc/passwd"}}},
	} {
		got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: call.name, Arguments: call.arguments})
		if err != nil || !got.IsError || !strings.Contains(fmt.Sprint(got.StructuredContent, got.Content[0].(*mcp.TextContent).Text), "browser.") {
			t.Errorf("%s %v: got %+v, %v, want it refused, and the key named", call.name, call.arguments, got, err)
		}
	}
	if got := tool(t, c, "browser_evaluate", map[string]any{"expression": "location.href"}); got["result"] != site.URL+"/" {
		t.Errorf("the tab is at %v", got)
	}
}
