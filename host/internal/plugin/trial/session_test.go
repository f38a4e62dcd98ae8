package trial

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/selftest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patient is for machines that are busy with other things.
var patient = plugin.Limits{HookTimeout: time.Minute, InitTimeout: time.Minute}

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	wasm, err := os.ReadFile(filepath.Join("..", "testdata", name+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func start(t *testing.T, wasm []byte, o Options) (*Session, error) {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	s, err := Start(t.Context(), plugin.Source{Name: "tried", Bytes: wasm, Limits: patient}, "", o, nil)
	if err == nil {
		t.Cleanup(s.Close)
	}
	return s, err
}

// lostTo fails the test unless the error says that the trial was ended for that reason.
func lostTo(t *testing.T, err error, reason Reason) *Error {
	t.Helper()
	var lost *Error
	if !errors.As(err, &lost) || lost.Reason != reason {
		t.Fatalf("error is %v, want one of %q", err, reason)
	}
	return lost
}

func TestAModuleAnswersInTheChildAsItDoesHere(t *testing.T) {
	s, err := start(t, fixture(t, "echo"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	here, err := plugin.Load(t.Context(), plugin.Source{Name: "tried", Bytes: fixture(t, "echo"), Limits: patient}, plugin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	event, _ := selftest.Event(abi.HookDialog)
	want, wantErr := here.Call(t.Context(), abi.HookDialog, event, func(verdict []byte) error {
		return conformance.CheckVerdict(abi.HookDialog, event, verdict)
	})
	got, _, gotErr, lost := s.Ask(t.Context(), "in a test", Call{Hook: abi.HookDialog, Event: event})
	if lost != nil {
		t.Fatal(lost)
	}
	if got.Status != want.Status || got.Fuel != want.Fuel || fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
		t.Errorf("the child says %+v, %v; here it is %+v, %v", got, gotErr, want, wantErr)
	}
}

func TestRefusalsAndFaultsComeBackAsTheyAre(t *testing.T) {
	for _, name := range []string{"load_unknown_import", "init_error", "init_trap"} {
		_, err := start(t, fixture(t, name), Options{})
		_, want := plugin.Load(t.Context(), plugin.Source{Name: "tried", Bytes: fixture(t, name), Limits: patient}, plugin.Options{})
		var refused *plugin.LoadError
		if !errors.As(err, &refused) || err.Error() != want.Error() {
			t.Errorf("%s: the child says %v; here it is %v", name, err, want)
		}
	}
	s, err := start(t, fixture(t, "trap"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var fault *plugin.Fault
	if err, lost := s.SelfTest(t.Context(), abi.HookDialog); lost != nil || !errors.As(err, &fault) || fault.Kind != plugin.FaultTrap {
		t.Errorf("the self-test ends with %v, %v", err, lost)
	}
	_, _, err, lost := s.Ask(t.Context(), "in a test", Call{Hook: "hermes_on_nothing"})
	if lost != nil || !errors.Is(err, plugin.ErrNoHook) {
		t.Errorf("a hook that it has not is answered with %v, %v", err, lost)
	}
}

// What a guest outside of its meter does to a process is done to the child alone.
func TestAChildThatMisbehavesIsEndedAndTheErrorSaysWhy(t *testing.T) {
	for _, test := range []struct {
		does   string
		o      Options
		reason Reason
		want   []string
	}{
		{"spin", Options{Timeout: 2 * time.Second}, Hung, []string{"compiling and initialising", "2s", "killed"}},
		{"chatter", Options{Timeout: 2 * time.Second}, Crashed, nil},
		{"crash", Options{}, Crashed, []string{"the child fell over", "exit status 2"}},
		{"environment", Options{}, Crashed, []string{`it wrote "HERMES_CDP_TRIAL=answer-jobs-from-standard-input"`}},
	} {
		t.Run(test.does, func(t *testing.T) {
			t.Setenv("A_SECRET", "of the host")
			test.o.Command = []string{os.Args[0], test.does}
			_, err := start(t, fixture(t, "echo"), test.o)
			lost := lostTo(t, err, test.reason)
			for _, want := range test.want {
				if !strings.Contains(lost.Error(), want) {
					t.Errorf("the error is %q, want %q in it", lost, want)
				}
			}
		})
	}
}

// A busy machine lets a child run too little to be ready in time.
func TestAChildHasTimeLeftWhileItIsNotLetRun(t *testing.T) {
	const limit = 10 * time.Second
	for _, c := range []struct {
		name               string
		passed, used, left time.Duration
	}{
		{"it ran all the time", limit, limit, 0},
		{"it ran on two processors", limit, 2 * limit, 0},
		{"it hardly ran", limit, time.Second, 9 * time.Second},
		{"it has run for as long by now", 3 * limit, limit, 0},
		{"it waits for something else", patience * limit, 0, 0},
		{"and is nearly given up", patience*limit - time.Second, 0, time.Second},
		{"it ended", limit, -time.Second, limit + time.Second},
	} {
		if left := timeLeft(c.passed, c.used, limit); left != c.left {
			t.Errorf("%s: %v is left, want %v", c.name, left, c.left)
		}
	}
}

func TestAProgramThatCannotBeStartedIsNoTrial(t *testing.T) {
	_, err := start(t, fixture(t, "echo"), Options{Command: []string{filepath.Join(t.TempDir(), "none")}})
	if lost := lostTo(t, err, Unavailable); !strings.Contains(lost.Error(), "switch trials off") {
		t.Errorf("the error is %q", lost)
	}
}

func TestTheEndOfTheCallersContextEndsTheChild(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(plugin.ErrClosed) })
	_, err := Start(ctx, plugin.Source{Name: "tried", Bytes: fixture(t, "echo")}, "", Options{Command: []string{os.Args[0], "spin"}, Timeout: time.Hour}, nil)
	if !errors.Is(err, plugin.ErrClosed) {
		t.Errorf("error is %v", err)
	}
}

// The engine's compiler takes far more memory for a loop than the loop takes in the file, and for some shapes more time
// than anyone waits.
func TestAModuleOfTinyLoopsTakesNeitherAllMemoryNorAllTime(t *testing.T) {
	_, err := start(t, tinyLoops(t, 4<<20-1000, 1), Options{Timeout: 5 * time.Minute})
	lost := lostTo(t, err, Memory)
	var used, limit int64
	if _, err := fmt.Sscanf(lost.Detail, "used %d MiB of memory, over its limit of %d MiB, so the child was killed", &used, &limit); err != nil || used <= limit {
		t.Errorf("the error is %q", lost)
	}
	_, err = start(t, tinyLoops(t, 4<<20-1000, 10), Options{Timeout: 3 * time.Second, MemoryBytes: 1 << 40})
	lostTo(t, err, Hung)
}
