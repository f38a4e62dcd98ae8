package replay

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// recorded returns the decision that a journal has for a call.
func recorded(e *journal.Entry) Decision {
	d := Decision{Outcome: string(e.Outcome), Reason: e.Reason, Fault: e.Fault, Detail: e.Detail}
	if e.Outcome == journal.OutcomeDecided {
		d.Verdict = showVerdict(e.Hook, e.Verdict)
	}
	return d
}

// decisionOf classifies what a call returned.
func decisionOf(hook abi.Hook, res plugin.Result, verdict []byte, err error) (Decision, error) {
	var fault *plugin.Fault
	switch {
	case errors.As(err, &fault):
		return Decision{Outcome: string(journal.OutcomeFault), Fault: fault.Kind.String(), Detail: fault.Detail}, nil
	case errors.Is(err, plugin.ErrNoHook):
		return Decision{Outcome: string(journal.OutcomeAbstained)}, nil // the host does not ask it
	case errors.Is(err, plugin.ErrEventTooLarge):
		return Decision{Outcome: string(journal.OutcomeFault), Fault: "event_too_large", Detail: err.Error()}, nil
	case err != nil:
		return Decision{}, err
	}
	switch res.Status {
	case abi.StatusDecided:
		return Decision{Outcome: string(journal.OutcomeDecided), Verdict: showVerdict(hook, verdict)}, nil
	case abi.StatusError:
		return Decision{Outcome: string(journal.OutcomeError), Reason: res.Reason}, nil
	}
	return Decision{Outcome: string(journal.OutcomeAbstained)}, nil
}

// showVerdict returns the same text for all encodings of a verdict.
func showVerdict(hook abi.Hook, wire []byte) json.RawMessage {
	text, err := abijson.Verdict(hook, wire)
	if err != nil {
		text, _ = json.Marshal(wire) // bytes can always be encoded
	}
	return text
}

// usable rejects a verdict that the host would reject.
func usable(hook abi.Hook, event, verdict []byte) error {
	if _, err := abijson.Verdict(hook, verdict); err != nil {
		return err
	}
	if hook == abi.HookFrames {
		return usableFrames(event, verdict)
	}
	_, v := abi.NewMessages(hook)
	if v == nil {
		return nil
	}
	if err := v.Unmarshal(verdict); err != nil {
		return err
	}
	return abijson.CheckAction(v)
}

func usableFrames(event, verdict []byte) error {
	var e abi.FramesEvent
	if err := e.Unmarshal(event); err != nil {
		return fmt.Errorf("the event: %w", err)
	}
	var v abi.FramesVerdict
	if err := v.Unmarshal(verdict); err != nil {
		return err
	}
	return supervise.CheckFrames(v, len(e.Frames))
}

// unrepeatable are the faults that depend on the clock, on other calls, or on the host.
var unrepeatable = map[string]bool{
	plugin.FaultDeadline.String(): true, plugin.FaultCanceled.String(): true, plugin.FaultInternal.String(): true,
	plugin.FaultInit.String(): true, "busy": true, "closed": true,
}
