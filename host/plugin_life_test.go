package host_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// lifeHost returns a host without tasks whose modules have enough time on a busy machine.
func lifeHost(t *testing.T) *host.Host {
	t.Helper()
	patient := module.Limits{HookTimeout: time.Minute, InitTimeout: time.Minute}
	plugins := map[string]host.PluginOptions{}
	for _, name := range []string{"dialog-policy", "frame-filter", "bridge-script"} {
		plugins[name] = host.PluginOptions{Limits: patient}
	}
	h, err := host.New(t.Context(), &host.Options{Plugins: plugins})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(t.Context()) }) // checked where the test closes it
	return h
}

func policyOf(t *testing.T, h *host.Host) host.PluginInfo {
	t.Helper()
	for _, p := range h.Plugins() {
		if p.Name == "dialog-policy" {
			return p
		}
	}
	t.Fatal("there is no dialog-policy")
	return host.PluginInfo{}
}

func TestTheLifeOfAShippedPlugin(t *testing.T) {
	h := lifeHost(t)
	ctx := t.Context()
	shipped := policyOf(t, h)
	if shipped.State != "serving" || shipped.Generation != 1 || shipped.Source != "shipped" || shipped.Version == "" || shipped.Since.IsZero() {
		t.Errorf("the plugin is %+v", shipped)
	}
	g, err := h.SwapPlugin(ctx, "dialog-policy", host.PluginChange{PluginSource: host.PluginSource{Wasm: contrary.Dialog()}, Trigger: "http", Reason: "a test"})
	if err != nil || g.Number != 2 || g.State != "serving" || g.Trigger != "http" || g.Reason != "a test" || g.Source != "bytes" {
		t.Fatalf("%+v, %v", g, err)
	}
	shadow, err := h.ShadowPlugin(ctx, "dialog-policy", host.PluginChange{Config: map[string]any{"policy": "auto_accept"}, Tasks: []string{"mine"}})
	if err != nil || shadow.Generation.State != "candidate" || len(shadow.Tasks) != 1 {
		t.Fatalf("%+v, %v", shadow, err)
	}
	if p := policyOf(t, h); p.Candidate == nil || p.Candidate.Generation != 3 || p.SHA256 != g.SHA256 {
		t.Errorf("the plugin is %+v", p)
	}
	if again, err := h.PluginShadow("dialog-policy"); err != nil || again.Generation.Number != 3 {
		t.Errorf("%+v, %v", again, err)
	}
	if g, err = h.PromotePlugin(ctx, "dialog-policy", ""); err != nil || g.Number != 3 || g.SHA256 != shipped.SHA256 || g.ConfigHash == shipped.ConfigHash {
		t.Errorf("%+v, %v", g, err)
	}
	for _, want := range []int{2, 1} { // contrary, then the module that the host started with
		if g, err = h.RollbackPlugin(ctx, "dialog-policy", "back"); err != nil || g.Trigger != "rollback" {
			t.Errorf("to %d: %+v, %v", want, g, err)
		}
	}
	if g.SHA256 != shipped.SHA256 || g.ConfigHash != shipped.ConfigHash {
		t.Errorf("the last rollback gave %+v", g)
	}
	history, err := h.PluginHistory("dialog-policy")
	if err != nil || len(history) != 5 || history[0].Number != 5 || history[4].Trigger != "start" {
		t.Errorf("%+v, %v", history, err)
	}
	if c := h.Counters().Plugins["dialog-policy"]; c.Swaps != 4 || c.Refused != 0 || c.Returns != 0 {
		t.Errorf("the counters are %+v", c)
	}
}

func TestTheErrorsOfAPluginsLife(t *testing.T) {
	h := lifeHost(t)
	ctx := t.Context()
	before := policyOf(t, h)
	var load *module.LoadError
	_, err := h.SwapPlugin(ctx, "dialog-policy", host.PluginChange{Config: map[string]any{"policy": "auto_acept"}})
	if !errors.As(err, &load) || load.Step != "config" || !strings.Contains(load.Detail, "auto_accept") {
		t.Errorf("a configuration that the schema does not allow: %v", err)
	}
	_, err = h.SwapPlugin(ctx, "dialog-policy", host.PluginChange{PluginSource: host.PluginSource{Path: "no-such-file.wasm"}})
	if !errors.As(err, &load) || load.Step != "read" {
		t.Errorf("a file that is not there: %v", err)
	}
	_, err = h.SwapPlugin(ctx, "dialog-policy", host.PluginChange{PluginSource: host.PluginSource{Wasm: contrary.Dialog(), SHA256: strings.Repeat("0", 64)}})
	if !errors.As(err, &load) || load.Step != "pin" {
		t.Errorf("another hash: %v", err)
	}
	_, err = h.SwapPlugin(ctx, "dialog-policy", host.PluginChange{PluginSource: host.PluginSource{URL: "https://user:secret@modules.example/m.wasm?token=secret"}})
	if !errors.As(err, &load) || strings.Contains(err.Error(), "secret") {
		t.Errorf("an address without a hash: %v", err)
	}
	history, _ := h.PluginHistory("dialog-policy")
	if history[0].Source != "https://modules.example/m.wasm" || history[2].Source != "no-such-file.wasm" {
		t.Errorf("the sources are %q and %q", history[0].Source, history[2].Source)
	}
	for _, g := range history[:4] {
		if g.State != "refused" || g.Error == "" || strings.Contains(g.Error+g.Source, "secret") {
			t.Errorf("the history has %+v", g)
		}
	}
	if after := policyOf(t, h); after.SHA256 != before.SHA256 || after.Generation != 1 || after.ConfigHash != before.ConfigHash {
		t.Errorf("the plugin is %+v", after)
	}
	if _, err := h.RollbackPlugin(ctx, "dialog-policy", ""); !errors.Is(err, host.ErrNoGeneration) {
		t.Errorf("a rollback: %v", err)
	}
	if _, err := h.DropPlugin(ctx, "dialog-policy"); !errors.Is(err, host.ErrNoCandidate) {
		t.Errorf("a drop: %v", err)
	}
	if _, err := h.PluginHistory("no-such"); !errors.Is(err, host.ErrUnknownPlugin) || !strings.Contains(err.Error(), "dialog-policy") {
		t.Errorf("another name: %v", err)
	}
	if err := h.Close(ctx); err != nil {
		t.Error(err)
	}
	if _, err := h.SwapPlugin(ctx, "dialog-policy", host.PluginChange{}); !errors.Is(err, host.ErrClosed) {
		t.Errorf("a closed host: %v", err)
	}
}
