package lifecycle_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
)

// engine has the fixtures of the runtime by their names.
func engine(t *testing.T) *lifecycle.Engine {
	t.Helper()
	e := lifecycle.New(lifecycle.Options{Fetch: func(_ context.Context, name string, s lifecycle.Source, _ []string, limit int64) (lifecycle.Fetched, error) {
		wasm, err := os.ReadFile(filepath.Join("..", "testdata", s.Path+".wasm"))
		if err == nil && int64(len(wasm)) > limit {
			err = errors.New("it is too large")
		}
		if err != nil {
			return lifecycle.Fetched{}, &plugin.LoadError{Step: plugin.StepRead, Module: name, Detail: err.Error()}
		}
		return lifecycle.Fetched{Wasm: wasm, Source: s.Path}, nil
	}})
	t.Cleanup(e.Close)
	return e
}

func spec(path string, priority int) lifecycle.Spec {
	return lifecycle.Spec{Source: lifecycle.Source{Path: path}, Hooks: []abi.Hook{abi.HookDialog}, IgnoreExtraHooks: true, Priority: priority}
}

func configure(t *testing.T, e *lifecycle.Engine, name string, s lifecycle.Spec) lifecycle.Generation {
	t.Helper()
	g, err := e.Configure(t.Context(), name, s, "reload")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func order(e *lifecycle.Engine) (names []string) {
	for _, p := range e.Plugins() {
		names = append(names, p.Name)
	}
	return names
}

func granted(t *testing.T, e *lifecycle.Engine, name string, c abi.Capability) bool {
	t.Helper()
	held, err := e.Hold(name, "")
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	return held.Granted(c)
}

func TestAPluginIsAddedOrMadeWhatItsSpecSays(t *testing.T) {
	e := engine(t)
	for _, name := range []string{"a", "b"} {
		if g := configure(t, e, name, spec("abstain", 0)); g.Number != 1 || g.State != lifecycle.StateServing || g.Trigger != "reload" {
			t.Errorf("%s: %+v", name, g)
		}
	}
	s := spec("dialog_only", 7)
	s.Capabilities, s.Limits.KVBytes, s.Config = []abi.Capability{abi.CapabilityPage}, 3, map[string]any{"k": "v"}
	g := configure(t, e, "b", s)
	if got := order(e); !slices.Equal(got, []string{"b", "a"}) || g.Number != 2 || e.Limits("b").KVBytes != 3 || e.Limits("a").KVBytes != abi.DefaultKVBytes {
		t.Errorf("the order is %v, the generation %+v", got, g)
	}
	if !granted(t, e, "b", abi.CapabilityPage) || granted(t, e, "b", abi.CapabilityKV) || granted(t, e, "a", abi.CapabilityPage) {
		t.Error("the capabilities are not those that were granted")
	}
	if back, err := e.Rollback(t.Context(), "b", ""); err != nil || back.Source != "abstain" {
		t.Errorf("rolled back to %+v, %v", back, err)
	}
	if got := order(e); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("rolling back changes the order to %v", got)
	}
}

func TestASpecThatIsRefusedChangesNothing(t *testing.T) {
	e := engine(t)
	configure(t, e, "a", spec("abstain", 0))
	before := configure(t, e, "b", spec("abstain", 0))
	tight, absent := spec("dialog_only", 7), spec("gone", 7)
	tight.Limits.ModuleBytes = 1
	for _, s := range []lifecycle.Spec{tight, absent} {
		var refused *plugin.LoadError
		if _, err := e.Configure(t.Context(), "b", s, "reload"); !errors.As(err, &refused) || refused.Step != plugin.StepRead {
			t.Errorf("the error is %v", err)
		}
		if p := e.Plugins(); p[1].Name != "b" || p[1].Serving.Number != before.Number || e.Limits("b").ModuleBytes != abi.DefaultModuleBytes {
			t.Errorf("the plugins are %+v", p)
		}
	}
	if _, err := e.Configure(t.Context(), "c", absent, "reload"); err == nil || len(e.Plugins()) != 2 {
		t.Errorf("a new one: %v", err)
	}
	e.Close()
	if _, err := e.Configure(t.Context(), "b", spec("abstain", 0), "reload"); !errors.Is(err, plugin.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// A candidate was loaded with grants and limits that no longer hold: promoting it would bring them back.
func TestANewSpecDropsTheCandidate(t *testing.T) {
	e := engine(t)
	configure(t, e, "a", spec("abstain", 0))
	if _, err := e.Shadow(t.Context(), "a", lifecycle.Change{Source: lifecycle.Source{Path: "dialog_only"}}); err != nil {
		t.Fatal(err)
	}
	configure(t, e, "a", spec("abstain", 1))
	if _, err := e.Promote(t.Context(), "a", ""); !errors.Is(err, fault.ErrNoCandidate) {
		t.Errorf("the error is %v", err)
	}
}
