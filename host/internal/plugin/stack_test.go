package plugin

import (
	"errors"
	"fmt"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/api"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// A guest that calls itself forever is ended by the limit, and never had more: neither with ordinary frames nor with
// huge ones that cost hardly any fuel.
func TestTheStackOfACallIsBounded(t *testing.T) {
	for _, name := range []string{"recursion", "recursion_huge"} {
		m := load(t, name, Limits{Instances: 1})
		before := allocated()
		_, err := m.Call(ctx0, abi.HookDialog, nil, nil)
		took := allocated() - before
		want := fmt.Sprintf("its calls nest too deeply and need more than the limit of %d bytes of stack; raise the plugin's limits.stack_kb, or make it recurse less", abi.DefaultStackBytes)
		if f := faultOf(t, err); f.Kind != FaultStack || f.Detail != want {
			t.Errorf("%s: fault is %v", name, f)
		}
		if took > 4*abi.DefaultStackBytes {
			t.Errorf("%s: the call took %d bytes", name, took)
		}
		if s := m.Stats(); s.Faults["stack"] != 1 || s.InstancesLive != 0 {
			t.Errorf("%s: stats are %+v", name, s)
		}
	}
}

// allocated is how much memory this process has ever taken from its heap.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// The limit is exact: with sixteen times the stack, calls nest sixteen times as deep.
func TestTheStackMayGrowAsFarAsTheOperatorSays(t *testing.T) {
	less := deepest(t, 64<<10)
	if more := deepest(t, 1<<20); more < less*156/10 || more > less*164/10 {
		t.Errorf("calls nest %d deep in 64 KiB, and %d deep in 1 MiB", less, more)
	}
	const beyond = 128 << 20 // what the engine allows by itself
	m := load(t, "recursion", Limits{StackBytes: beyond})
	_, err := m.Call(ctx0, abi.HookDialog, nil, nil)
	if f := faultOf(t, err); f.Kind != FaultStack || !strings.Contains(f.Detail, fmt.Sprint(beyond)) {
		t.Errorf("fault is %v", f)
	}
}

// deepest is how deep the calls of a guest nest that has so much stack.
func deepest(t *testing.T, stack int64) (depth int) {
	m := load(t, "recurse_len", Limits{StackBytes: stack})
	for step := 1 << 17; step > 0; step /= 2 {
		_, err := m.Call(ctx0, abi.HookDialog, make([]byte, depth+step), nil)
		if err == nil {
			depth += step
		} else if f := faultOf(t, err); f.Kind != FaultStack {
			t.Fatalf("fault is %v", f)
		}
	}
	return depth
}

// The engine writes parameters and results to a stack that it has made large enough for them.
func TestAStackThatIsTooSmallForAnyCallIsRefused(t *testing.T) {
	_, err := Load(ctx0, Source{Name: "m", Bytes: fixture(t, "ok"), Limits: Limits{StackBytes: 1000}}, Options{})
	if err == nil || !strings.Contains(err.Error(), "the limit is 1000; raise the plugin's limits.stack_kb") {
		t.Errorf("error is %v", err)
	}
}

// Another version of the engine may keep stacks in another way. Then no guest runs, rather than one without a limit.
func TestAnEngineThatIsNotKnownRunsNoGuest(t *testing.T) {
	type noStack struct{ api.Function }
	if err := setStack(&noStack{}, make([]byte, 100)); !errors.Is(err, errStack) {
		t.Errorf("error is %v", err)
	}
}

// The start of an instance is bounded like its calls, be it marked as such in the file, or one of the exports that
// start it.
func TestTheStackOfTheStartIsBounded(t *testing.T) {
	for _, name := range []string{"start_section_recursion", "start_recursion", "init_recursion"} {
		before := allocated()
		_, err := Load(t.Context(), Source{Name: name, Bytes: fixture(t, name)}, Options{})
		took := allocated() - before
		if f := faultOf(t, err); f.Kind != FaultStack || !strings.Contains(f.Detail, "limits.stack_kb") {
			t.Errorf("%s: fault is %v", name, f)
		}
		if took > 16*abi.DefaultStackBytes {
			t.Errorf("%s: it took %d bytes", name, took)
		}
	}
}
