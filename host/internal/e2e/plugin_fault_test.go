package e2e

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// The fixtures fail on every dialog and tree, but not in their self-test: a module that does is not taken.
var faults = []struct{ name, module string }{
	{"a trap", "trap_later"},
	{"an endless loop", "spin_later"},
	{"endless allocation", "grow_loop_later"},
	{"a verdict that cannot be decoded", "garbage_later"},
	{"a verdict over the limit", "oversize_later"},
	{"a verdict with an unknown action", "unknown_verdict_later"},
	{"an exit", "exit_later"},
	{"a reported error", "error"},
}

// newFaultyWorld starts a task whose dialogs and frames are decided by a module that fails.
func newFaultyWorld(t *testing.T, module string, pages map[string]string, o host.TaskOptions) *world {
	t.Helper()
	path := filepath.Join("testdata", module+".wasm")
	if module == "error" { // which a self-test takes for an answer
		path = filepath.Join("..", "plugin", "testdata", module+".wasm")
	}
	// The host is not to go back to another module, however often this one fails.
	return newWorldOn(t, common.Address(t), host.Options{PluginFaults: -1, Plugins: map[string]host.PluginOptions{
		"dialog-policy": {
			PluginSource: host.PluginSource{Path: path}, IgnoreExtraHooks: true,
			Hooks: []abi.Hook{abi.HookDialog, abi.HookDialogClosed, abi.HookFrames},
		},
	}}, pages, o)
}

// collectGarbage runs the collector, which a guest that cannot be interrupted would stop forever, until the test ends.
func collectGarbage(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		often := time.NewTicker(time.Millisecond)
		defer often.Stop()
		for {
			select {
			case <-often.C:
				runtime.GC()
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
}

func TestAFaultOfTheDialogHookHoldsTheDialogAndTheWatchdogDismissesIt(t *testing.T) {
	for _, tc := range faults {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if tc.module == "spin_later" {
				collectGarbage(t)
			}
			w := newFaultyWorld(t, tc.module, nil, host.TaskOptions{DialogTimeout: 3 * time.Second, DialogPolicy: "auto_accept"})
			w.open("/empty")
			events := w.Events(1000)
			w.start("report('said', confirm('?')); report('then', confirm('answered'))")
			d := w.dialog()
			want(t, "action", d.Action, "hold")
			want(t, "rule", d.DecidedBy.Rule, "fallback must_respond")
			want(t, "hash", d.DecidedBy.SHA256, w.pluginInfo("dialog-policy").SHA256)
			if d.DecidedBy.Fault == "" {
				t.Error("nothing says what the fault was")
			}
			want(t, "the page", w.reported("said"), "false")
			closed := w.await("the end of the first dialog", func(s *host.Snapshot) bool { return len(s.RecentDialogs) == 1 }).RecentDialogs[0]
			want(t, "closed by", closed.ClosedBy, "plugin_fault")
			want(t, "accepted", closed.Accepted, false)
			// An agent can answer what is held.
			second := w.dialog()
			w.answer(host.DialogResponse{DialogID: second.ID, Accept: true})
			want(t, "the page", w.reported("then"), "true")
			events.Close()
			seen := false
			for e := range events.C {
				if e.Kind == host.EventPluginFault && e.Dialog != nil && e.Dialog.ID == d.ID {
					seen = true
					want(t, "reason of the event", e.Reason, d.DecidedBy.Fault)
				}
			}
			if !seen {
				t.Error("no event tells of the fault")
			}
			// To report an error is no fault of the module: its instance goes on.
			if counted := w.pluginInfo("dialog-policy").Faults > 0; counted != (tc.module != "error") {
				t.Errorf("the module's faults are counted: %v", counted)
			}
		})
	}
}

