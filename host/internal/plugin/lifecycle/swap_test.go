package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

func TestASwapTakesEffectForTheNextCall(t *testing.T) {
	w := newWorld(t)
	w.add("policy", stamped(t, "answer", "stamp--A"))
	w.wantSays("stamp--A")
	g := w.swap("policy", stamped(t, "answer", "stamp--B"))
	w.wantSays("stamp--B")
	if g.Number != 2 || g.State != StateServing || g.Trigger != "api" || g.Source != "bytes" || len(g.SHA256) != 64 {
		t.Errorf("the generation is %+v", g)
	}
	_, out := w.dialog("task")
	if c := out.Calls[0]; c.Generation != 2 || c.SHA256 != g.SHA256 || c.Module != "policy" {
		t.Errorf("the call names %+v", c)
	}
	w.drained()
	if got := w.states("policy"); got != "[2 serving api 1 retired start]" {
		t.Errorf("the history is %s", got)
	}
	if p := w.plugin("policy"); p.Tally.Swaps != 1 || p.Stats.Calls != 3 || p.Serving.Calls != 2 {
		t.Errorf("the plugin is %+v", p)
	}
}

func TestHooksComeAndGoWithTheModule(t *testing.T) {
	w := newWorld(t)
	w.add("mine", stamped(t, "answer", "stamp--A"), func(s *Spec) { s.Priority = 1 })
	w.add("shipped", stamped(t, "answer", "stamp--S"), func(s *Spec) { s.Shipped = true })
	w.wantSays("stamp--A")
	if w.Serves(abi.HookFrames) {
		t.Error("the frames hook is served")
	}
	w.swap("mine", fixture(t, "frames"))
	w.wantSays("stamp--S")
	if !w.Serves(abi.HookFrames) || !w.Serves(abi.HookDialogClosed) || w.Deadline(abi.HookFrames) != patient.HookTimeout {
		t.Error("the new module's hooks are not served")
	}
	w.swap("mine", stamped(t, "answer", "stamp--B"))
	w.wantSays("stamp--B")
	if w.Serves(abi.HookFrames) || w.Deadline(abi.HookFrames) != 0 {
		t.Error("the old module's hooks are served")
	}
}

// Every step that can refuse a module leaves the one in service as it is.
func TestARefusedModuleNeverServes(t *testing.T) {
	errSchema := errors.New(`config.policy is "no"; it is one of "yes"`)
	cases := []struct {
		name   string
		change func(t *testing.T) Change
		step   plugin.Step
		want   string
	}{
		{"a file that is not there", func(*testing.T) Change { return Change{Source: Source{Path: "no.wasm"}} }, plugin.StepRead, "no such file"},
		{"what is not a module", func(*testing.T) Change { return Change{Source: Source{Wasm: []byte("text")}} }, plugin.StepParse, "magic"},
		{"a module for nobody", fixed("load_no_marker"), plugin.StepExports, "hermes_abi_v1"},
		{"an unknown import", fixed("load_unknown_import"), plugin.StepImports, "did you mean result_write?"},
		{"a configuration that the schema does not allow", func(t *testing.T) Change {
			return Change{Source: Source{Wasm: withSchema(t, "answer")}, Config: map[string]any{"policy": "no"}}
		}, plugin.StepConfig, errSchema.Error()},
		{"a configuration that is not JSON", func(t *testing.T) Change {
			return Change{Source: Source{Wasm: fixture(t, "answer")}, Config: map[string]any{"c": make(chan int)}}
		}, plugin.StepConfig, "cannot be encoded"},
		{"a configuration that the module refuses", fixed("init_error"), plugin.StepInit, "rule 3 has no action"},
		{"a trap in the self-test", fixed("trap"), plugin.StepSelfTest, "trap"},
		{"a verdict that cannot be used", fixed("unknown_verdict"), plugin.StepSelfTest, "action 99"},
		{"a trap on a recent call", fixed("trap_later"), plugin.StepReplay, "it failed on the recent call"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, func(o *Options) {
				o.CheckConfig = func(string, map[string]any) error { return errSchema }
			})
			good := w.add("policy", stamped(t, "answer", "stamp--A"))
			w.wantSays("stamp--A")
			_, err := w.Swap(ctx0, "policy", c.change(t))
			load := refusedAt(t, err)
			if load.Step != c.step || load.Module != "policy" || !strings.Contains(load.Detail, c.want) {
				t.Errorf("refused at %s: %s; want %s: %s", load.Step, load.Detail, c.step, c.want)
			}
			w.wantSays("stamp--A")
			list, _ := w.History("policy")
			if len(list) != 2 || list[0].State != StateRefused || list[0].Error != err.Error() || list[0].Number != 2 {
				t.Errorf("the history is %+v", list)
			}
			p := w.plugin("policy")
			if p.Serving.SHA256 != good.SHA256 || p.Serving.Number != 1 || p.Tally.Refused != 1 || p.Tally.Swaps != 0 {
				t.Errorf("the plugin is %+v", p)
			}
			for _, call := range w.ring.Recent("", 0) {
				if call.SHA256 != good.SHA256 {
					t.Errorf("a refused module answered call %d", call.Sequence)
				}
			}
			if n := len(w.alive); n != 1 {
				t.Errorf("%d modules are loaded, want 1", n)
			}
		})
	}
}

