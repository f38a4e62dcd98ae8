package lifecycle

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// answer is the outcome of one call of one module.
type answer struct {
	outcome journal.Outcome
	verdict []byte // a copy; of a decided call
	reason  string // of an error
	fault   string // the kind of a fault
	detail  string // of a fault
	result  plugin.Result
	err     error // of a fault
}

// answerOf classifies what a call returned.
func answerOf(res plugin.Result, verdict []byte, err error) answer {
	a := answer{result: res, err: err}
	switch {
	case err != nil:
		a.outcome, a.fault, a.detail = journal.OutcomeFault, faultName(err), err.Error()
		if fault := (*plugin.Fault)(nil); errors.As(err, &fault) {
			a.detail = fault.Detail
		}
	case res.Status == abi.StatusError:
		a.outcome, a.reason = journal.OutcomeError, res.Reason
	case res.Status == abi.StatusAbstain:
		a.outcome = journal.OutcomeAbstained
	default:
		a.outcome, a.verdict = journal.OutcomeDecided, verdict
	}
	return a
}

// faultName is the kind of a fault, or a word for a call that did not reach the module.
func faultName(err error) string {
	var fault *plugin.Fault
	switch {
	case errors.As(err, &fault):
		return fault.Kind.String()
	case errors.Is(err, plugin.ErrBusy):
		return "busy"
	case errors.Is(err, plugin.ErrEventTooLarge):
		return "event_too_large"
	default:
		return "closed"
	}
}

// answerIn is the answer of a journal entry.
func answerIn(e journal.Entry) answer {
	return answer{outcome: e.Outcome, verdict: e.Verdict, reason: e.Reason, fault: e.Fault, detail: e.Detail}
}

// equal reports whether two answers decide the same. Verdicts are decoded and encoded again before they are compared,
// so that differences between encoders do not matter. Reasons and details are for people and are not compared.
func (a answer) equal(b answer, hook abi.Hook) bool {
	if a.outcome != b.outcome || a.fault != b.fault {
		return false
	}
	return bytes.Equal(canonical(hook, a.verdict), canonical(hook, b.verdict))
}

// maxShownAnswer is the maximum size of an answer in a list of differences, in bytes.
const maxShownAnswer = 2 << 10

// show formats an answer for people, with secrets masked: the verdict as JSON, or the outcome.
func (a answer) show(hook abi.Hook, v journal.Veil) string {
	var text string
	switch a.outcome {
	case journal.OutcomeDecided:
		text = verdictJSON(hook, a.verdict, v)
	case journal.OutcomeError:
		text = fmt.Sprintf("%s: %s", a.outcome, v.Text(a.reason))
	case journal.OutcomeFault:
		text = fmt.Sprintf("%s: %s: %s", a.outcome, a.fault, v.Text(a.detail))
	default:
		text = string(a.outcome)
	}
	if len(text) > maxShownAnswer {
		return text[:maxShownAnswer] + "..."
	}
	return text
}

// canonical is a verdict as the host would have encoded it, or unchanged if the host cannot decode it.
func canonical(hook abi.Hook, verdict []byte) []byte {
	if _, v := abi.NewMessages(hook); v != nil && v.Unmarshal(verdict) == nil {
		return v.Append(nil)
	}
	return verdict
}

func verdictJSON(hook abi.Hook, verdict []byte, v journal.Veil) string {
	if !plugin.WantsVerdict(hook) {
		return string(journal.OutcomeDecided)
	}
	text, err := v.Verdict(hook, verdict)
	if err != nil {
		return "a verdict that cannot be decoded: " + v.Text(err.Error())
	}
	return string(text)
}