// Neither a fault nor the end of a guard's service lets an answer through that an agent armed.
func TestAGuardOfDialogsThatFailsDoesNotGiveWay(t *testing.T) {
	t.Parallel()
	w := newWorldOn(t, common.Address(t), host.Options{DialogFailClosed: true, PluginFaults: 2, Plugins: map[string]host.PluginOptions{
		"dialog-policy": {
			PluginSource: host.PluginSource{Path: filepath.Join("testdata", "trap_later.wasm")}, IgnoreExtraHooks: true, Hooks: []abi.Hook{abi.HookDialog},
		},
	}}, nil, host.TaskOptions{})
	w.open("/empty")
	changed := w.host.PluginsChanged()
	for i, fault := range []string{"trap", "trap", "out of service"} {
		if i == 2 {
			<-changed
		}
		if _, err := w.ArmDialog(w.ctx, host.ArmedAnswer{Accept: true}); err != nil {
			t.Fatal(err)
		}
		w.start(fmt.Sprintf("report('said %d', confirm('Pay?'))", i))
		want(t, "the page", w.reported(fmt.Sprintf("said %d", i)), "false")
		d := w.await("the end of the dialog", func(s *host.Snapshot) bool { return len(s.RecentDialogs) == i+1 }).RecentDialogs[i]
		want(t, "closed by", d.ClosedBy, "plugin_fault")
		want(t, "action", d.Action, "dismiss")
		want(t, "rule", d.DecidedBy.Rule, "fallback dismiss")
		if !strings.Contains(d.DecidedBy.Fault, fault) || !strings.Contains(d.ArmedUnused, fault) {
			t.Errorf("the dialog does not say %q: %s", fault, shared.Dump(d))
		}
	}
}

func TestAFaultOfTheFramesHookLeavesATreeWithinTheCaps(t *testing.T) {
	var frames strings.Builder
	const inPage = 600
	for i := range inPage {
		fmt.Fprintf(&frames, `<iframe name="f%d"></iframe>`, i)
	}
	for _, tc := range faults {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			page, n := `<iframe></iframe><iframe></iframe>`, 2
			if tc.module == "trap_later" {
				page, n = frames.String(), inPage
			}
			w := newFaultyWorld(t, tc.module, map[string]string{"/page": page}, host.TaskOptions{})
			events := w.Events(1000)
			w.open("/page")
			tree := w.verdict(n)
			want(t, "rule", tree.DecidedBy.Rule, "fallback")
			if tree.DecidedBy.Fault == "" {
				t.Error("nothing says what the fault was")
			}
			want(t, "frames with the top one", 1+len(tree.Children), min(500, 1+n))
			want(t, "truncated", tree.Truncated, n > 499)
			events.Close()
			for e := range events.C {
				if e.Kind == host.EventPluginFault && e.Dialog == nil {
					return
				}
			}
			t.Error("no event tells of the fault")
		})
	}
}

func TestAFaultyModuleDoesNotDisturbOtherTasks(t *testing.T) {
	t.Parallel()
	collectGarbage(t)
	faulty := newFaultyWorld(t, "spin_later", nil, host.TaskOptions{})
	healthy := faulty.in(t)
	healthy.host = newHost(t, patient(host.Options{}))
	healthy.Task = attach(t, healthy.host, faulty.address, host.TaskOptions{Scope: host.ScopeContext, DialogPolicy: "auto_accept"})
	beside := faulty.in(t)
	beside.Task = attachAs(t, faulty.host, t.Name()+" beside", faulty.address, host.TaskOptions{Scope: host.ScopeContext})
	for _, w := range []*world{faulty, healthy, beside} {
		w.open("/empty")
	}
	faulty.start("for (let i = 0; i < 5; i++) alert(i); report('faulty', 1)")
	beside.start("report('beside', confirm('?'))")
	want(t, "a task of another host", healthy.evaluate("[confirm(1), confirm(2)]"), "[true,true]")
	beside.dialog()
	beside.answer(host.DialogResponse{Accept: true})
	want(t, "a task of the same host", beside.reported("beside"), "true")
	for range 5 {
		d := faulty.dialog()
		faulty.answer(host.DialogResponse{DialogID: d.ID, Accept: true})
	}
	faulty.reported("faulty")
}
