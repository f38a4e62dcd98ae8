package module

import (
	"context"
	"errors"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/trial"
)

// Trial says how a module is tried in a child process before this process runs any of it, so that one that gets out of its
// limits costs a child and not the host. The zero value tries it, with the defaults.
//
// The child is this program, started again with the variable HERMES_CDP_TRIAL and no other: it never gets to func main, but
// to the initialisation of the packages that this one imports.
type Trial struct {
	Off         bool          // it is not tried, but run here from the start
	Command     []string      // the program to start, which imports this package, and its arguments; default: this executable
	Timeout     time.Duration // one step: compiling and initialising, or one call; default 30 s
	MemoryBytes int64         // of the child, beside the linear memory of the module; default 512 MiB
}

// TrialError says why a trial came to no end. It is the cause of a [*LoadError] of the step "trial".
type TrialError = trial.Error

// TrialCall is an event that a module is asked about in its trial.
type TrialCall struct {
	Hook  abi.Hook
	Event []byte // encoded
}

// Try takes a module through loading and the self-test of each hook in a child process, and asks it about events, with
// nothing granted. The error is a [*LoadError] whose cause is a [*TrialError]. That the module is refused, faults, or decides
// badly is none: [Open] and [Check] tell that, and Try that they can.
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
	s, err := trial.Start(ctx, source, opts.CacheDir, trial.Options(opts.Trial))
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
