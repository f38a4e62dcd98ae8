package host_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// patient gives modules enough time on a machine that is busy with tests.
var patient = module.Limits{HookTimeout: time.Minute, InitTimeout: time.Minute}

// pluginHost returns a host for examples without a browser.
func pluginHost(ctx context.Context) *host.Host {
	h, err := host.New(ctx, &host.Options{Plugins: map[string]host.PluginOptions{"dialog-policy": {Limits: patient}}})
	if err != nil {
		log.Fatal(err)
	}
	return h
}

// accepting is a module that accepts every dialog. For a file, use host.PluginSource{Path: "policy.wasm"}.
func accepting() host.PluginSource { return host.PluginSource{Wasm: contrary.Dialog()} }

// The modules that ship with the host, and the hooks that they serve.
func ExampleHost_Plugins() {
	ctx := context.Background()
	h := pluginHost(ctx)
	defer func() { _ = h.Close(ctx) }()
	for _, p := range h.Plugins() {
		fmt.Println(p.Name, p.Source, p.Hooks)
	}
	// Output:
	// bridge-script shipped [hermes_bridge_script hermes_bridge_request hermes_bridge_reply]
	// dialog-policy shipped [hermes_on_dialog]
	// frame-filter shipped [hermes_filter_frames]
}

// Another module comes into service while the host runs. The previous one finishes the calls that it has begun.
func ExampleHost_SwapPlugin() {
	ctx := context.Background()
	h := pluginHost(ctx)
	defer func() { _ = h.Close(ctx) }()
	g, err := h.SwapPlugin(ctx, "dialog-policy", host.PluginChange{PluginSource: accepting(), Reason: "accept everything"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.Number, g.State, g.Source)
	// Output:
	// 2 serving bytes
}

// A module that is refused never serves, and the one in service goes on.
func ExampleHost_SwapPlugin_refused() {
	ctx := context.Background()
	h := pluginHost(ctx)
	defer func() { _ = h.Close(ctx) }()
	_, err := h.SwapPlugin(ctx, "dialog-policy", host.PluginChange{PluginSource: host.PluginSource{Wasm: []byte("no module")}})
	var refused *module.LoadError
	if errors.As(err, &refused) {
		fmt.Println("refused at the step", refused.Step)
	}
	fmt.Println("in service:", h.Plugins()[1].Source)
	// Output:
	// refused at the step parse
	// in service: shipped
}

// A rollback returns to the module that served before.
func ExampleHost_RollbackPlugin() {
	ctx := context.Background()
	h := pluginHost(ctx)
	defer func() { _ = h.Close(ctx) }()
	if _, err := h.SwapPlugin(ctx, "dialog-policy", host.PluginChange{PluginSource: accepting()}); err != nil {
		log.Fatal(err)
	}
	g, err := h.RollbackPlugin(ctx, "dialog-policy", "it accepts too much")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.Number, g.State, g.Source, g.Trigger)
	// Output:
	// 3 serving shipped rollback
}

// A candidate is asked the same questions as the module in service, and decides nothing until it is promoted.
func ExampleHost_ShadowPlugin() {
	ctx := context.Background()
	h := pluginHost(ctx)
	defer func() { _ = h.Close(ctx) }()
	shadow, err := h.ShadowPlugin(ctx, "dialog-policy", host.PluginChange{PluginSource: accepting()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(shadow.Generation.Number, shadow.Generation.State)
	promoted, err := h.PromotePlugin(ctx, "dialog-policy", "it agreed for a day")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(promoted.Number, promoted.State)
	// Output:
	// 2 candidate
	// 2 serving
}

// The history says which modules served, and what put them into service.
func ExampleHost_PluginHistory() {
	ctx := context.Background()
	h := pluginHost(ctx)
	defer func() { _ = h.Close(ctx) }()
	if _, err := h.SwapPlugin(ctx, "dialog-policy", host.PluginChange{PluginSource: accepting(), Reason: "a trial"}); err != nil {
		log.Fatal(err)
	}
	history, err := h.PluginHistory("dialog-policy")
	if err != nil {
		log.Fatal(err)
	}
	for _, g := range history {
		fmt.Println(g.Number, g.Trigger, g.Reason)
	}
	// Output:
	// 2 api a trial
	// 1 start
}

// A plugin of your own beside the shipped ones: it is asked first, and a module that abstains leaves the decision to
// the next.
func ExampleHost_AddPlugin() {
	ctx := context.Background()
	h := pluginHost(ctx)
	defer func() { _ = h.Close(ctx) }()
	mine := host.PluginOptions{PluginSource: accepting(), Hooks: []abi.Hook{abi.HookDialog}, Priority: 10, Limits: patient}
	if _, err := h.AddPlugin(ctx, "mine", mine); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(h.Plugins()), "plugins")
	if err := h.RemovePlugin(ctx, "mine"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(h.Plugins()), "plugins")
	// Output:
	// 4 plugins
	// 3 plugins
}

// A new configuration for the same module.
func ExampleHost_ConfigurePlugin() {
	ctx := context.Background()
	h := pluginHost(ctx)
	defer func() { _ = h.Close(ctx) }()
	o := host.PluginOptions{Config: map[string]any{"policy": "auto_dismiss"}, Limits: patient}
	g, err := h.ConfigurePlugin(ctx, "dialog-policy", o, "api")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.Number, g.State, g.Source)
	// Output:
	// 2 serving shipped
}

// A dialog policy that no plugin knows is refused before any task can use it.
func ExampleHost_UseDialogPolicy() {
	ctx := context.Background()
	h := pluginHost(ctx)
	defer func() { _ = h.Close(ctx) }()
	fmt.Println(h.UseDialogPolicy("auto_dismiss"))
	fmt.Println(errors.Is(h.UseDialogPolicy("auto_dismis"), host.ErrDialogPolicy))
	// Output:
	// <nil>
	// true
}