func fixed(name string) func(t *testing.T) Change {
	return func(t *testing.T) Change { return Change{Source: Source{Wasm: fixture(t, name)}} }
}

// withSchema adds a manifest with a schema to a module that serves the dialog hook.
func withSchema(t *testing.T, name string) []byte {
	m := abi.Manifest{Name: "m", Version: "1.2.3", Hooks: []string{string(abi.HookDialog)}, ConfigSchema: `{"type":"object"}`}
	body := m.Append(append([]byte{byte(len(abi.ManifestSection))}, abi.ManifestSection...))
	return append(append(slices.Clone(fixture(t, name)), 0, byte(len(body))), body...)
}

func TestAPluginThatFailsAtTheStartIsNotThere(t *testing.T) {
	w := newWorld(t)
	_, err := w.Add(ctx0, "policy", Spec{Source: Source{Wasm: fixture(t, "trap")}, Hooks: abi.Hooks(), Limits: patient}, "start")
	if load := refusedAt(t, err); load.Step != plugin.StepSelfTest {
		t.Errorf("refused at %s", load.Step)
	}
	if _, err := w.History("policy"); !errors.Is(err, fault.ErrUnknownPlugin) {
		t.Errorf("its history: %v", err)
	}
	w.wantSays("abstained")
}

func TestPluginsComeAndGo(t *testing.T) {
	w := newWorld(t)
	w.add("policy", stamped(t, "answer", "stamp--A"))
	if _, err := w.Add(ctx0, "policy", Spec{Source: Source{Wasm: fixture(t, "answer")}}, "api"); !errors.Is(err, fault.ErrKnownPlugin) {
		t.Errorf("a second one of the name: %v", err)
	}
	w.wantSays("stamp--A")
	if err := w.Remove(ctx0, "policy"); err != nil {
		t.Error(err)
	}
	w.wantSays("abstained")
	w.drained()
	for name, do := range map[string]func() error{
		"remove":   func() error { return w.Remove(ctx0, "policy") },
		"swap":     func() error { _, err := w.Swap(ctx0, "policy", Change{}); return err },
		"rollback": func() error { _, err := w.Rollback(ctx0, "policy", ""); return err },
		"history":  func() error { _, err := w.History("policy"); return err },
		"shadow":   func() error { _, err := w.Shadow(ctx0, "policy", Change{}); return err },
	} {
		if err := do(); !errors.Is(err, fault.ErrUnknownPlugin) {
			t.Errorf("%s of a plugin that was removed: %v", name, err)
		}
	}
	if n := len(w.alive); n != 0 {
		t.Errorf("%d modules are loaded", n)
	}
}

