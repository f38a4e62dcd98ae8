package selftest

import (
	"context"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// TaskID is the task of every artificial event. No real task has it.
const TaskID = "self-test"

// tries is how often a hook may miss its deadline. A busy machine can suspend the process for longer than the deadline.
// The fuel, which is the same on each try, bounds what a module computes.
const tries = 3

// Run asks one hook of a module about its artificial event. The remark is for people. The error is about the module: a
// [*plugin.Fault], also for a verdict that the host could not use, or what [plugin.Module.Call] returns.
func Run(ctx context.Context, m *plugin.Module, hook abi.Hook) (remark string, err error) {
	t, ok := tests[hook]
	if !ok {
		return "", fmt.Errorf("the host has no event to test the hook %s", hook)
	}
	res, err := patiently(ctx, m, hook, t)
	if err != nil {
		return "", err
	}
	switch res.Status {
	case abi.StatusAbstain:
		return "it abstained", nil
	case abi.StatusError:
		return "it could not decide: " + res.Reason, nil
	default:
		return fmt.Sprintf("it decided in %v, with %d units of fuel", res.Duration, res.Fuel), nil
	}
}

func patiently(ctx context.Context, m *plugin.Module, hook abi.Hook, t test) (res plugin.Result, err error) {
	for range tries {
		res, err = m.Call(ctx, hook, t.event(), t.decode)
		var fault *plugin.Fault
		if !errors.As(err, &fault) || fault.Kind != plugin.FaultDeadline {
			break
		}
	}
	return res, err
}

// RunAll is [Run] for every hook that the module serves. The error names the hook.
func RunAll(ctx context.Context, m *plugin.Module) error {
	for _, hook := range m.Info().Hooks {
		if _, err := Run(ctx, m, hook); err != nil {
			return err
		}
	}
	return nil
}
