package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

// maxList limits the answer to tools/list, in bytes: a model reads all of it before it does anything.
const maxList = 10_000

func TestTheListOfTheDefaultToolsIsCheapOnTheWire(t *testing.T) {
	h, err := host.New(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(context.Background()) }()
	registry, err := agent.New(h, agent.Options{Open: func(context.Context, string) (*host.Task, error) {
		return nil, errors.New("not in this test")
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer registry.Close()
	session, err := New(Options{Tools: registry, Tasks: newFakeTasks()}).newSession(SessionOptions{caller: access.AsOperator()})
	if err != nil {
		t.Fatal(err)
	}
	list, err := session.list(&mcp.ListToolsRequest{Params: &mcp.ListToolsParams{}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) == 0 || len(text) > maxList {
		t.Errorf("%d tools have %d bytes, at most %d are allowed", len(list.Tools), len(text), maxList)
	}
	t.Logf("%d tools, %d bytes", len(list.Tools), len(text))
}
