package host_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// A program offers a function to plugins, and grants it to one of them: its module decides on dialogs by the answers.
// A module that imports a function without the grant is refused, by name.
func ExamplePluginFunction() {
	ctx := context.Background()
	orders := host.PluginFunction{
		Name: "lookup", Version: 1, Timeout: time.Minute,
		Call: func(_ context.Context, c host.PluginFunctionCall) ([]byte, error) {
			if string(c.Request) == "Name of the customer?" {
				return []byte("Grace"), nil
			}
			return nil, &host.PluginFunctionError{Code: abi.CodeNotFound}
		},
	}
	asking := host.PluginOptions{
		PluginSource: host.PluginSource{Wasm: contrary.Embedder()}, // or Path: "policy.wasm"
		Hooks:        []abi.Hook{abi.HookDialog},
		Priority:     1,
		Limits:       patient,
	}
	_, err := host.New(ctx, &host.Options{
		Functions: []host.PluginFunction{orders},
		Plugins:   map[string]host.PluginOptions{"customers": asking},
	})
	fmt.Println("refused without the grant:", err != nil)

	asking.Functions = []string{"lookup_v1"}
	h, err := host.New(ctx, &host.Options{
		Functions: []host.PluginFunction{orders},
		Plugins:   map[string]host.PluginOptions{"customers": asking},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = h.Close(ctx) }()
	task, err := h.Launch(ctx, "example", nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	got, err := task.Tab("").Evaluate(ctx, `prompt("Name of the customer?")`, nil)
	fmt.Println(string(got.Value), err)
	// Output:
	// refused without the grant: true
	// "Grace" <nil>
}
