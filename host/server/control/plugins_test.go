package control

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

var generation = host.PluginGeneration{
	Number: 3, State: "serving", SHA256: "ab", ConfigHash: "cd", Version: "1.2.3", Source: "/x.wasm", Trigger: "command", Reason: "why",
	Since: time.UnixMicro(1_700_000_000_123_456).UTC(), Calls: 7, Faults: 1, Replayed: 5, Differences: 2,
}

var shadow = host.PluginShadow{
	Generation: generation, Tasks: []string{"t"}, Compared: 9, Differing: 1, Skipped: 4,
	Differences: []host.PluginDifference{{Sequence: 8, Hook: "hermes_on_dialog", Serving: `{"action":"hold"}`, Candidate: "fault"}},
}

func (r *recorder) SwapPlugin(_ context.Context, name string, c host.PluginChange) (host.PluginGeneration, error) {
	r.note("swap", name, c)
	return generation, r.err
}

var withdrawn = host.WithdrawnPlugin{Name: "p", Since: time.UnixMicro(1_700_000_000_123_456).UTC(), Trigger: "command", Reason: "why", Hooks: []string{"h"}}

func (r *recorder) InstallPlugin(_ context.Context, name string, a host.PluginAddition) (host.PluginGeneration, error) {
	r.note("install", name, a)
	return generation, r.err
}

func (r *recorder) WithdrawPlugin(_ context.Context, name string, q host.PluginRemoval) (host.WithdrawnPlugin, error) {
	r.note("withdraw", name, q)
	return withdrawn, r.err
}

func (r *recorder) ReconfigurePlugin(_ context.Context, name string, c host.PluginChange) (host.PluginGeneration, error) {
	r.note("reconfigure", name, c)
	return generation, r.err
}

func (r *recorder) RollbackPlugin(_ context.Context, name, reason string, dropHooks ...string) (host.PluginGeneration, error) {
	r.note("rollback", name, reason)
	return generation, r.err
}

func (r *recorder) PluginHistory(_ context.Context, name string) ([]host.PluginGeneration, error) {
	r.note("history", name)
	return []host.PluginGeneration{generation}, r.err
}

func (r *recorder) ShadowPlugin(_ context.Context, name string, c host.PluginChange) (host.PluginShadow, error) {
	r.note("shadow", name, c)
	return shadow, r.err
}

func (r *recorder) PluginShadow(_ context.Context, name string) (host.PluginShadow, error) {
	r.note("show shadow", name)
	return shadow, r.err
}

func (r *recorder) PromotePlugin(_ context.Context, name, reason string) (host.PluginGeneration, error) {
	r.note("promote", name, reason)
	return generation, r.err
}

func (r *recorder) DropPlugin(_ context.Context, name string) (host.PluginGeneration, error) {
	r.note("drop", name)
	return generation, r.err
}

var stored = host.PluginEntry{Key: "k", Bytes: 3, Value: []byte{0, 255}}

func (r *recorder) PluginEntries(_ context.Context, name, task string) (PluginEntries, error) {
	r.note("entries", name, task)
	return PluginEntries{Task: "t", Entries: []host.PluginEntry{stored}}, r.err
}

func (r *recorder) PluginEntry(_ context.Context, name, task, key string) (host.PluginEntry, error) {
	r.note("entry", name, task, key)
	return stored, r.err
}

func (r *recorder) SetPluginEntry(_ context.Context, name, task, key string, value []byte, ttl time.Duration) (host.PluginEntry, error) {
	r.note("set entry", name, task, key, value, ttl)
	return stored, r.err
}

func (r *recorder) DeletePluginEntry(_ context.Context, name, task, key string) (host.PluginEntry, error) {
	r.note("delete entry", name, task, key)
	return stored, r.err
}

func (r *recorder) PluginLog(_ context.Context, name string, after uint64, wait bool) ([]host.PluginLine, error) {
	r.note("log", name, after, wait)
	return []host.PluginLine{{Number: 8, Level: "WARN", During: "trial", Text: "x"}}, r.err
}

func TestARefusalNamesItsStep(t *testing.T) {
	there := &recorder{err: fmt.Errorf("swap: %w", &module.LoadError{Step: "init", Module: "p", Detail: "too slow", Err: context.DeadlineExceeded})}
	_, err := serveSocket(t, there).SwapPlugin(t.Context(), "p", host.PluginChange{})
	var e *Error
	if !errors.Is(err, fault.ErrPluginRefused) || !errors.As(err, &e) || e.Step != "init" || e.Message != there.err.Error() {
		t.Errorf("the error is %#v", err)
	}
}

func TestARequestWithoutATriggerCameByHTTP(t *testing.T) {
	there := &recorder{}
	if _, err := serveSocket(t, there).SwapPlugin(t.Context(), "p", host.PluginChange{PluginSource: host.PluginSource{URL: "https://host/x"}}); err != nil {
		t.Fatal(err)
	}
	if c := there.asked[2].(host.PluginChange); c.Trigger != TriggerHTTP || c.URL != "https://host/x" {
		t.Errorf("asked for %+v", c)
	}
}

func TestANameThatNoPluginCanHaveIsUnknown(t *testing.T) {
	there := &recorder{}
	client := serveSocket(t, there)
	for _, name := range []string{"", "..", "a/b", "A", "a b", "a?b"} {
		if _, err := client.PluginHistory(t.Context(), name); !errors.Is(err, host.ErrUnknownPlugin) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if there.asked != nil {
		t.Errorf("asked %v", there.asked)
	}
}
