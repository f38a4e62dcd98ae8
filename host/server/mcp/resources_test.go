package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

func TestAClientReadsItsTaskAndHearsOfItsChanges(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	h, err := host.New(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	started := tasks.New(h, func(ctx context.Context, id string) error {
		_, err := h.Launch(ctx, id, &host.LaunchOptions{Executable: hosttest.Executable(t)}, &host.TaskOptions{DialogPolicy: "must_respond"})
		return err
	})
	updated := make(chan string, 1000)
	o := &mcp.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI }}
	tools := newFakeTools(func(ctx context.Context, c agent.Call) agent.Result {
		task, err := started.Start(ctx, c.Task)
		if err != nil {
			return agent.Result{Text: err.Error(), IsError: true}
		}
		_, _ = task.Tab("").Evaluate(ctx, `alert("stop\u202e")`, nil) // blocked by the alert
		return agent.Result{Text: "asked"}
	})
	each(t, tools, started, SessionOptions{}, o, func(t *testing.T, c *mcp.ClientSession) {
		list, err := c.ListResources(ctx, nil)
		if err != nil || len(list.Resources) != 3 {
			t.Fatalf("the resources are %+v, %v", list, err)
		}
		uris := map[string]string{}
		for _, r := range list.Resources {
			uris[r.Name] = r.URI
		}
		read := func(name string) (value map[string]any) {
			t.Helper()
			got, err := c.ReadResource(ctx, &mcp.ReadResourceParams{URI: uris[name]})
			if err != nil || got.Contents[0].MIMEType != mimeJSON {
				t.Fatalf("%s: %+v, %v", name, got, err)
			}
			if err := json.Unmarshal([]byte(got.Contents[0].Text), &value); err != nil {
				t.Fatal(err)
			}
			return value
		}
		if got := read("snapshot"); got["running"] != false || got["snapshot"] != nil {
			t.Errorf("before the first call the snapshot is %v", got)
		}
		if err := c.Subscribe(ctx, &mcp.SubscribeParams{URI: uris["dialogs"]}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "act"}); err != nil {
			t.Fatal(err)
		}
		// The start of the task is also a change.
		for dialogs := []any{}; len(dialogs) == 0; {
			select {
			case uri := <-updated:
				if !strings.HasSuffix(uri, "/dialogs") { // the last client may have left some of its own
					t.Fatalf("an update of %s, which was not asked for", uri)
				}
				if got, _ := read("dialogs")["dialogs"].(map[string]any); got != nil {
					dialogs = got["pending_dialogs"].([]any)
				}
			case <-ctx.Done():
				t.Fatal("no update came")
			}
		}
		dialogs := read("dialogs")["dialogs"].(map[string]any)["pending_dialogs"].([]any)
		if message := dialogs[0].(map[string]any)["message"]; message != `stop\u202e` {
			t.Errorf("the dialog says %q", message)
		}
		if got := read("frames"); got["running"] != true || len(got["frames"].([]any)) != 1 || !slices.Contains(got["untrusted"].([]any), any("url")) {
			t.Errorf("the frames are %v", got)
		}
		_, err = c.ReadResource(ctx, &mcp.ReadResourceParams{URI: "hermes://task/another/dialogs"})
		if code(err) != jsonrpc.CodeInvalidParams {
			t.Errorf("another's task: %v", err)
		}
	})
}