func TestRollingBackGoesFurtherBackEachTime(t *testing.T) {
	w := newWorld(t)
	w.add("policy", stamped(t, "answer", "stamp--A"), func(s *Spec) { s.Config = map[string]any{"of": "A"} })
	before := w.plugin("policy").Serving
	w.swap("policy", stamped(t, "answer", "stamp--B"))
	if _, err := w.Swap(ctx0, "policy", Change{Source: Source{Wasm: stamped(t, "answer", "stamp--C")}, Config: map[string]any{"of": "C"}}); err != nil {
		t.Fatal(err)
	}
	w.swap("policy", stamped(t, "answer", "stamp--C")) // the same once more is nothing to go back to
	for _, want := range []string{"stamp--B", "stamp--A"} {
		g, err := w.Rollback(ctx0, "policy", "it was better")
		if err != nil {
			t.Fatal(err)
		}
		if g.Trigger != "rollback" || g.Reason != "it was better" || g.ConfigHash != before.ConfigHash {
			t.Errorf("the generation is %+v", g)
		}
		w.wantSays(want)
	}
	if g := w.plugin("policy").Serving; g.SHA256 != before.SHA256 || g.Number == before.Number {
		t.Errorf("the first module is back as %+v", g)
	}
	if _, err := w.Rollback(ctx0, "policy", ""); !errors.Is(err, fault.ErrNoGeneration) {
		t.Errorf("a rollback too many: %v", err)
	}
	w.wantSays("stamp--A")
}

// A module that cannot pass its steps any more is no way back either.
func TestARollbackPassesTheSameSteps(t *testing.T) {
	w := newWorld(t)
	w.add("policy", fixture(t, "trap_later"))
	w.swap("policy", stamped(t, "answer", "stamp--B"))
	w.wantSays("stamp--B")
	_, err := w.Rollback(ctx0, "policy", "")
	if load := refusedAt(t, err); load.Step != plugin.StepReplay {
		t.Errorf("refused at %s", load.Step)
	}
	w.wantSays("stamp--B")
}

func TestTheReplayCountsDifferencesAndRefusesThemOnDemand(t *testing.T) {
	w := newWorld(t)
	w.add("policy", stamped(t, "answer", "stamp--A"))
	for range 5 {
		w.says()
	}
	_, err := w.Swap(ctx0, "policy", Change{Source: Source{Wasm: stamped(t, "answer", "stamp--B")}, RequireSame: true})
	load := refusedAt(t, err)
	if load.Step != plugin.StepReplay || !strings.Contains(load.Detail, "5 of 5") || !strings.Contains(load.Detail, "call 1 of hermes_on_dialog") {
		t.Errorf("refused at %s: %s", load.Step, load.Detail)
	}
	if list, _ := w.History("policy"); list[0].Replayed != 5 || list[0].Differences != 5 {
		t.Errorf("the refused one is %+v", list[0])
	}
	if g := w.swap("policy", stamped(t, "answer", "stamp--B")); g.Replayed != 5 || g.Differences != 5 {
		t.Errorf("the generation is %+v", g)
	}
	w.says()
	if g, err := w.Swap(ctx0, "policy", Change{Source: Source{Wasm: stamped(t, "answer", "stamp--A")}}); err != nil || g.Differences != 1 || g.Replayed != 6 {
		t.Errorf("back to the first: %+v, %v", g, err)
	}
}

// A call that began on a module ends there, however many others came into service meanwhile.
func TestACallEndsOnTheModuleOnWhichItBegan(t *testing.T) {
	w := newWorld(t)
	w.add("policy", stamped(t, "answer", "stamp--A"))
	inside, leave, done := make(chan struct{}), make(chan struct{}), make(chan string)
	go func() {
		e := abi.DialogEvent{}
		var v abi.DialogVerdict
		out := w.Ask(ctx0, Question{Hook: abi.HookDialog, Header: &e.Header, Encode: e.Append, Decode: func(b []byte) error {
			close(inside)
			<-leave
			return v.Unmarshal(b)
		}})
		done <- v.Rule + out.Fault
	}()
	<-inside
	w.swap("policy", stamped(t, "answer", "stamp--B"))
	w.swap("policy", stamped(t, "answer", "stamp--C"))
	w.wantSays("stamp--C")
	if list, _ := w.History("policy"); list[2].State != StateDraining {
		t.Errorf("the first module is %s", list[2].State)
	}
	close(leave)
	if got := <-done; got != "stamp--A" {
		t.Errorf("the call got %q", got)
	}
	w.drained()
	if got := w.states("policy"); got != "[3 serving api 2 retired api 1 retired start]" {
		t.Errorf("the history is %s", got)
	}
	if calls := w.plugin("policy").Stats.Calls; calls != 2 {
		t.Errorf("%d calls are counted, want 2", calls)
	}
}

