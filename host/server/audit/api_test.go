package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// plugged is an API on which every change of a plugin succeeds.
type plugged struct{ control.API }

func (plugged) SwapPlugin(context.Context, string, host.PluginChange) (host.PluginGeneration, error) {
	return host.PluginGeneration{Number: 2}, nil
}

func (plugged) ShadowPlugin(context.Context, string, host.PluginChange) (host.PluginShadow, error) {
	return host.PluginShadow{Generation: host.PluginGeneration{Number: 3}}, nil
}

func (plugged) InstallPlugin(context.Context, string, host.PluginAddition) (host.PluginGeneration, error) {
	return host.PluginGeneration{Number: 1}, nil
}

func (plugged) WithdrawPlugin(context.Context, string, host.PluginRemoval) (host.WithdrawnPlugin, error) {
	return host.WithdrawnPlugin{Hooks: []string{"navigate"}}, nil
}

func (plugged) ReconfigurePlugin(context.Context, string, host.PluginChange) (host.PluginGeneration, error) {
	return host.PluginGeneration{Number: 4}, nil
}

func (plugged) SetPluginEntry(_ context.Context, _, task, key string, value []byte, _ time.Duration) (host.PluginEntry, error) {
	return host.PluginEntry{Key: key, Bytes: len(key) + len(value), Value: value}, nil
}

func (plugged) DeletePluginEntry(_ context.Context, _, task, key string) (host.PluginEntry, error) {
	return host.PluginEntry{Key: key, Value: []byte("hunter2")}, nil
}

// An entry says what a plugin may do now and what was given up for it, and no configuration and no stored value.
func TestChangesOfPluginsAreRecordedWithoutSecrets(t *testing.T) {
	l := open(t, Options{Dir: filepath.Join(t.TempDir(), "audit"), FileBytes: 1 << 20, TotalBytes: 1 << 20})
	api, ctx := API(plugged{}, l), t.Context()
	config := map[string]any{"password": "hunter2"}
	at := host.PluginSource{URL: "https://ann:hunter2@host.example/p.wasm?key=hunter2"}
	change := host.PluginChange{
		PluginSource: at, Config: config, Reason: "better", Tasks: []string{"a"}, ServePercent: 5, PromoteAfter: 100,
		DropOn: []string{"fault"}, DropHooks: []string{"console"}, DropTools: []string{"greet"},
	}
	calls := []struct {
		action string
		call   func() error
		want   map[string]any // as JSON has them
	}{
		{"plugin.swap", func() error { _, err := api.SwapPlugin(ctx, "p", change); return err }, map[string]any{"drop_tools": []any{"greet"}, "drop_hooks": []any{"console"}}},
		{"plugin.shadow", func() error { _, err := api.ShadowPlugin(ctx, "p", change); return err },
			map[string]any{"serve_percent": 5.0, "promote_after": 100.0, "drop_on": []any{"fault"}, "tasks": []any{"a"}, "generation": 3.0}},
		{"plugin.add", func() error {
			_, err := api.InstallPlugin(ctx, "p", host.PluginAddition{PluginSource: at, Config: config, Hooks: []string{"navigate"}, Capabilities: []string{"kv"}, Priority: 7})
			return err
		}, map[string]any{"hooks": []any{"navigate"}, "capabilities": []any{"kv"}, "priority": 7.0, "configured": true, "generation": 1.0}},
		{"plugin.remove", func() error {
			_, err := api.WithdrawPlugin(ctx, "p", host.PluginRemoval{Reason: "too slow", DropHooks: []string{"navigate"}, DropTools: []string{"greet"}})
			return err
		}, map[string]any{"reason": "too slow", "drop_hooks": []any{"navigate"}, "drop_tools": []any{"greet"}, "hooks": []any{"navigate"}}},
		{"plugin.configure", func() error {
			_, err := api.ReconfigurePlugin(ctx, "p", host.PluginChange{Config: config, DropTools: []string{"greet"}})
			return err
		}, map[string]any{"configured": true, "drop_tools": []any{"greet"}, "generation": 4.0}},
		{"plugin.kv_set", func() error {
			_, err := api.SetPluginEntry(ctx, "p", "shop", "limit", []byte("hunter2"), time.Minute)
			return err
		},
			map[string]any{"key": "limit", "value_bytes": 7.0}},
		{"plugin.kv_delete", func() error { _, err := api.DeletePluginEntry(ctx, "p", "shop", "limit"); return err }, map[string]any{"key": "limit"}},
	}
	for _, c := range calls {
		if err := c.call(); err != nil {
			t.Fatalf("%s: %v", c.action, err)
		}
	}
	list := read(t, l, Filter{})
	if len(list) != len(calls) {
		t.Fatalf("%d changes have %d entries", len(calls), len(list))
	}
	for i, c := range calls {
		e := list[i]
		if e.Action != c.action || e.Plugin != "p" || e.Outcome != Done || (e.Task == "shop") != strings.HasPrefix(c.action, "plugin.kv_") {
			t.Errorf("%s is recorded as %+v", c.action, e)
		}
		for key, want := range c.want {
			if fmt.Sprint(e.Details[key]) != fmt.Sprint(want) {
				t.Errorf("%s: %s is %v, want %v", c.action, key, e.Details[key], want)
			}
		}
		if !slices.ContainsFunc(Actions, func(a struct{ Name, Is string }) bool { return a.Name == e.Action }) {
			t.Errorf("%s is no documented action", e.Action)
		}
		if text, err := json.Marshal(e); err != nil || strings.Contains(string(text), "hunter2") {
			t.Errorf("a secret is recorded: %s, %v", text, err)
		}
	}
}
