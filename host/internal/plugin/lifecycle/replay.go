package lifecycle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// maxReplayed is how many recent calls a module is tried on before it serves.
const maxReplayed = 200

// rehearsal is the outcome of a replay.
type rehearsal struct {
	replayed    int
	differences int
	first       string // the first call with a difference, for people
}

// replay asks a module about the recent calls of its plugin, as recorded. The error names the first call on which it
// failed by its own fault. If the module that was asked then failed in the same way, that counts only if the new module
// is meant to be the safer one. The module abstains on calls of hooks that it does not serve.
func (e *Engine) replay(ctx context.Context, m *member, tried rehearsed, failsafe bool) (rehearsal, error) {
	var out rehearsal
	if e.options.Journal == nil {
		return out, nil
	}
	for _, call := range e.options.Journal.Recent(m.name, maxReplayed) {
		before := answerIn(call)
		now, lost := replayCall(ctx, tried, call)
		switch {
		case ctx.Err() != nil:
			return out, fmt.Errorf("the replay of recent calls was ended: %w", context.Cause(ctx))
		case lost != nil:
			return out, lost
		}
		out.replayed++
		same := before.equal(now, call.Hook)
		if now.outcome == journal.OutcomeFault && (failsafe || !same) {
			return out, fmt.Errorf("it failed on the recent call %d of %s: %w", call.Sequence, call.Hook, veiled(e.options.Masker.Veil(call), now.err))
		}
		if !same {
			if out.differences++; out.differences == 1 {
				out.first = fmt.Sprintf("call %d of %s", call.Sequence, call.Hook)
				if call.Subject != "" {
					out.first += " about " + strconv.Quote(e.options.Masker.Veil(call).Text(call.Subject))
				}
			}
		}
	}
	return out, nil
}

// replayTries is how often a call may miss its deadline, as in a self-test.
const replayTries = 10

// replayCall asks a module about a recorded call.
func replayCall(ctx context.Context, tried rehearsed, call journal.Entry) (a answer, lost error) {
	if !tried.serves(call) {
		return answer{outcome: journal.OutcomeAbstained}, nil
	}
	for range replayTries {
		a, lost = tried.replay(ctx, call)
		var fault *plugin.Fault
		if lost != nil || !errors.As(a.err, &fault) || fault.Kind != plugin.FaultDeadline {
			break
		}
	}
	return a, lost
}

// ask asks a module about an event for comparison only. A verdict that the host could not use is a fault.
func ask(ctx context.Context, module *plugin.Module, env guestio.Environment, hook abi.Hook, event []byte) answer {
	var verdict []byte
	res, err := module.CallIn(ctx, env, hook, event, func(b []byte) error {
		verdict = bytes.Clone(b)
		return conformance.CheckVerdict(hook, event, b)
	})
	return answerOf(res, verdict, err)
}
