package lifecycle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var ctx0 = context.Background()

// patient is for machines that are busy with other things.
var patient = plugin.Limits{HookTimeout: time.Minute, InitTimeout: time.Minute, Instances: 4}

// fixture returns a module of this package, or of the runtime's.
func fixture(t testing.TB, name string) []byte {
	t.Helper()
	for _, folder := range []string{"testdata", filepath.Join("..", "testdata")} {
		if wasm, err := os.ReadFile(filepath.Join(folder, name+".wasm")); err == nil {
			return wasm
		}
	}
	t.Fatalf("no fixture %s", name)
	return nil
}

// stamped is the module "answer" or "frames" with another stamp, so that its answers are its own.
func stamped(t testing.TB, name, stamp string) []byte {
	t.Helper()
	const mark = "stamp000"
	if len(stamp) != len(mark) {
		t.Fatalf("the stamp %q has %d bytes, want %d", stamp, len(stamp), len(mark))
	}
	return bytes.ReplaceAll(fixture(t, name), []byte(mark), []byte(stamp))
}

// shelf gives modules to an engine by their path, beside those that a source has in it.
type shelf map[string][]byte

func (s shelf) fetch(_ context.Context, name string, source Source, _ []string, _ int64) (Fetched, error) {
	switch wasm := s[source.Path]; {
	case source.Wasm != nil:
		return Fetched{Wasm: source.Wasm, Source: "bytes"}, nil
	case wasm != nil:
		return Fetched{Wasm: wasm, Source: source.Path}, nil
	}
	return Fetched{}, &plugin.LoadError{Step: plugin.StepRead, Module: name, Detail: "no such file", Err: os.ErrNotExist}
}

// world is an engine with a journal that ends with its test.
type world struct {
	*Engine
	t       testing.TB
	ring    *journal.Ring
	changed chan struct{} // has an item after a change
	store   guestio.Store
}

func newWorld(t testing.TB, configure ...func(*Options)) *world {
	t.Helper()
	w := &world{t: t, ring: journal.NewRing(1000, 16<<20), changed: make(chan struct{}, 1)}
	o := Options{
		Fetch: shelf{}.fetch, Journal: w.ring, Faults: 3, FaultWindow: time.Minute,
		Changed: func() {
			select {
			case w.changed <- struct{}{}:
			default:
			}
		},
		Environment: func(task, name string) guestio.Environment {
			return w.store.Environment(name, task, guestio.Quota{}, nil)
		},
		Fork: func(task, name string) guestio.Environment { return w.store.Fork(name, task, guestio.Quota{}, nil) },
	}
	for _, c := range configure {
		c(&o)
	}
	w.Engine = New(o)
	t.Cleanup(func() {
		w.Close()
		w.settled()
	})
	return w
}

// settled checks that nothing of a closed engine is left.
func (w *world) settled() {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for g := range w.alive {
		w.t.Errorf("generation %d is left with %d users", g.number, g.users.Load())
	}
}

// add adds a plugin that must be accepted.
func (w *world) add(name string, wasm []byte, configure ...func(*Spec)) Generation {
	w.t.Helper()
	g, err := w.Add(ctx0, name, w.spec(wasm, configure...), "start")
	if err != nil {
		w.t.Fatal(err)
	}
	return g
}

// spec grants a module everything.
func (w *world) spec(wasm []byte, configure ...func(*Spec)) Spec {
	s := Spec{Source: Source{Wasm: wasm}, Hooks: abi.Hooks(), Limits: patient, Capabilities: abi.Capabilities()}
	for _, c := range configure {
		c(&s)
	}
	return s
}

// swap swaps a module that must be accepted.
func (w *world) swap(name string, wasm []byte) Generation {
	w.t.Helper()
	g, err := w.Swap(ctx0, name, Change{Source: Source{Wasm: wasm}, DropHooks: abi.Hooks()})
	if err != nil {
		w.t.Fatal(err)
	}
	return g
}

// shadowed puts a candidate beside that must be accepted.
func (w *world) shadowed(name string, wasm []byte, tasks ...string) Shadow {
	w.t.Helper()
	s, err := w.Shadow(ctx0, name, Change{Source: Source{Wasm: wasm}, Tasks: tasks, DropHooks: abi.Hooks()})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// dialog asks about a dialog and returns the verdict.
func (w *world) dialog(task string) (abi.DialogVerdict, Outcome) {
	e := abi.DialogEvent{Header: abi.Header{TaskID: task}, DialogID: "d-1", Type: abi.DialogTypeConfirm}
	var v abi.DialogVerdict
	out := w.Ask(ctx0, Question{Hook: abi.HookDialog, Task: task, Header: &e.Header, Encode: e.Append, Decode: v.Unmarshal})
	return v, out
}

// says is the rule of the verdict on a dialog, or what else came of it.
func (w *world) says() string {
	v, out := w.dialog("task")
	switch {
	case out.Fault != "":
		return "fault: " + out.Fault
	case !out.Decided:
		return "abstained"
	case v.HasText && v.Text != v.Rule:
		return fmt.Sprintf("half an answer: %q and %q", v.Text, v.Rule)
	}
	return v.Rule
}

// wantSays fails the test unless the plugins say so.
func (w *world) wantSays(want string) {
	w.t.Helper()
	if got := w.says(); got != want {
		w.t.Errorf("the plugins say %q, want %q", got, want)
	}
}

// states are those of a plugin's history, newest first.
func (w *world) states(name string) string {
	w.t.Helper()
	list, err := w.History(name)
	if err != nil {
		w.t.Fatal(err)
	}
	var text []string
	for _, g := range list {
		text = append(text, fmt.Sprintf("%d %s %s", g.Number, g.State, g.Trigger))
	}
	return fmt.Sprint(text)
}

// plugin describes one plugin.
func (w *world) plugin(name string) Info {
	w.t.Helper()
	for _, p := range w.Plugins() {
		if p.Name == name {
			return p
		}
	}
	w.t.Fatalf("no plugin %s", name)
	return Info{}
}

// drained waits until every generation but those in a seat is closed.
func (w *world) drained() {
	w.t.Helper()
	seated := map[*generation]bool{}
	for _, m := range w.members() {
		s := m.seat.Load()
		seated[s.serving] = true
		if s.candidate != nil {
			seated[s.candidate.generation] = true
		}
	}
	w.mu.Lock()
	var leaving []*generation
	for g := range w.alive {
		if !seated[g] {
			leaving = append(leaving, g)
		}
	}
	w.mu.Unlock()
	for _, g := range leaving {
		<-g.ended
	}
}

// refusedAt returns the step at which a module was refused.
func refusedAt(t testing.TB, err error) *plugin.LoadError {
	t.Helper()
	var load *plugin.LoadError
	if !errors.As(err, &load) {
		t.Fatalf("error is %v, want a *plugin.LoadError", err)
	}
	return load
}
