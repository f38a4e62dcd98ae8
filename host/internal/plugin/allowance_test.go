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
	// What can not be filled is a trap, not a lack of fuel.
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
		{"only the default", 0, 0, "limit of 500000000 units", "raise limits.fuel of the plugin, which is 500000000 a call"},
		{"only the limit", 9_000_000, 0, "limit of 9000000 units", "raise limits.fuel of the plugin, which is 9000000 a call"},
		{"the manifest asks for less", 9_000_000, 8_000_000, "limit of 8000000 units", "its manifest asks for 8000000 a call: raise fuel there"},
		{"the manifest asks for more", 9_000_000, 1 << 60, "limit of 9000000 units", "raise limits.fuel of the plugin"},
		{"less than a ration", 1000, 0, "limit of 1000 units", "raise limits.fuel of the plugin"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, "spin", Limits{Fuel: c.limit}, func(s *Source, _ *Options) {
				manifest := abi.Manifest{Name: "spin", Fuel: c.manifest}
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
	m := load(t, "import_loop", Limits{Fuel: 100_000_000})
	_, err := m.Call(ctx0, abi.HookDialog, make([]byte, abi.DefaultEventBytes), nil)
	if f := faultOf(t, err); f.Kind != FaultFuel {
		t.Errorf("fault is %v", f)
	}
}

// A garbage collection stops the world, and has to wait for a spinning guest, but only until its ration is used up.
func TestTheWorldStopsForASpinningGuestAMomentOnly(t *testing.T) {
	for _, name := range []string{"spin", "slow_memory", "fill"} {
		t.Run(name, func(t *testing.T) {
			m := load(t, name, tight)
			before := stops()
			ended := make(chan error, 1)
			go func() {
				_, err := m.Call(ctx0, abi.HookDialog, nil, nil)
				ended <- err
			}()
			for spinning := true; spinning; {
				runtime.GC()
				select {
				case err := <-ended:
					spinning = false
					if f := faultOf(t, err); f.Kind != FaultDeadline {
						t.Errorf("fault is %v", f)
					}
				default:
				}
			}
			after := stops()
			total, short := uint64(0), uint64(0)
			for n, count := range after.Counts {
				count -= before.Counts[n]
				total += count
				if after.Buckets[n+1] <= 0.005 {
					short += count
				}
			}
			t.Logf("%d of %d stops within 5 ms", short, total)
			if total < 2 { // without rations the first would wait for the guest's end
				t.Errorf("the world could be stopped %d times while the guest was spinning", total)
			}
		})
	}
}

// stops is how long it took to stop the world for garbage collections, in seconds.
func stops() *metrics.Float64Histogram {
	sample := []metrics.Sample{{Name: "/sched/pauses/stopping/gc:seconds"}}
	metrics.Read(sample)
	h := *sample[0].Value.Float64Histogram()
	h.Counts = slices.Clone(h.Counts)
	return &h
}
