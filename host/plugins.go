package host

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

// loadedPlugin is a module in service.
type loadedPlugin struct {
	name   string
	slot   *plugin.Slot
	limits plugin.Limits
}

// pluginSet has the modules of a host by the hook that they serve.
type pluginSet struct {
	all    []*loadedPlugin
	byHook map[abi.Hook][]*loadedPlugin
}

func (s *pluginSet) serving(hook abi.Hook) []*loadedPlugin { return s.byHook[hook] }

// loadPlugins loads the configured and the shipped modules. Configured ones that are not shipped come first, so that they
// can decide before the shipped defaults.
func loadPlugins(ctx context.Context, o Options) (*pluginSet, error) {
	set := &pluginSet{byHook: map[abi.Hook][]*loadedPlugin{}}
	for _, name := range pluginOrder(o.Plugins) {
		p, hooks, err := loadPlugin(ctx, name, o)
		if err != nil {
			return nil, errors.Join(err, set.close())
		}
		set.all = append(set.all, p)
		for _, hook := range hooks {
			set.byHook[hook] = append(set.byHook[hook], p)
		}
	}
	return set, nil
}

func pluginOrder(configured map[string]PluginOptions) []string {
	shipped := plugins.Names()
	var order []string
	for _, name := range slices.Sorted(maps.Keys(configured)) {
		if !slices.Contains(shipped, name) {
			order = append(order, name)
		}
	}
	return append(order, shipped...)
}

func loadPlugin(ctx context.Context, name string, o Options) (*loadedPlugin, []abi.Hook, error) {
	options := o.Plugins[name]
	source := plugin.Source{Name: name, Path: options.Path, SHA256: options.SHA256, Limits: plugin.Limits(options.Limits).WithDefaults()}
	if options.Path == "" {
		wasm, ok := plugins.Module(name)
		if !ok {
			return nil, nil, fmt.Errorf("plugin %q: no module of this name is shipped (shipped: %v); set its path", name, plugins.Names())
		}
		source.Bytes = wasm
	}
	config, err := abijson.FromMap(options.Config)
	if err != nil {
		return nil, nil, fmt.Errorf("plugin %q: configuration: %w", name, err)
	}
	source.Config = config.Append(nil)
	module, err := plugin.Load(ctx, source, plugin.Options{Logger: o.Logger, CacheDir: o.PluginCacheDir})
	if err != nil {
		return nil, nil, err
	}
	return &loadedPlugin{name: name, slot: plugin.NewSlot(module), limits: source.Limits}, module.Info().Hooks, nil
}

func (s *pluginSet) close() error {
	var errs []error
	for _, p := range s.all {
		errs = append(errs, p.slot.Close())
	}
	return errors.Join(errs...)
}

// deadline is how long the modules of a hook may take together.
func (s *pluginSet) deadline(hook abi.Hook) time.Duration {
	var total time.Duration
	for _, p := range s.serving(hook) {
		total += p.limits.HookTimeout
	}
	return total
}

// PluginInfo describes a module in service.
type PluginInfo struct {
	Name       string   `json:"name"`
	SHA256     string   `json:"sha256"`
	ConfigHash string   `json:"config_hash"`
	Hooks      []string `json:"hooks"`
	// Calls and Faults count since the host began.
	Calls  uint64 `json:"calls"`
	Faults uint64 `json:"faults"`
}
