package plugin

import (
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// The fuel of a call is a count, so it is the same every time and on every machine.
func TestFuelIsCountedAndReported(t *testing.T) {
	m := load(t, "log_flood", Limits{})
	var used [3]int64
	for n := range used {
		res, err := m.Call(ctx0, abi.HookDialog, nil, rejectGarbage)
		if err != nil {
			t.Fatal(err)
		}
		used[n] = res.Fuel
	}
	if used[0] < 10_000*100 || used[1] != used[0] || used[2] != used[0] {
		t.Errorf("three calls with 10,000 calls of the host used %v", used)
	}
	if s := m.Stats(); s.TotalFuel != 3*used[0] || s.MaxFuel != used[0] {
		t.Errorf("stats are %+v", s)
	}
}

func TestWhatTakesALengthIsChargedByIt(t *testing.T) {
	m := load(t, "fuel_lengths", Limits{EventBytes: 1 << 20})
	fuel := func(hook abi.Hook, length int) int64 {
		res, err := m.Call(ctx0, hook, make([]byte, length), nil)
		if err != nil {
			t.Fatal(err)
		}
		return res.Fuel
	}
	cases := []struct {
		name         string
		hook         abi.Hook
		less, length int
		want         int64
	}{
		{"filled bytes", abi.HookDialog, 10, 1010, 1000},
		{"pages", abi.HookDialogClosed, 0, 3, 3 << 16},
		{"pages that it does not get", abi.HookDialogClosed, 0, 1000, 0},
		{"elements", abi.HookFrames, 1, 101, 100},
		{"elements that it does not get", abi.HookFrames, 0, 5000, 0},
	}
	for _, c := range cases {
		if got := fuel(c.hook, c.length) - fuel(c.hook, c.less); got != c.want {
			t.Errorf("%s: %d cost %d units more than %d, want %d", c.name, c.length, got, c.less, c.want)
		}
	}
	// What cannot be filled is a trap, not a lack of fuel.
	_, err := m.Call(ctx0, abi.HookDialog, make([]byte, 1<<19), nil)
	if f := faultOf(t, err); f.Kind != FaultTrap {
		t.Errorf("fault is %v", f)
	}
}

func TestFuelIsTheLowerOfLimitAndManifest(t *testing.T) {
	cases := []struct {
		name          string
		limit         int64
		manifest      uint64
		want, message string
	}{
		{"only the default", 0, 0, "limit of 500000000 units", "raise limits.fuel of the plugin, which is 500000000 per call"},
		{"only the limit", 9_000_000, 0, "limit of 9000000 units", "raise limits.fuel of the plugin, which is 9000000 per call"},
		{"the manifest asks for less", 9_000_000, 8_000_000, "limit of 8000000 units", "its manifest asks for 8000000 per call: raise fuel there"},
		{"the manifest asks for more", 9_000_000, 1 << 60, "limit of 9000000 units", "raise limits.fuel of the plugin"},
		{"less than a ration", 1000, 0, "limit of 1000 units", "raise limits.fuel of the plugin"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, "spin", Limits{Fuel: c.limit}, func(s *Source, _ *Options) {
				manifest := abi.Manifest{Name: "spin", Version: "1.0.0", Fuel: c.manifest, Tools: []abi.ManifestTool{{Name: "any", Description: "Any."}}}
				for _, h := range abi.Hooks() {
					manifest.Hooks = append(manifest.Hooks, string(h))
				}
				s.Bytes = withCustom(s.Bytes, abi.ManifestSection, manifest.Append(nil))
			})
			res, err := m.Call(ctx0, abi.HookDialog, nil, nil)
			f := faultOf(t, err)
			if f.Kind != FaultFuel || !strings.Contains(f.Detail, c.want) || !strings.Contains(f.Detail, c.message) {
				t.Errorf("fault is %v", f)
			}
			if f.Trace == "" {
				t.Error("the fault does not show where the guest was")
			}
			if res.Fuel == 0 || m.Stats().MaxFuel != res.Fuel {
				t.Errorf("used %d, stats %+v", res.Fuel, m.Stats())
			}
		})
	}
}

