package plugin

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

var errGarbage = errors.New("not a message")

// rejectGarbage stands for the host's decoder: it accepts only the verdict of the ok fixture.
func rejectGarbage(verdict []byte) error {
	if string(verdict) != "\x08\x02" {
		return errGarbage
	}
	return nil
}

// tight is for guests that never end by themselves.
var tight = Limits{HookTimeout: 100 * time.Millisecond, Instances: 2, Fuel: noLimit}

// noLimit is fuel that no test can use up.
const noLimit = math.MaxInt64

func TestEveryFaultOfEveryHook(t *testing.T) {
	cases := []struct {
		fixture string
		kind    FaultKind
		detail  string
	}{
		{"trap", FaultTrap, "unreachable"},
		{"out_of_bounds", FaultTrap, "out of bounds memory access"},
		{"recursion", FaultStack, "limits.stack_kb"},
		{"spin", FaultDeadline, "longer than its limit of 100ms"},
		{"recursion_wide", FaultDeadline, "longer than its limit"},
		{"call_tree", FaultDeadline, "longer than its limit"},
		{"fill", FaultDeadline, "longer than its limit"},
		{"import_loop", FaultDeadline, "longer than its limit"},
		{"wasi_poll", FaultDeadline, "longer than its limit"},
		{"wasi_write", FaultDeadline, "longer than its limit"},
		{"grow_touch", FaultMemory, "more than its memory limit of 16777216 bytes: out of bounds memory access"},
		{"spin", FaultFuel, "raise limits.fuel of the plugin, which is 500000000 per call"},
		{"recursion_wide", FaultFuel, "units of fuel"},
		{"call_tree", FaultFuel, "units of fuel"},
		{"fill", FaultFuel, "units of fuel"},
		{"grow_loop", FaultMemory, "more than its memory limit of 16777216 bytes: used more than its limit of 500000000 units of fuel"},
		{"garbage", FaultBadVerdict, "not a message"},
		{"unknown_verdict", FaultBadVerdict, "not a message"},
		{"oversize", FaultOversize, "over the limit of "},
		{"bad_result_pointer", FaultBadMemory, "outside its memory"},
		{"no_result", FaultNoResult, "never called result_write"},
		{"unknown_status", FaultBadStatus, "returned status 7"},
		{"exit", FaultExit, "code 3"},
		{"exit_as_deadline", FaultExit, "code 4026531839"},
		{"panic", FaultExit, "code 2"},
	}
	for _, c := range cases {
		t.Run(c.fixture+" "+c.kind.String(), func(t *testing.T) {
			bystander := load(t, "ok", Limits{})
			limits := Limits{}
			if c.kind == FaultDeadline {
				limits = tight
			}
			m := load(t, c.fixture, limits)
			for n, hook := range abi.Hooks() {
				if c.fixture == "no_result" || c.fixture == "oversize" || c.fixture == "bad_result_pointer" {
					if !WantsVerdict(hook) {
						continue // it may decide without a result
					}
				}
				before := m.Stats()
				_, err := m.Call(context.Background(), hook, []byte("event"), rejectGarbage)
				fault := faultOf(t, err)
				if fault.Kind != c.kind || !strings.Contains(fault.Detail, c.detail) {
					t.Errorf("%s: fault is %s %q, want %s with %q", hook, fault.Kind, fault.Detail, c.kind, c.detail)
				}
				if fault.Module != c.fixture || fault.SHA256 != m.Info().SHA256 || fault.Hook != hook {
					t.Errorf("%s: the fault names %s, %s, %s", hook, fault.Module, fault.SHA256, fault.Hook)
				}
				after := m.Stats()
				if after.InstancesClosed != before.InstancesClosed+1 || after.InstancesLive != 0 {
					t.Errorf("call %d: closed %d instances and %d live, want the one that failed closed",
						n, after.InstancesClosed-before.InstancesClosed, after.InstancesLive)
				}
				if after.Faults[c.kind.String()] != before.Faults[c.kind.String()]+1 {
					t.Errorf("%s is not counted: %v", c.kind, after.Faults)
				}
				if _, verdict, err := call(context.Background(), bystander, hook, nil); err != nil || string(verdict) != "\x08\x02" {
					t.Errorf("the other module answered %x, %v", verdict, err)
				}
			}
			if m.Stats().MemoryBytes != 0 {
				t.Errorf("%d bytes are still counted", m.Stats().MemoryBytes)
			}
		})
	}
}

// A guest that runs native code without a pause holds up every stop of the world. So a spinning guest must not keep
// another goroutine's garbage collections from ending.
func TestGarbageCollectionGoesOnWhileGuestsSpin(t *testing.T) {
	for _, name := range []string{"spin", "recursion_wide", "call_tree", "fill"} {
		t.Run(name, func(t *testing.T) {
			m := load(t, name, tight)
			started, collected := make(chan struct{}), make(chan int)
			done := make(chan struct{})
			go func() {
				close(started)
				n := 0
				for {
					select {
					case <-done:
						collected <- n
						return
					default:
						runtime.GC()
						n++
					}
				}
			}()
			<-started
			_, err := m.Call(context.Background(), abi.HookDialog, nil, nil)
			close(done)
			if kind := faultOf(t, err).Kind; kind != FaultDeadline {
				t.Errorf("fault is %s, want deadline", kind)
			}
			if <-collected == 0 {
				t.Error("no garbage collection ended")
			}
		})
	}
}
