package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// A program's own tool is among the agents' tools if a toolset names its source, as with a tool of a plugin, and
// modules and policies decide on its calls.
func ExampleRegistry_Register() {
	ctx := context.Background()
	limit := host.Policy{
		Name: "limit", Timeout: time.Minute,
		BeforeTool: func(_ context.Context, e *abi.ToolUseEvent) (*abi.ToolVerdict, error) {
			for _, f := range e.Arguments {
				if f.Key == "amount" && f.Value.Number > 100 {
					return &abi.ToolVerdict{Action: abi.ToolActionDeny, Reason: "more than agents may spend"}, nil
				}
			}
			return nil, nil
		},
	}
	h, err := host.New(ctx, &host.Options{Policies: []host.Policy{limit}})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = h.Close(ctx) }()
	r, err := agent.New(h, agent.Options{Toolsets: agent.Toolsets{Use: []string{"shop"}}, Sources: []string{"shop"}})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	order := agent.Custom{
		Tool: agent.Tool{
			Name: "shop_order", Description: "Orders something for an amount.",
			Input: json.RawMessage(`{"type": "object", "properties": {"amount": {"type": "number"}}, "required": ["amount"]}`),
		},
		NoBrowser: true, // so none is started for it
		Run: func(context.Context, *agent.Browser, json.RawMessage) (agent.Result, error) {
			return agent.Result{Text: "ordered"}, nil
		},
	}
	if err := r.Register("shop", order); err != nil {
		log.Fatal(err)
	}
	for _, tool := range r.Tools(agent.View{}) {
		fmt.Println(tool.Name, tool.Source)
	}
	for _, arguments := range []string{`{"amount": 50}`, `{"amount": 500}`} {
		result, err := r.Call(ctx, agent.Call{Task: "example", Name: "shop_order", Arguments: json.RawMessage(arguments)})
		fmt.Println(strings.Contains(result.Text, "ordered"), strings.Contains(result.Text, "more than agents may spend"), err)
	}
	_, err = r.Call(ctx, agent.Call{Task: "example", Name: "shop_order", Toolsets: []string{"browser-read"}})
	fmt.Println("with other toolsets unknown:", errors.Is(err, fault.ErrUnknownTool))
	// Output:
	// shop_order shop
	// true false <nil>
	// false true <nil>
	// with other toolsets unknown: true
}
