package lifecycle

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// clock is a clock that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// shippedAs makes a module the shipped one of every name.
func shippedAs(wasm []byte) func(*Options) {
	return func(o *Options) {
		o.Shipped = func(string) ([]byte, bool) { return wasm, wasm != nil }
		others := o.Fetch
		o.Fetch = func(ctx context.Context, name string, s Source, sources []string, limit int64) (Fetched, error) {
			if s.Path == "" && s.Wasm == nil && wasm != nil {
				return Fetched{Wasm: wasm, Source: "shipped"}, nil
			}
			return others(ctx, name, s, sources, limit)
		}
	}
}

// fails asks until the plugin failed so often.
func (w *world) fails(times int) {
	w.t.Helper()
	for range times {
		if got := w.says(); !strings.Contains(got, "trap") {
			w.t.Fatalf("the plugins say %q, want a trap", got)
		}
	}
}

func TestAfterTooManyFaultsTheLastGoodModuleIsBack(t *testing.T) {
	var told Conclusion
	w := newWorld(t, shippedAs(stamped(t, "answer", "stamp--S")), func(o *Options) { o.Concluded = func(c Conclusion) { told = c } })
	w.add("policy", stamped(t, "answer", "stamp--A"), func(s *Spec) { s.Config = map[string]any{"of": "A"} })
	good := w.plugin("policy").Serving
	w.swap("policy", fixture(t, "trap_later"))
	<-w.changed
	w.fails(3)
	<-w.changed
	w.wantSays("stamp--A")
	p := w.plugin("policy")
	if p.Tally.Returns != 1 || p.Serving.Trigger != "faults" || p.Serving.SHA256 != good.SHA256 || p.Serving.ConfigHash != good.ConfigHash ||
		!strings.Contains(p.Serving.Reason, "3 faults within 1m0s; the last: ") || p.LastFault.Kind != "trap" {
		t.Errorf("the plugin is %+v", p)
	}
	if told.Plugin != "policy" || told.Did != WentBack || told.Generation.Number != 3 || told.Reason != p.Serving.Reason {
		t.Errorf("told of %+v", told)
	}
	w.drained()
	if got := w.states("policy"); got != "[3 serving faults 2 retired api 1 retired start]" {
		t.Errorf("the history is %s", got)
	}
	if list, _ := w.History("policy"); list[1].Faults != 3 {
		t.Errorf("the one that failed is %+v", list[1])
	}
	if _, err := w.Rollback(ctx0, "policy", ""); !errors.Is(err, fault.ErrNoGeneration) {
		t.Errorf("a rollback to the one that failed: %v", err)
	}
}

// The last good module and the one after it fail on the same events; the shipped one is the third choice, the host the
// last.
func TestTheLadderDown(t *testing.T) {
	// The same with a custom section.
	other := func(t *testing.T) []byte { return append(fixture(t, "trap_later"), 0, 2, 1, 'x') }
	for _, tc := range []struct {
		name    string
		shipped []byte
		want    string
		history string
	}{
		{"to the shipped one", stamped(t, "answer", "stamp--S"), "stamp--S", "[5 serving faults 4 refused faults 3 retired api 2 retired api 1 retired start]"},
		{"to the host", nil, `fault: plugin "policy" is out of service: 3 faults within`, "[4 refused faults 3 retired api 2 retired api 1 retired start]"},
		{"to the host, as the shipped one is refused", fixture(t, "init_error"), `fault: plugin "policy" is out of service: 3 faults within`,
			"[5 refused faults 4 refused faults 3 retired api 2 retired api 1 retired start]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t, shippedAs(tc.shipped))
			w.add("policy", stamped(t, "answer", "stamp--A"))
			w.add("next", stamped(t, "answer", "stamp--N"), func(s *Spec) { s.Priority = -1 })
			<-w.changed
			w.swap("policy", other(t))
			w.swap("policy", fixture(t, "trap_later"))
			<-w.changed
			w.dialogFrom("good") // which the last good module is tried on before it may serve again
			w.fails(2)
			<-w.changed
			if got := w.says(); !strings.HasPrefix(got, tc.want) {
				t.Errorf("the plugins say %q, want %q", got, tc.want)
			}
			w.drained()
			if got := w.states("policy"); got != tc.history {
				t.Errorf("the history is %s, want %s", got, tc.history)
			}
		})
	}
}

// Going back to what an operator chose before is no giving way; to take the shipped module for a guard is.
func TestAGuardIsNotReplacedByTheShippedModule(t *testing.T) {
	guarded := func(o *Options) { o.DialogFailClosed = true }
	shipped := shippedAs(stamped(t, "answer", "stamp--S"))
	t.Run("it leaves service", func(t *testing.T) {
		w := newWorld(t, shipped, guarded)
		w.add("policy", fixture(t, "trap_later"))
		<-w.changed
		w.fails(3)
		<-w.changed
		if got := w.says(); !strings.HasPrefix(got, `fault: plugin "policy" is out of service: 3 faults within`) {
			t.Errorf("the plugins say %q", got)
		}
	})
	t.Run("the last good module is back", func(t *testing.T) {
		w := newWorld(t, shipped, guarded)
		w.add("policy", stamped(t, "answer", "stamp--A"))
		<-w.changed
		w.swap("policy", fixture(t, "trap_later"))
		<-w.changed
		w.fails(3)
		<-w.changed
		w.wantSays("stamp--A")
	})
	t.Run("where it decides on other things it is", func(t *testing.T) {
		w := newWorld(t, shippedAs(fixture(t, "abstain")), guarded)
		w.add("policy", fixture(t, "trap_later"), grants(abi.HookFrames), ignoring)
		<-w.changed
		for range 3 {
			w.frames()
		}
		<-w.changed
		if p := w.plugin("policy"); p.State != StateServing || p.Serving.Source != "shipped" {
			t.Errorf("the plugin is %+v", p)
		}
	})
}

