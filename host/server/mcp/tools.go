package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/spans"
)

// toolList is the list of tools that a client was last sent.
type toolList struct {
	mu    sync.Mutex
	known bool
	view  agent.View
	tools []agent.Tool
}

// list answers tools/list, on one page.
func (s *session) list(r *mcp.ListToolsRequest) (*listResult, error) {
	if r.Params != nil && r.Params.Cursor != "" {
		return nil, invalid("unknown cursor: all tools are on one page")
	}
	view := s.view(r.ClientInfo())
	tools := s.server.options.Tools.Tools(view)
	s.listed.mu.Lock()
	s.listed.known, s.listed.view, s.listed.tools = true, view, tools
	s.listed.mu.Unlock()
	return &listResult{
		ListToolsResult: &mcp.ListToolsResult{Cacheable: mcp.Cacheable{CacheScope: scopePrivate}}, Tools: agent.MCPTools(tools),
	}, nil
}

// listResult is the SDK's result with shorter tools, which replace its own in JSON.
type listResult struct {
	*mcp.ListToolsResult
	Tools []agent.MCPTool `json:"tools"`
}

// announcer is a tool that is never listed: the SDK notifies clients of a change when a tool is added.
const announcer = "tools_changed"

// announce notifies the client when its tools have changed since it listed them.
func (s *session) announce(changed <-chan struct{}) {
	for {
		select {
		case <-changed:
			if s.listsOthers() {
				s.sdk.AddTool(&mcp.Tool{Name: announcer, InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
			}
		case <-s.running.Done():
			return
		}
	}
}

// listsOthers reports whether the client's tools have changed since it listed them, once for each change.
func (s *session) listsOthers() bool {
	s.listed.mu.Lock()
	defer s.listed.mu.Unlock()
	if !s.listed.known {
		return false
	}
	now := s.server.options.Tools.Tools(s.listed.view)
	if reflect.DeepEqual(now, s.listed.tools) {
		return false
	}
	s.listed.tools = now
	return true
}

// call answers tools/call. A failure of an existing tool is a result that a model can read.
func (s *session) call(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var header http.Header
	if r.Extra != nil {
		header = r.Extra.Header
	}
	ctx, end := s.bound(spans.From(access.With(ctx, s.caller), r.Params.Meta, header), r.Extra)
	defer end()
	view := s.view(r.ClientInfo())
	call := agent.Call{
		Task: view.Task, Client: view.Client, Toolsets: view.Toolsets, Within: view.Within, Name: r.Params.Name,
		Arguments: r.Params.Arguments,
	}
	if token := r.Params.GetProgressToken(); token != nil {
		p := newProgress(func(done, total float64, note string) {
			// A client that cannot be notified cannot be answered either.
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: done, Total: total, Message: note,
			})
		})
		defer p.start()()
		call.Progress = p.step
	}
	answer, err := s.server.options.Tools.Call(ctx, call)
	if err != nil {
		return nil, invalid(err.Error())
	}
	return wireResult(answer), nil
}

// wireResult puts the text first, as that is what a model reads.
func wireResult(r agent.Result) *mcp.CallToolResult {
	out := &mcp.CallToolResult{Content: []mcp.Content{}, IsError: r.IsError}
	if r.Text != "" {
		out.Content = append(out.Content, &mcp.TextContent{Text: r.Text})
	}
	for _, image := range r.Images {
		out.Content = append(out.Content, &mcp.ImageContent{MIMEType: image.MIMEType, Data: image.Data})
	}
	if r.Structured != nil {
		out.StructuredContent = r.Structured
	}
	return out
}

// bound ends a call with the session and with its HTTP request, as its result could not be delivered without them.
func (s *session) bound(ctx context.Context, extra *mcp.RequestExtra) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stops := []func() bool{context.AfterFunc(s.running, func() { cancel(errClosed) })}
	if request := s.server.http.request(extra); request != nil {
		stops = append(stops, context.AfterFunc(request, func() { cancel(context.Cause(request)) }))
	}
	return ctx, func() {
		for _, stop := range stops {
			stop()
		}
		cancel(nil)
	}
}

func invalid(message string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}
