package e2e

import (
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// A module that serves the hook comes into service, and goes, while tabs and frames are open.
func TestTheNavigateHookComesAndGoesAtRunTime(t *testing.T) {
	t.Parallel()
	path, _ := moduleFile(t, contrary.Dialog())
	o := guardOptions()
	guard := o.Plugins["guard"]
	guard.PluginSource = host.PluginSource{Path: path}
	guard.Hooks = []abi.Hook{abi.HookDialog, abi.HookNavigate}
	o.Plugins["guard"] = guard
	g := newGuardedOn(t, common.Address(t), o, map[string]string{
		"/page": `<iframe name=i src="{{127.0.0.1}}/inner"></iframe>`, "/inner": "", "/x!d": "", "/y!d": "",
	}, host.TaskOptions{})
	g.goes(g.url("localhost", "/x!d"), "/x!d")
	g.open("/page")
	want(t, "asked without a module", g.host.Counters().Navigations.Asked, 0)

	if _, err := g.host.SwapPlugin(g.ctx, "guard", host.PluginChange{
		PluginSource: host.PluginSource{Path: filepath.Join("testdata", "navigate.wasm")}, DropHooks: []string{"dialog"},
	}); err != nil {
		t.Fatal(err)
	}
	g.start(`i.location = "` + g.url("127.0.0.1", "/y!d") + `"`)
	want(t, "frame kind", g.denied(g.url("127.0.0.1", "/y!d")).FrameKind, "oopif")
	wantDenied(t, commit(g.ctx, g.Tab(""), g.url("localhost", "/x!d")))
	g.never("/y!d")

	if _, err := g.host.RollbackPlugin(g.ctx, "guard", "the test is over", "navigate"); err != nil {
		t.Fatal(err)
	}
	asked := g.host.Counters().Navigations.Asked
	g.goes(g.url("localhost", "/y!d"), "/y!d")
	want(t, "asked when the module has gone", g.host.Counters().Navigations.Asked, asked)
}