// frames asks about a tree.
func (w *world) frames() Outcome {
	e := abi.FramesEvent{Header: abi.Header{TaskID: "task"}}
	return w.Ask(ctx0, Question{Hook: abi.HookFrames, Task: "task", Header: &e.Header, Encode: e.Append})
}

// dialogFrom asks for a task and lets come of it what will.
func (w *world) dialogFrom(task string) { _, _ = w.dialog(task) }

func TestWhatThePluginsOfAnOutageDecidedIsTheHostsToDecide(t *testing.T) {
	w := newWorld(t)
	w.add("policy", fixture(t, "trap_later"), func(s *Spec) { s.Priority = 1 })
	w.add("next", stamped(t, "answer", "stamp--N"))
	<-w.changed
	w.fails(3)
	<-w.changed
	_, out := w.dialog("task")
	if out.Decided || !errors.Is(out.Err, fault.ErrOutOfService) || !strings.Contains(out.Fault, "swap its module or roll it back") {
		t.Errorf("the outcome is %+v", out)
	}
	if p := w.plugin("policy"); p.State != StateOut || p.Outage == "" || p.Tally.Returns != 1 || p.Serving.Number != 0 || len(p.Hooks) != 2 {
		t.Errorf("the plugin is %+v", p)
	}
	if !w.Serves(abi.HookFrames) || w.Deadline(abi.HookFrames) != 0 {
		t.Error("the hook of an outage is not the plugin's any more")
	}
	// An operator brings it back.
	w.swap("policy", stamped(t, "answer", "stamp--B"))
	w.wantSays("stamp--B")
	if p := w.plugin("policy"); p.State != StateServing || p.Outage != "" {
		t.Errorf("the plugin is %+v", p)
	}
}

func TestOnlyFaultsOfTheModuleWithinTheWindowCount(t *testing.T) {
	c := &clock{now: time.Unix(1e9, 0)}
	w := newWorld(t, func(o *Options) { o.Now = c.Now })
	w.add("policy", fixture(t, "trap_later"))
	<-w.changed
	w.fails(2)
	c.pass(time.Minute + time.Nanosecond)
	w.fails(2)
	// Callers who gave up are no fault of the module's.
	gone, cancel := context.WithCancel(ctx0)
	cancel()
	for range 5 {
		e := abi.DialogEvent{}
		w.Ask(gone, Question{Hook: abi.HookDialog, Header: &e.Header, Encode: e.Append})
	}
	m, _ := w.member("policy")
	for range 5 {
		w.faulted(m, m.seat.Load().serving, &plugin.Fault{Kind: plugin.FaultCanceled})
	}
	if p := w.plugin("policy"); p.State != StateServing || p.Tally.Returns != 0 {
		t.Errorf("the plugin is %+v", p)
	}
	c.pass(time.Minute - time.Nanosecond) // the last two are just within the window
	w.fails(1)
	<-w.changed
	if p := w.plugin("policy"); p.State != StateOut {
		t.Errorf("the plugin is %+v", p)
	}
}

func TestAHostThatIsToldSoNeverGoesBack(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.Faults = -1 })
	w.add("policy", fixture(t, "trap_later"))
	w.fails(50)
	if p := w.plugin("policy"); p.State != StateServing || p.Stats.FaultsCounted() != 50 {
		t.Errorf("the plugin is %+v", p)
	}
}

// A module that an operator replaced in the same moment is not replaced once more.
func TestAReplacedModuleIsNotDeposed(t *testing.T) {
	w := newWorld(t)
	w.add("policy", fixture(t, "trap_later"))
	m, _ := w.member("policy")
	old := m.seat.Load().serving
	if !old.acquire() {
		t.Fatal("the module is not alive")
	}
	defer old.release()
	w.swap("policy", stamped(t, "answer", "stamp--B"))
	for range 3 {
		w.faulted(m, old, &plugin.Fault{Kind: plugin.FaultTrap})
	}
	// The next change of the plugin comes after what the faults caused, if anything.
	if _, err := w.Rollback(ctx0, "other", ""); !errors.Is(err, fault.ErrUnknownPlugin) {
		t.Error(err)
	}
	w.wantSays("stamp--B")
	if p := w.plugin("policy"); p.Tally.Returns != 0 || p.Serving.Number != 2 {
		t.Errorf("the plugin is %+v", p)
	}
}

func TestACandidateThatFailsItsTasksIsDropped(t *testing.T) {
	w := newWorld(t)
	w.add("policy", stamped(t, "answer", "stamp--A"))
	w.shadowed("policy", fixture(t, "trap_later"), "task")
	<-w.changed
	w.fails(3)
	<-w.changed
	w.wantSays("stamp--A")
	if _, err := w.Candidate("policy"); !errors.Is(err, fault.ErrNoCandidate) {
		t.Errorf("the candidate: %v", err)
	}
	list, _ := w.History("policy")
	if !strings.Contains(list[0].Error, "3 faults within") || w.plugin("policy").Tally.Returns != 1 {
		t.Errorf("the candidate is %+v", list[0])
	}
}