// The start of an instance has more fuel, and ends by it too.
func TestAnInitialisationThatNeverEndsIsOutOfFuel(t *testing.T) {
	for _, name := range []string{"init_spin", "start_spin"} {
		_, err := Load(ctx0, Source{Name: name, Bytes: fixture(t, name), Limits: Limits{Fuel: 100_000, InitTimeout: time.Minute}}, Options{})
		if f := faultOf(t, err); f.Kind != FaultFuel || !strings.Contains(f.Detail, "limit of 4000000 units") {
			t.Errorf("%s: fault is %v", name, f)
		}
	}
}

// A guest in the host's functions is not metered by its own code; it must end in time all the same.
func TestAGuestThatIsOnlyInTheHostEndsByItsTime(t *testing.T) {
	for _, name := range []string{"import_loop", "wasi_write", "wasi_poll", "log_flood"} {
		t.Run(name, func(t *testing.T) {
			limits := Limits{HookTimeout: 50 * time.Millisecond, Fuel: noLimit}
			if name == "log_flood" {
				limits.HookTimeout = time.Nanosecond // it would end by itself
			}
			m := load(t, name, limits)
			res, err := m.Call(ctx0, abi.HookDialog, make([]byte, abi.DefaultEventBytes), nil)
			if f := faultOf(t, err); f.Kind != FaultDeadline {
				t.Errorf("fault is %v", f)
			}
			if res.Duration > 20*time.Second { // unbounded, wasi_write takes minutes and the others do not end
				t.Errorf("it took %v", res.Duration)
			}
		})
	}
	for _, name := range []string{"import_loop", "wasi_write", "wasi_poll"} {
		m := load(t, name, Limits{Fuel: 100_000_000})
		_, err := m.Call(ctx0, abi.HookDialog, make([]byte, abi.DefaultEventBytes), nil)
		if f := faultOf(t, err); f.Kind != FaultFuel {
			t.Errorf("%s: fault is %v", name, f)
		}
	}
}

// A garbage collection stops the world, and has to wait for a guest that never ends, but only until its ration is used
// up. Without rations the first would wait for the end of the call, be it when it stops the world or in between, where
// the histogram does not show it: so collections are counted too. Others may have the processor, so one of twenty calls
// will do.
func TestTheWorldStopsForASpinningGuestAMomentOnly(t *testing.T) {
	limits := tight
	limits.HookTimeout = 400 * time.Millisecond
	for _, name := range []string{"spin", "recursion_wide", "call_tree", "slow_memory", "fill"} {
		t.Run(name, func(t *testing.T) {
			m := load(t, name, limits)
			for range 20 {
				before := stops()
				collections := collectBeside(t, m)
				longest := longestStop(before, stops())
				t.Logf("%d collections beside the guest, the longest stop took %v or a little more", collections, longest)
				if collections >= 2 && longest < limits.HookTimeout/2 {
					return
				}
			}
			t.Errorf("the world could not be stopped while the guest was spinning for %v", limits.HookTimeout)
		})
	}
}

// collectBeside calls a guest that never ends, and counts the garbage collections that end before it.
func collectBeside(t *testing.T, m *Module) (collections int) {
	t.Helper()
	ended := make(chan error, 1)
	go func() {
		_, err := m.Call(ctx0, abi.HookDialog, nil, nil)
		ended <- err
	}()
	for {
		runtime.GC()
		select {
		case err := <-ended:
			if f := faultOf(t, err); f.Kind != FaultDeadline {
				t.Errorf("fault is %v", f)
			}
			return collections
		default:
			collections++
		}
	}
}

// longestStop returns the lower bound of the last bucket that grew.
func longestStop(before, after *metrics.Float64Histogram) time.Duration {
	for n := len(after.Counts) - 1; n > 0; n-- {
		if after.Counts[n] > before.Counts[n] {
			return time.Duration(after.Buckets[n] * float64(time.Second))
		}
	}
	return 0
}

// stops is how long it took to stop the world for garbage collections, in seconds.
func stops() *metrics.Float64Histogram {
	sample := []metrics.Sample{{Name: "/sched/pauses/stopping/gc:seconds"}}
	metrics.Read(sample)
	h := *sample[0].Value.Float64Histogram()
	h.Counts = slices.Clone(h.Counts)
	return &h
}