func TestTheHistoryKeepsTheLastHundredAndWhatIsAlive(t *testing.T) {
	w := newWorld(t)
	w.add("policy", fixture(t, "answer"))
	for range maxHistory + 20 {
		_, _ = w.Swap(ctx0, "policy", Change{Source: Source{Path: "no.wasm"}})
	}
	list, err := w.History("policy")
	if err != nil || len(list) != maxHistory || list[0].Number != maxHistory+21 || list[maxHistory-1].State != StateServing {
		t.Errorf("%d entries, the first %+v, the last %+v, %v", len(list), list[0], list[len(list)-1], err)
	}
}

// Changes of one plugin wait for each other, those of others do not, and all of them end with the engine.
func TestChangesAreSerialisedByPlugin(t *testing.T) {
	inside, leave := make(chan string), make(chan struct{})
	wasm := fixture(t, "answer")
	w := newWorld(t, func(o *Options) {
		o.Fetch = func(ctx context.Context, _ string, s Source, _ []string, _ int64) (Fetched, error) {
			if s.Path == "" {
				return Fetched{Wasm: wasm, Source: "shipped"}, nil
			}
			inside <- s.Path
			select {
			case <-leave:
				return Fetched{Wasm: wasm, Source: s.Path}, nil
			case <-ctx.Done():
				return Fetched{}, context.Cause(ctx)
			}
		}
	})
	for _, name := range []string{"one", "two"} {
		w.add(name, nil)
	}
	results := make(chan error)
	swap := func(ctx context.Context, name, path string) {
		go func() {
			_, err := w.Swap(ctx, name, Change{Source: Source{Path: path}})
			results <- err
		}()
	}
	swap(ctx0, "one", "first of one")
	<-inside
	// Who cannot wait gives up and has changed nothing.
	hasty, cancel := context.WithCancel(ctx0)
	swap(hasty, "one", "hasty")
	cancel()
	if err := <-results; !errors.Is(err, context.Canceled) {
		t.Errorf("the hasty one got %v", err)
	}
	swap(ctx0, "two", "first of two")
	if got := <-inside; got != "first of two" {
		t.Errorf("%q has its turn", got)
	}
	swap(ctx0, "one", "second of one")
	leave <- struct{}{}
	leave <- struct{}{}
	for range 2 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if got := <-inside; got != "second of one" {
		t.Errorf("%q has its turn", got)
	}
	w.Close()
	if err := <-results; !errors.Is(err, plugin.ErrClosed) {
		t.Errorf("the change that was under way got %v", err)
	}
	if _, err := w.Swap(ctx0, "one", Change{}); !errors.Is(err, plugin.ErrClosed) {
		t.Errorf("a change of a closed engine: %v", err)
	}
	if _, out := w.dialog("task"); !errors.Is(out.Err, plugin.ErrClosed) {
		t.Errorf("a question to a closed engine: %+v", out)
	}
}

func TestTheOrderOfPlugins(t *testing.T) {
	w := newWorld(t)
	for i, p := range []struct {
		name     string
		shipped  bool
		priority int
	}{{"b-shipped", true, 0}, {"a-shipped", true, 0}, {"z-mine", false, 0}, {"y-mine", false, 0}, {"last", false, -1}, {"first", true, 2}} {
		w.add(p.name, stamped(t, "answer", fmt.Sprintf("stamp-%02d", i)), func(s *Spec) { s.Shipped, s.Priority = p.shipped, p.priority })
	}
	var order []string
	for _, p := range w.Plugins() {
		order = append(order, p.Name)
	}
	if got := strings.Join(order, " "); got != "first y-mine z-mine a-shipped b-shipped last" {
		t.Errorf("the order is %s", got)
	}
	w.wantSays("stamp-05")
}
