package agent

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// headings is the example plugin that outlines a page.
func headings() host.PluginOptions {
	return host.PluginOptions{
		PluginSource: host.PluginSource{Path: "../../plugins/examples/dist/page-headings.wasm"}, Hooks: []abi.Hook{abi.HookToolCall},
		Capabilities: []abi.Capability{"page"}, Limits: module.Limits{HookTimeout: 20 * 1e9},
	}
}

func TestAPluginsToolsComeAndGo(t *testing.T) {
	w := newWorld(t, map[string]string{"/": "<h1>One</h1><h2>Two</h2>"}, Options{})
	w.open("/")
	changed := make(chan struct{}, 100)
	stop := w.registry.Changed(func() { changed <- struct{}{} })
	defer stop()
	const name = "page-headings_page_headings"
	view := View{Task: "task", Toolsets: []string{"all"}}
	if _, err := w.host.AddPlugin(w.ctx, "page-headings", headings()); err != nil {
		t.Fatal(err)
	}
	for !has(w.registry.Tools(view), name) {
		select {
		case <-changed:
		case <-w.ctx.Done():
			t.Fatal("nobody told of the new tools")
		}
	}
	if got := w.registry.Tools(View{Task: "task", Toolsets: []string{"page-headings"}}); len(got) != 1 || got[0].Source != "page-headings" || !got[0].ReadOnly {
		t.Errorf("the toolset of the plugin's name is %v", names(got))
	}
	call := Call{Task: "task", Toolsets: view.Toolsets, Name: name}
	r, err := w.registry.Call(w.ctx, call)
	if err != nil || r.IsError {
		t.Fatalf("%v: %s", err, show(r))
	}
	want(t, r, "untrusted.origin", `"`+w.site+`"`)
	if !strings.Contains(r.Text, ">\nmade from what the page at "+w.site+" says:\n") || !strings.Contains(r.Text, "Two") {
		t.Errorf("got %s", r.Text)
	}
	call.Arguments = []byte(`{"max_level":"two"}`)
	if r, err := w.registry.Call(w.ctx, call); err != nil || r.Structured["kind"] != string(host.ErrBadArguments) {
		t.Errorf("%v: %s", err, show(r))
	}
	if err := w.host.RemovePlugin(w.ctx, "page-headings"); err != nil {
		t.Fatal(err)
	}
	for has(w.registry.Tools(view), name) {
		select {
		case <-changed:
		case <-w.ctx.Done():
			t.Fatal("nobody told that the tools are gone")
		}
	}
}

func TestNamesOfPluginsToolsFitModels(t *testing.T) {
	for name, c := range map[string]struct{ tool, want string }{
		"as they are":                  {"list", "my-plugin_list"},
		"without what is not allowed":  {"list prices.now", "my-plugin_list_prices_now"},
		"without what is not ASCII":    {"größe", "my-plugin_gr__e"},
		"no longer than 64 characters": {strings.Repeat("a", 100), "my-plugin_" + strings.Repeat("a", 54)},
	} {
		if got := pluginEntry(host.PluginTool{Plugin: "my-plugin", Name: c.tool}).Tool.Name; got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}
