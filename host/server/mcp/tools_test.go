package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

func done(context.Context, agent.Call) agent.Result {
	return agent.Result{Text: "done", Structured: map[string]any{"success": true}}
}

func TestToolsAreListedAsTheClientMaySeeThem(t *testing.T) {
	tools := newFakeTools(done)
	each(t, tools, newFakeTasks(), SessionOptions{Task: "shared", Toolsets: []string{"browser-read"}}, nil, func(t *testing.T, c *mcp.ClientSession) {
		list, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var annotations []string
		for _, tool := range list.Tools {
			text, err := json.Marshal(tool.Annotations)
			if err != nil {
				t.Fatal(err)
			}
			annotations = append(annotations, tool.Name+" "+string(text))
		}
		want := []string{
			`act null`,
			`look {"idempotentHint":false,"openWorldHint":false,"readOnlyHint":true}`,
			`scroll {"destructiveHint":false,"idempotentHint":false,"openWorldHint":false,"readOnlyHint":false}`,
		}
		if !reflect.DeepEqual(annotations, want) {
			t.Errorf("the tools are %q", annotations)
		}
		if act := list.Tools[0]; act.Title != "Act" || act.OutputSchema == nil || list.Tools[1].OutputSchema != nil {
			t.Errorf("the first tool is %+v", act)
		}
		if view, want := tools.lastView(), (agent.View{Task: "shared", Client: "hermes-test", Toolsets: []string{"browser-read"}}); !reflect.DeepEqual(view, want) {
			t.Errorf("they were listed for %+v", view)
		}
		if _, err := c.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: "more"}); code(err) != jsonrpc.CodeInvalidParams {
			t.Errorf("with a cursor: %v", err)
		}
	})
}

func TestAResultIsTextFirstThenImagesAndTheObject(t *testing.T) {
	tools := newFakeTools(func(_ context.Context, c agent.Call) agent.Result {
		if c.Name == "scroll" {
			return agent.Result{Text: "error: nothing to scroll", Structured: map[string]any{"success": false}, IsError: true}
		}
		return agent.Result{
			Text: "looked at " + string(c.Arguments), Structured: map[string]any{"success": true, "task": c.Task, "client": c.Client},
			Images: []agent.Image{{MIMEType: "image/png", Data: []byte("png")}},
		}
	})
	each(t, tools, newFakeTasks(), SessionOptions{Task: "shared"}, nil, func(t *testing.T, c *mcp.ClientSession) {
		got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "look", Arguments: map[string]any{"at": "<b>"}})
		if err != nil {
			t.Fatal(err)
		}
		text, first := got.Content[0].(*mcp.TextContent)
		if !first || !strings.HasPrefix(text.Text, "looked at ") || got.IsError {
			t.Errorf("the first content is %+v", got.Content[0])
		}
		if image, second := got.Content[1].(*mcp.ImageContent); !second || image.MIMEType != "image/png" || string(image.Data) != "png" {
			t.Errorf("the second content is %+v", got.Content[1])
		}
		if want := map[string]any{"success": true, "task": "shared", "client": "hermes-test"}; !reflect.DeepEqual(got.StructuredContent, want) {
			t.Errorf("the object is %v", got.StructuredContent)
		}
		failed, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "scroll"})
		if err != nil || !failed.IsError || len(failed.Content) != 1 {
			t.Errorf("a failure is %+v, %v", failed, err)
		}
		if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: announcer}); code(err) != jsonrpc.CodeInvalidParams {
			t.Errorf("an unknown tool: %v", err)
		}
	})
}

func TestAChangeOfTheToolsIsAnnouncedOnceAndOnlyWhereItShows(t *testing.T) {
	changed := make(chan struct{}, 10)
	o := &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} }}
	tools := newFakeTools(done)
	all := tools.list
	each(t, tools, newFakeTasks(), SessionOptions{}, o, func(t *testing.T, c *mcp.ClientSession) {
		tools.become(all)
		if _, err := c.ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		tools.become(all) // unchanged
		tools.become(all[:2])
		<-changed
		list, err := c.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != 2 {
			t.Fatalf("after the change: %v, %v", list, err)
		}
		if len(changed) > 0 {
			t.Error("it was announced more than once")
		}
	})
}

func TestAClientThatCancelsEndsItsCall(t *testing.T) {
	began, ended := make(chan struct{}), make(chan error)
	tools := newFakeTools(func(ctx context.Context, _ agent.Call) agent.Result {
		began <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
		return agent.Result{IsError: true}
	})
	each(t, tools, newFakeTasks(), SessionOptions{}, nil, func(t *testing.T, c *mcp.ClientSession) {
		ctx, cancel := context.WithCancel(t.Context())
		answered := make(chan error, 1)
		go func() {
			_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "act"})
			answered <- err
		}()
		<-began
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the call ended with %v", err)
		}
		if err := <-answered; !errors.Is(err, context.Canceled) {
			t.Errorf("the client got %v", err)
		}
	})
}

func TestAServerThatClosesEndsTheCallsOfItsClients(t *testing.T) {
	began := make(chan struct{})
	tools := newFakeTools(func(ctx context.Context, _ agent.Call) agent.Result {
		began <- struct{}{}
		<-ctx.Done()
		return agent.Result{Text: context.Cause(ctx).Error(), IsError: true}
	})
	for _, way := range ways() {
		t.Run(way.name, func(t *testing.T) {
			tasks := newFakeTasks()
			s := New(Options{Tools: tools, Tasks: tasks})
			client := mcp.NewClient(&mcp.Implementation{Name: "hermes-test", Version: "1"}, nil)
			session, err := client.Connect(t.Context(), way.connect(t, s, SessionOptions{}), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = session.Close() }()
			answered := make(chan struct{})
			go func() {
				defer close(answered)
				_, _ = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "act"})
			}()
			<-began
			s.Close()
			<-answered
			if task := <-tasks.ended; !strings.HasPrefix(task, "mcp-") {
				t.Errorf("the task %s was ended", task)
			}
			if _, err := session.ListTools(t.Context(), nil); err == nil {
				t.Error("a closed server answers")
			}
		})
	}
}

// code returns the code of a protocol error, or 0.
func code(err error) int64 {
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		return wire.Code
	}
	return 0
}
