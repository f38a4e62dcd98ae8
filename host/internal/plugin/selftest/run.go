package selftest

import (
	"context"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// TaskID is the task of every artificial event. No real task has it.
const TaskID = "self-test"

// tries is how often a hook may miss its deadline. A busy machine can suspend the process for longer than the deadline.
// The fuel, which is the same on each try, bounds what a module computes.
const tries = 10

// Run asks one hook of a module about its artificial event, with an empty store. The remark is for people. The error is
// about the module: a [*plugin.Fault], also for a verdict that the host could not use, or what [plugin.Module.CallIn]
// returns.
func Run(ctx context.Context, m *plugin.Module, hook abi.Hook) (remark string, err error) {
	event, ok := Event(hook)
	if !ok {
		return "", fmt.Errorf("the host has no event to test the hook %s", hook)
	}
	res, err := patiently(ctx, m, hook, event)
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

func patiently(ctx context.Context, m *plugin.Module, hook abi.Hook, event []byte) (res plugin.Result, err error) {
	for range tries {
		env := new(guestio.Store).Environment(m.Info().Name, TaskID, guestio.Quota{}, nil)
		res, err = m.CallIn(ctx, env, hook, event, func(verdict []byte) error { return check(hook, event, verdict) })
		var fault *plugin.Fault
		if !errors.As(err, &fault) || fault.Kind != plugin.FaultDeadline {
			break
		}
	}
	return res, err
}

// check is [conformance.CheckVerdict], and knows that the reply is to a request.
func check(hook abi.Hook, event, verdict []byte) error {
	if err := conformance.CheckVerdict(hook, event, verdict); err != nil || hook != abi.HookBridgeReply {
		return err
	}
	var v abi.BridgeReply
	if err := v.Unmarshal(verdict); err != nil {
		return err
	}
	if v.Status < 200 || v.Status > 599 {
		return errors.New("the reply to a request has no HTTP status from 200 to 599")
	}
	return nil
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
