package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

// fakeTools are two tools, one of which fails; calls records what reached them.
type fakeTools struct {
	list  []agent.Tool
	calls chan agent.Call
	ended chan error
}

func newFakeTools() *fakeTools {
	return &fakeTools{calls: make(chan agent.Call, 10), ended: make(chan error, 1), list: []agent.Tool{
		{
			Name: "act", Title: "Act", Description: "Acts.", Source: "browser", Destructive: true,
			Input:  json.RawMessage(`{"type":"object","properties":{"ref":{"$ref":"#/$defs/ref"}},"required":["ref"],"$defs":{"ref":{"type":"string"}}}`),
			Output: json.RawMessage(`{"type":"object","properties":{"success":{"type":"boolean"},"acted":{"type":"string"}},"required":["success"]}`),
		},
		{Name: "look", Description: "Looks.", Source: "browser", ReadOnly: true, Input: json.RawMessage(`{"type":"object"}`)},
		{Name: "wait", Description: "Waits.", Source: "browser", Input: json.RawMessage(`{"type":"object"}`)},
	}}
}

func (f *fakeTools) Tools(agent.View) []agent.Tool { return f.list }

func (f *fakeTools) Changed(func()) func() { return func() {} }

func (f *fakeTools) Call(ctx context.Context, c agent.Call) (agent.Result, error) {
	f.calls <- c
	switch c.Name {
	case "act":
		return agent.Result{Text: "acted on <b>", Structured: map[string]any{"success": true, "acted": "<b>"},
			Images: []agent.Image{{MIMEType: "image/png", Data: []byte("png")}}}, nil
	case "look":
		return agent.Result{Text: "error: nothing there", IsError: true}, nil
	case "wait":
		<-ctx.Done()
		f.ended <- ctx.Err()
		return agent.Result{IsError: true}, nil
	}
	return agent.Result{}, fmt.Errorf("%w %q; there are act, look, wait", fault.ErrUnknownTool, c.Name)
}

type noTasks struct{ tasks.Source }

func (noTasks) Running(string) *host.Task { return nil }

func serve(t *testing.T, o Options) string {
	t.Helper()
	if o.Tasks == nil {
		o.Tasks = noTasks{}
	}
	site := httptest.NewServer(NewHandler(o))
	t.Cleanup(site.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return site.URL
}

// ask sends a request and returns the status and the JSON of the answer.
func ask(t *testing.T, method, address, body string) (status int, value any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if kind := answer.Header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("%s %s answers with %s", method, address, kind)
	}
	if err := json.NewDecoder(answer.Body).Decode(&value); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, value
}

func TestAToolIsCalledForWhomTheRequestSays(t *testing.T) {
	tools := newFakeTools()
	address := serve(t, Options{Tools: tools})
	status, got := ask(t, "POST", address+"/v1/agent/tools/act/call?task=t1&client=hermes-acp&toolsets=browser-read,mine", `{"ref":"e1"}`)
	want := map[string]any{
		"text": "acted on <b>", "structured": map[string]any{"success": true, "acted": "<b>"},
		"images": []any{map[string]any{"mime_type": "image/png", "data": "cG5n"}},
	}
	if status != http.StatusOK || !reflect.DeepEqual(got, want) {
		t.Errorf("%d %v", status, got)
	}
	wantCall := agent.Call{Task: "t1", Client: "hermes-acp", Toolsets: []string{"browser-read", "mine"}, Name: "act", Arguments: json.RawMessage(`{"ref":"e1"}`)}
	if call := <-tools.calls; !reflect.DeepEqual(call, wantCall) {
		t.Errorf("the call is %+v", call)
	}
	status, got = ask(t, "POST", address+"/v1/agent/tools/look/call", "")
	if want := map[string]any{"text": "error: nothing there", "structured": map[string]any{}, "is_error": true}; status != http.StatusOK || !reflect.DeepEqual(got, want) {
		t.Errorf("a failure is %d %v", status, got)
	}
	if call := <-tools.calls; call.Task != "default" || call.Client != DefaultClient || call.Arguments != nil {
		t.Errorf("without parameters the call is %+v", call)
	}
}

func TestWhatIsWrongWithARequestIsSaid(t *testing.T) {
	address := serve(t, Options{Tools: newFakeTools(), CheckToolsets: func(names []string) error {
		if len(names) > 0 {
			return errors.New(`"nothing" is neither a toolset nor a tool`)
		}
		return nil
	}})
	for name, c := range map[string]struct {
		method, path, body string
		status             int
		code, text         string
	}{
		"an unknown tool":       {"POST", "/v1/agent/tools/fly/call", "", 404, "unknown_tool", "there are act, look, wait"},
		"an array":              {"POST", "/v1/agent/tools/act/call", "[]", 400, "bad_request", "not a JSON object"},
		"null":                  {"POST", "/v1/agent/tools/act/call", "null", 400, "bad_request", "not a JSON object"},
		"two values":            {"POST", "/v1/agent/tools/act/call", "{} {}", 400, "bad_request", "not a JSON object"},
		"too much":              {"POST", "/v1/agent/tools/act/call", `{"a":"` + strings.Repeat("a", maxBody) + `"}`, 413, "request_too_large", "4194304 bytes"},
		"an unknown toolset":    {"GET", "/v1/agent/tools?toolsets=nothing", "", 400, "bad_toolset", "neither a toolset nor a tool"},
		"an unknown event":      {"GET", "/v1/agent/events?only=news", "", 400, "bad_request", "dialog_opened"},
		"a task without events": {"GET", "/v1/agent/events?task=t1", "", 404, "unknown_task", "starts it"},
		"an unknown path":       {"GET", "/v1/agent/weather", "", 404, "unknown_path", "openapi.json"},
	} {
		t.Run(name, func(t *testing.T) {
			status, got := ask(t, c.method, address+c.path, c.body)
			e, _ := got.(map[string]any)["error"].(map[string]any)
			if message, _ := e["message"].(string); status != c.status || e["code"] != c.code || !strings.Contains(message, c.text) {
				t.Errorf("%d %v", status, got)
			}
		})
	}
}

func TestAClientThatIsGoneEndsItsCall(t *testing.T) {
	tools := newFakeTools()
	address := serve(t, Options{Tools: tools})
	ctx, cancel := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/v1/agent/tools/wait/call", nil)
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan error, 1)
	go func() {
		answer, err := http.DefaultClient.Do(request)
		if err == nil {
			_ = answer.Body.Close()
		}
		answered <- err
	}()
	<-tools.calls
	cancel()
	if err := <-tools.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ended with %v", err)
	}
	<-answered
}
