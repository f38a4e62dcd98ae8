package lifecycle

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/trial"
)

func tried(o trial.Options) func(*Options) {
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	return func(options *Options) { options.Trial = &o }
}

// What a swap comes to does not depend on where the module was rehearsed.
func TestARehearsalInAChildComesToTheSame(t *testing.T) {
	here, there := newWorld(t), newWorld(t, tried(trial.Options{}))
	var lines [2][]Generation
	for n, w := range []*world{here, there} {
		w.add("policy", stamped(t, "answer", "stamp001"))
		for range 3 {
			w.dialog("task")
		}
		_, same := w.Swap(ctx0, "policy", Change{Source: Source{Wasm: stamped(t, "answer", "stamp002")}, RequireSame: true})
		_, fault := w.Swap(ctx0, "policy", Change{Source: Source{Wasm: fixture(t, "trap")}})
		_, refused := w.Swap(ctx0, "policy", Change{Source: Source{Wasm: fixture(t, "init_error")}})
		for _, err := range []error{same, fault, refused} {
			var load *plugin.LoadError
			if !errors.As(err, &load) {
				t.Fatalf("the error is %v", err)
			}
		}
		if _, err := w.Swap(ctx0, "policy", Change{Source: Source{Wasm: stamped(t, "answer", "stamp003")}}); err != nil {
			t.Fatal(err)
		}
		w.drained()
		var err error
		if lines[n], err = w.History("policy"); err != nil {
			t.Fatal(err)
		}
	}
	for n, want := range lines[0] {
		got := lines[1][n]
		want.Since, got.Since = time.Time{}, time.Time{}
		want.TotalTime, got.TotalTime = 0, 0
		if !reflect.DeepEqual(got, want) {
			t.Errorf("in a child %+v\nhere       %+v", got, want)
		}
	}
}

// A trial that comes to no end refuses the module; what served goes on.
func TestAModuleWhoseTrialIsLostNeverServes(t *testing.T) {
	w := newWorld(t, tried(trial.Options{Command: []string{filepath.Join(t.TempDir(), "none")}}), func(o *Options) {
		trusted := hashOf(stamped(t, "answer", "stamp001"))
		o.Trusted = func(sha256 string) bool { return sha256 == trusted }
	})
	w.add("policy", stamped(t, "answer", "stamp001"))
	other, dialogs := Source{Wasm: stamped(t, "answer", "stamp002")}, []abi.Hook{abi.HookDialog}
	for what, change := range map[string]func() error{
		"swap":   func() error { _, err := w.Swap(ctx0, "policy", Change{Source: other}); return err },
		"shadow": func() error { _, err := w.Shadow(ctx0, "policy", Change{Source: other}); return err },
		"configure": func() error {
			_, err := w.Configure(ctx0, "policy", Spec{Source: other, Hooks: dialogs}, "reload")
			return err
		},
		"add": func() error {
			_, err := w.Add(ctx0, "second", Spec{Source: other, Hooks: dialogs}, "start")
			return err
		},
	} {
		var load *plugin.LoadError
		var lost *trial.Error
		if err := change(); !errors.As(err, &load) || load.Step != plugin.StepTrial || !errors.As(err, &lost) || lost.Reason != trial.Unavailable ||
			!errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "switch trials off") {
			t.Errorf("%s: the error is %v", what, err)
		}
	}
	if info := w.Plugins(); len(info) != 1 || info[0].Serving.Number != 1 || info[0].Candidate != nil {
		t.Errorf("the plugins are %+v", info)
	}
	w.options.Trial.Off = true
	if _, err := w.Swap(ctx0, "policy", Change{Source: other}); err != nil {
		t.Errorf("without trials it is refused too: %v", err)
	}
}
