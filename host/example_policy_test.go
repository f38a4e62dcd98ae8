package host_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
)

// A policy in Go decides on dialogs and navigations beside the modules of plugins, which are asked about what it
// leaves.
func ExamplePolicy() {
	ctx := context.Background()
	policy := host.Policy{
		Name: "house-rules", Priority: 10, Timeout: time.Minute,
		Dialog: func(_ context.Context, e *abi.DialogEvent) (*abi.DialogVerdict, error) {
			if strings.HasPrefix(e.Message, "Stay signed in") {
				return &abi.DialogVerdict{Action: abi.DialogActionAccept, Rule: "stay signed in"}, nil
			}
			return nil, nil
		},
		Navigate: func(_ context.Context, e *abi.NavigateEvent) (*abi.NavigateVerdict, error) {
			if strings.Contains(e.URL, "/admin") {
				return &abi.NavigateVerdict{Action: abi.NavigateActionDeny, Reason: "not for agents"}, nil
			}
			return nil, nil
		},
	}
	h, err := host.New(ctx, &host.Options{Policies: []host.Policy{policy}})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = h.Close(ctx) }()
	site := serve("a shop")
	defer site.Close()
	task, err := h.Launch(ctx, "example", nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	got, err := task.Tab("").Evaluate(ctx, `confirm("Stay signed in?")`, nil)
	fmt.Println(string(got.Value), err)
	_, err = task.Tab("").Navigate(ctx, site.URL+"/admin", nil)
	var denied *host.NavigationDeniedError
	fmt.Println(errors.As(err, &denied))
	for _, call := range h.Journal(host.JournalFilter{Plugin: "house-rules"}) {
		fmt.Println(call.Hook, call.Outcome)
	}
	// Output:
	// true <nil>
	// true
	// hermes_on_dialog decided
	// hermes_on_navigate decided
}
