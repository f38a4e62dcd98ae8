package e2e

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
)

// stateTool is a module whose tool reads the state and keeps what it read; see testdata/state_tool.wat.
func stateTool(t *testing.T, granted ...abi.Capability) host.PluginOptions {
	return toolFixture(t, "state_tool", granted...)
}

// toolFixture is a module of testdata with one tool, whose result a page's address can be.
func toolFixture(t *testing.T, name string, granted ...abi.Capability) host.PluginOptions {
	t.Helper()
	o := host.PluginOptions{Hooks: []abi.Hook{abi.HookToolCall}, Capabilities: granted}
	o.Path = filepath.Join("testdata", name+".wasm")
	o.Limits.HookTimeout = 20 * time.Second
	return rewritten(t, o, func(m *abi.Manifest) {
		*m = abi.Manifest{
			Name: "fixture", Version: "1.0.0", Hooks: []string{string(abi.HookToolCall)},
			Capabilities: []string{string(abi.CapabilityKV), string(abi.CapabilityState)},
			Tools:        []abi.ManifestTool{{Name: "page_headings", Description: "Tells an address."}},
		}
	})
}

func TestAToolReadsTheStateAndKeepsWhatItRead(t *testing.T) {
	w := newToolWorld(t, map[string]host.PluginOptions{
		"both": stateTool(t, abi.CapabilityKV, abi.CapabilityState), "state-only": stateTool(t, abi.CapabilityState),
	}, map[string]string{"/page": "<p>a page</p>"})
	other := w.in(t)
	other.Task = attachAs(t, w.host, t.Name()+" other", w.address, host.TaskOptions{Scope: host.ScopeContext})
	first, second := w.url("localhost", "/page"), w.url("localhost", "/empty")
	for _, step := range []struct {
		on           *world
		plugin, path string
		text         string
	}{
		{w, "both", "/page", `"` + first + `"`},
		{w, "both", "/empty", `"` + first + `"`},        // as its store has it
		{other, "both", "/empty", `"` + second + `"`},   // another task has another store
		{w, "state-only", "/page", `"` + first + `"`},   // and another plugin
		{w, "state-only", "/empty", `"` + second + `"`}, // which has no store
	} {
		step.on.open(step.path)
		r, err := step.on.call(step.plugin, nil)
		if err != nil {
			t.Fatal(err)
		}
		want(t, step.plugin+" on "+step.path, r.Text, step.text)
		want(t, "untrusted", r.Untrusted, true)
	}
}

func TestWithoutItsCapabilityAToolHasNoState(t *testing.T) {
	w := newToolWorld(t, map[string]host.PluginOptions{"none": stateTool(t)}, nil)
	_, err := w.call("none", nil)
	wantError(t, err, host.ErrToolFailed)
}

// A tool that is given nothing of a page is not suspected of telling it.
func TestAnEmptyTabTellsNothingOfAPage(t *testing.T) {
	w := newToolWorld(t, map[string]host.PluginOptions{"plain": toolFixture(t, "plain_tool")}, nil)
	r, err := w.call("plain", nil)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "text", r.Text, "hello")
	want(t, "untrusted", r.Untrusted, false)
	want(t, "origin", r.Origin, "")
	w.open("/empty")
	if r, err = w.call("plain", nil); err != nil {
		t.Fatal(err)
	}
	want(t, "untrusted on a page", r.Untrusted, true)
	want(t, "origin of the page", r.Origin, w.url("localhost", ""))
}
