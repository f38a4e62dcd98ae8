package plugin

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// A guest that calls itself for ever is ended by the limit, long before the engine's own bound of 50 MB.
func TestTheStackOfACallIsBounded(t *testing.T) {
	m := load(t, "recursion", Limits{Instances: 1})
	_, err := m.Call(ctx0, abi.HookDialog, nil, nil)
	f := faultOf(t, err)
	var grown, limit int64
	_, err = fmt.Sscanf(f.Detail, "its calls nest too deeply: its stack grew to %d bytes, the limit is %d; it was stopped; raise the plugin's limits.stack_kb", &grown, &limit)
	if f.Kind != FaultStack || err != nil || limit != abi.DefaultStackBytes || grown <= limit || grown > 10*limit {
		t.Errorf("fault is %v", f)
	}
	if s := m.Stats(); s.Faults["stack"] != 1 || s.InstancesLive != 0 {
		t.Errorf("stats are %+v", s)
	}
}

func TestTheStackMayGrowAsFarAsTheOperatorSays(t *testing.T) {
	m := load(t, "recursion", Limits{StackBytes: math.MaxInt64})
	_, err := m.Call(ctx0, abi.HookDialog, nil, nil)
	if f := faultOf(t, err); f.Kind != FaultStack || !strings.Contains(f.Detail, "stack overflow") {
		t.Errorf("fault is %v", f)
	}
}

// What a call did not notice itself, as it was back in time, does not stay: stacks never shrink.
func TestAnInstanceWithALargeStackIsReplaced(t *testing.T) {
	m := load(t, "recurse_len", Limits{Instances: 1, StackBytes: 64 << 10})
	for _, c := range []struct {
		depth    int
		recycled uint64
	}{{10, 0}, {500, 0}, {10, 0}, {4000, 1}, {10, 1}, {4000, 2}} {
		if _, err := m.Call(ctx0, abi.HookDialog, make([]byte, c.depth), nil); err != nil {
			t.Fatal(err)
		}
		if got := m.Stats().InstancesRecycled; got != c.recycled {
			t.Errorf("after %d calls deep, %d instances were replaced, want %d", c.depth, got, c.recycled)
		}
	}
}

// The start of an instance is bounded like its calls.
func TestTheStackOfTheStartIsBounded(t *testing.T) {
	for _, name := range []string{"start_recursion", "init_recursion"} {
		_, err := Load(t.Context(), Source{Name: name, Bytes: fixture(t, name)}, Options{})
		if f := faultOf(t, err); f.Kind != FaultStack || !strings.Contains(f.Detail, "limits.stack_kb") {
			t.Errorf("%s: fault is %v", name, f)
		}
	}
}
