package plugin

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// misbehaviour is what the misbehave fixture does when the event says so.
type misbehaviour struct {
	name    string
	event   byte
	fault   FaultKind
	endless bool // it goes on until fuel, time or caller end it
	verdict bool // it is a fault only where a verdict is wanted
}

var misbehaviours = []misbehaviour{
	{name: "traps", event: 1, fault: FaultTrap},
	{name: "spins", event: 2, fault: FaultFuel, endless: true},
	{name: "recurses", event: 3, fault: FaultStack},
	{name: "grows", event: 4, fault: FaultMemory},
	{name: "writes outside", event: 5, fault: FaultTrap},
	{name: "returns too much", event: 6, fault: FaultOversize, verdict: true},
	{name: "returns garbage", event: 7, fault: FaultBadVerdict},
	{name: "returns an unknown status", event: 8, fault: FaultBadStatus},
	{name: "floods the log", event: 9, fault: FaultFuel, endless: true},
	{name: "exits", event: 10, fault: FaultExit},
	{name: "sleeps", event: 11, fault: FaultFuel, endless: true},
	{name: "asks without end", event: 12, fault: FaultFuel, endless: true},
	{name: "decides nothing", event: 13, fault: FaultNoResult, verdict: true},
	{name: "returns what is outside", event: 14, fault: FaultBadMemory, verdict: true},
	{name: "fills", event: 15, fault: FaultFuel, endless: true},
}

func (b misbehaviour) possible(hook abi.Hook) bool { return !b.verdict || WantsVerdict(hook) }

func stateGranted(s *Source, _ *Options) { s.Capabilities = []abi.Capability{abi.CapabilityState} }

// While some calls misbehave, other calls of the same module and of another are answered. Those that never end by
// themselves run until the others are through, so that these cannot have waited for them.
func TestOtherCallsAreServedWhileOneMisbehaves(t *testing.T) {
	const calls = 10
	limits := Limits{Fuel: noLimit, Instances: 3}
	for _, b := range misbehaviours {
		t.Run(b.name, func(t *testing.T) {
			m, other := load(t, "misbehave", limits, stateGranted), load(t, "ok", limits)
			for _, hook := range abi.Hooks() {
				if !b.possible(hook) {
					continue
				}
				ctx, cancel := context.WithCancel(ctx0)
				var bad, inside sync.WaitGroup
				for range 2 {
					inside.Add(1)
					bad.Go(func() { b.goOn(ctx, t, m, hook, &announced{tell: inside.Done}) })
				}
				inside.Wait()
				for range calls {
					for _, healthy := range []*Module{m, other} {
						if _, verdict, err := call(ctx0, healthy, hook, nil); err != nil || string(verdict) != "\x08\x02" {
							t.Errorf("%s: %s answered %x, %v", hook, healthy.Info().Name, verdict, err)
						}
					}
				}
				cancel()
				bad.Wait()
			}
			if s := other.Stats(); len(s.Faults) != 0 || s.Busy != 0 {
				t.Errorf("the other module: %+v", s)
			}
		})
	}
}

// goOn misbehaves until the context ends, once at least.
func (b misbehaviour) goOn(ctx context.Context, t *testing.T, m *Module, hook abi.Hook, env guestio.Environment) {
	parent, want := ctx0, b.fault
	if b.endless {
		parent, want = ctx, FaultCanceled
	}
	for once := true; once || ctx.Err() == nil; once = false {
		_, err := m.CallIn(parent, env, hook, []byte{b.event}, rejectGarbage)
		if f := faultIn(err); f == nil || f.Kind != want {
			t.Errorf("%s: got %v, want %s", hook, err, want)
		}
	}
}

// faultIn is faultOf for other goroutines than the test's: nil where there is no fault.
func faultIn(err error) (f *Fault) {
	errors.As(err, &f)
	return f
}

// announced is an environment that tells when it is first asked.
type announced struct {
	stuck
	once sync.Once
	tell func()
}

func (a *announced) StateGet(key string) ([]byte, abi.Code) {
	a.once.Do(a.tell)
	return a.stuck.StateGet(key)
}

