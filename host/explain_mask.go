package host

import (
	"encoding/json"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// told is what modules were asked and said, with their secrets masked.
type told struct {
	veil           journal.Veil
	event, verdict json.RawMessage // nil: there is none
	calls          []HookCall
}

// told masks a question of the task: what the modules that were asked have in their configurations, or the task in its
// settings for them, under a name of secrets is not shown anywhere. The error says that a message can not be shown.
func (t *Task) told(hook abi.Hook, event, verdict []byte, calls []supervise.HookCall) (told, error) {
	entries := []journal.Entry{{Task: t.ID(), Hook: hook, Event: event, Verdict: verdict}}
	for _, c := range calls {
		entries = append(entries, journal.Entry{Config: c.Config}, journal.Entry{Config: c.TaskConfig.Append(nil)})
	}
	out := told{veil: t.host.journal.masker.Veil(entries...)}
	out.calls = maskedCalls(calls, out.veil)
	if event != nil {
		text, err := out.veil.Event(hook, event)
		if err != nil {
			return out, err
		}
		out.event = json.RawMessage(text)
	}
	if verdict != nil {
		text, err := out.veil.Verdict(hook, verdict)
		if err != nil {
			return out, err
		}
		out.verdict = json.RawMessage(text)
	}
	return out, nil
}

// wire encodes a message; nil stays nil, and an empty message does not become it.
func wire[T any, M interface {
	*T
	Append([]byte) []byte
}](m M) []byte {
	if m == nil {
		return nil
	}
	return m.Append([]byte{})
}

func maskedCalls(calls []supervise.HookCall, v journal.Veil) []HookCall {
	out := make([]HookCall, len(calls))
	for i, c := range calls {
		out[i] = HookCall{
			Module: c.Module, Generation: c.Generation, SHA256: c.SHA256, ConfigHash: c.ConfigHash, Sequence: c.Sequence,
			Outcome: c.Outcome, Fault: v.Text(c.Fault), Duration: c.Duration,
		}
	}
	return out
}

func maskedProvenance(p Provenance, v journal.Veil) Provenance {
	p.Rule, p.Fault = v.Text(p.Rule), v.Text(p.Fault)
	return p
}

func maskedFrame(f Frame, v journal.Veil) Frame {
	f.URL, f.Name = v.Text(f.URL), v.Text(f.Name)
	return f
}

// maskedDialog masks what the page wrote, which can be an echo, and what the module answered.
func maskedDialog(d Dialog, v journal.Veil) Dialog {
	d.Message, d.DefaultPrompt, d.URL = v.Text(d.Message), v.Text(d.DefaultPrompt), v.Text(d.URL)
	d.CloseReason, d.Text, d.DecidedBy = v.Text(d.CloseReason), v.Text(d.Text), maskedProvenance(d.DecidedBy, v)
	return d
}
