package module

import (
	"context"
	"errors"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/trial"
)

// Trial says how a module is tried in a child process before this process runs any of it, so that a module that escapes
// its limits costs a child, not the host. The zero value tries the module with the defaults.
//
// The child is this program, started with only the environment variable HERMES_CDP_TRIAL: it never reaches func main,
// because the initialization of a package that this one imports runs the trial.
type Trial struct {
	Off         bool          // run the module in this process without a trial
	Command     []string      // a program that imports this package, and its arguments; default: this executable
	Timeout     time.Duration // one step: compiling and initialising, or one call; default 30 s
	MemoryBytes int64         // of the child, in addition to the linear memory of the module; default 512 MiB
}

// TrialError says why a trial did not finish. It is the cause of a [*LoadError] with the step "trial".
type TrialError = trial.Error

// TrialCall is an event for a module in its trial.
type TrialCall struct {
	Hook  abi.Hook
	Event []byte // encoded
}

// Try loads a module in a child process, runs the self-test of each hook, and calls it with events, without granting
// anything. The error is a [*LoadError] whose cause is a [*TrialError]. It is not an error if the module is refused,
// faults or decides badly: [Open] and [Check] report that. Try only proves that running them is safe.
func Try(ctx context.Context, wasm []byte, opts Options, calls ...TrialCall) error {
	return try(ctx, opts.source("", wasm), opts, calls...)
}

func try(ctx context.Context, source plugin.Source, opts Options, calls ...TrialCall) error {
	if opts.Trial.Off {
		return nil
	}
	err := tryAll(ctx, source, opts, calls)
	var lost *TrialError
	if !errors.As(err, &lost) {
		return nil
	}
	return &LoadError{Step: plugin.StepTrial, Module: source.Name, Detail: lost.Error(), Err: lost}
}

func tryAll(ctx context.Context, source plugin.Source, opts Options, calls []TrialCall) error {
	s, err := trial.Start(ctx, source, opts.CacheDir, trial.Options(opts.Trial), nil)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, hook := range s.Hooks() {
		if _, lost := s.SelfTest(ctx, hook); lost != nil {
			return lost
		}
	}
	for _, c := range calls {
		if _, _, _, lost := s.Ask(ctx, "the event of "+string(c.Hook), trial.Call{Hook: c.Hook, Event: c.Event}); lost != nil {
			return lost
		}
	}
	return nil
}