// Whatever a call did, its instance is gone after it, and with it all its memory.
func TestMisbehavingGivesEverythingBack(t *testing.T) {
	const rounds, bound = 200, 4 << 20 // an instance has 64 KiB at least, so less than a third may be left
	for _, b := range misbehaviours {
		t.Run(b.name, func(t *testing.T) {
			fuel := int64(200_000)
			if b.fault == FaultMemory {
				fuel = 50 * fuel // growing takes a unit for each byte
			}
			m := load(t, "misbehave", Limits{Fuel: fuel, MemoryBytes: 4 << 20, Instances: 2}, stateGranted)
			misbehave := func(rounds int) {
				for n := range rounds {
					hook := abi.Hooks()[n%len(abi.Hooks())]
					if !b.possible(hook) {
						continue
					}
					_, err := m.Call(ctx0, hook, []byte{b.event}, rejectGarbage)
					// How deep the stack of a guest may be is measured in bytes; fuel can end before it.
					if f := faultOf(t, err); f.Kind != b.fault && (b.event != 3 || f.Kind != FaultFuel) {
						t.Fatalf("%s: fault is %v", hook, f)
					}
					if s := m.Stats(); s.InstancesLive != 0 || s.MemoryBytes != 0 || s.InstancesClosed != s.InstancesCreated {
						t.Fatalf("%s: stats are %+v", hook, s)
					}
				}
			}
			misbehave(2 * len(abi.Hooks())) // what is made once is not a leak
			before := heap()
			misbehave(rounds)
			if after := heap(); after > before+bound {
				t.Errorf("the heap grew from %d to %d bytes", before, after)
			}
		})
	}
}

// stuck is an environment that answers only when its channel is closed, or at once if it has none.
type stuck struct {
	guestio.Nothing
	until <-chan struct{}
}

func (s stuck) StateGet(string) ([]byte, abi.Code) {
	if s.until != nil {
		<-s.until
	}
	return nil, abi.CodeNotFound
}

// A host that is stuck in an answer ends the call when it comes back: not as the guest's own lack of time. The clock of
// the test stands still but while the host is stuck.
func TestAHostThatAnswersTooLateIsNotTheGuestsFault(t *testing.T) {
	cases := map[string]struct {
		caller, host time.Duration // the time that the caller has, and that the host takes
		want         FaultKind
	}{
		"in time":                  {time.Hour, time.Second, FaultFuel}, // it asks on until then
		"after the module's limit": {time.Hour, 3 * time.Minute, FaultInternal},
		"after the caller's":       {time.Minute, 3 * time.Minute, FaultCanceled},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := load(t, "misbehave", Limits{HookTimeout: 2 * time.Minute, Fuel: 1_000_000}, stateGranted)
				ctx, cancel := context.WithTimeout(ctx0, c.caller)
				defer cancel()
				until, stop := context.WithTimeout(ctx0, c.host)
				defer stop()
				_, err := m.CallIn(ctx, stuck{until: until.Done()}, abi.HookDialog, []byte{12}, nil)
				if f := faultOf(t, err); f.Kind != c.want {
					t.Errorf("fault is %v, want %s", f, c.want)
				}
				if s := m.Stats(); s.InstancesLive != 0 || s.InstancesClosed != 1 {
					t.Errorf("stats are %+v", s)
				}
			})
		})
	}
}

// Other calls go on while the host is stuck in an answer to one.
func TestOtherCallsAreServedWhileTheHostIsStuck(t *testing.T) {
	m := load(t, "misbehave", Limits{Instances: 2}, stateGranted)
	for _, hook := range abi.Hooks() {
		asked, until := make(chan struct{}), make(chan struct{})
		ctx, cancel := context.WithCancel(ctx0)
		ended := make(chan error, 1)
		go func() {
			_, err := m.CallIn(ctx, &announced{stuck: stuck{until: until}, tell: func() { close(asked) }}, hook, []byte{12}, nil)
			ended <- err
		}()
		<-asked
		for range 10 {
			if _, err := m.Call(ctx0, hook, nil, nil); err != nil {
				t.Errorf("%s: %v", hook, err)
			}
		}
		cancel()
		close(until)
		if f := faultOf(t, <-ended); f.Kind != FaultCanceled {
			t.Errorf("%s: fault is %v", hook, f)
		}
	}
}

// broken is an environment that panics.
type broken struct{ guestio.Nothing }

func (broken) StateGet(string) ([]byte, abi.Code) { panic("out of order") }

func TestAnEnvironmentThatPanicsEndsTheCallOnly(t *testing.T) {
	m := load(t, "misbehave", Limits{}, stateGranted)
	for _, hook := range abi.Hooks() {
		_, err := m.CallIn(ctx0, broken{}, hook, []byte{12}, nil)
		if f := faultOf(t, err); f.Kind != FaultInternal {
			t.Errorf("%s: fault is %v", hook, f)
		}
		if s := m.Stats(); s.InstancesLive != 0 {
			t.Errorf("%s: stats are %+v", hook, s)
		}
		if _, err := m.Call(ctx0, hook, nil, nil); err != nil {
			t.Errorf("%s: %v", hook, err)
		}
	}
}
