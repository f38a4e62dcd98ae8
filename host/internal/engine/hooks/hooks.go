// Package hooks turns what the state machine asks of modules into questions, and the outcomes of these into events.
package hooks

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// Ask is a question that the state machine waits for the outcome of.
type Ask struct {
	Token    supervise.Token
	Until    time.Time
	Question lifecycle.Question
	// Verdict is the event that tells the outcome.
	Verdict func(lifecycle.Outcome) supervise.Event
}

// decodes decodes a verdict whose action the host knows.
func decodes(verdict abi.Message) plugin.Decode {
	return func(b []byte) error {
		if err := verdict.Unmarshal(b); err != nil {
			return err
		}
		return abijson.CheckAction(verdict)
	}
}

// abstained reports whether no module decided, without a fault.
func abstained(o lifecycle.Outcome) bool { return !o.Decided && o.Fault == "" }

// Provenance says which module's call decided, or was the last one if none did.
func Provenance(o lifecycle.Outcome) supervise.Provenance {
	by := supervise.Provenance{Sequence: o.Sequence}
	for _, c := range o.Calls {
		if o.Decided && c.Outcome != journal.OutcomeDecided {
			continue // it did not change another module's decision
		}
		by.Module, by.Generation, by.SHA256, by.ConfigHash, by.Duration = c.Module, c.Generation, c.SHA256, c.ConfigHash, c.Duration
	}
	return by
}

// calls lists every module's part in an outcome.
func calls(o lifecycle.Outcome) (list []supervise.HookCall) {
	for i, c := range o.Calls {
		call := supervise.HookCall{
			Module: c.Module, Generation: c.Generation, SHA256: c.SHA256, ConfigHash: c.ConfigHash, Sequence: o.Sequence,
			Outcome: string(c.Outcome), Duration: c.Duration, Config: c.Config, TaskConfig: c.TaskConfig,
		}
		if last := i == len(o.Calls)-1; last && o.Fault != "" && c.Outcome != journal.OutcomeDecided && c.Outcome != journal.OutcomeAbstained {
			call.Outcome, call.Fault = string(journal.OutcomeFault), o.Fault
		}
		list = append(list, call)
	}
	return list
}

// Dialog asks what to do with a dialog.
func Dialog(e supervise.AskDialog) Ask {
	v := supervise.DialogVerdict{Token: e.Token}
	q := lifecycle.Question{Hook: abi.HookDialog, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: decodes(&v.Verdict)}
	return Ask{e.Token, e.Until, q, func(o lifecycle.Outcome) supervise.Event {
		v.Abstained, v.Fault, v.Provenance = abstained(o), o.Fault, Provenance(o)
		e.Event.Header.TaskConfig = nil // explanations show it with the calls instead, with its secrets masked
		v.Event, v.Calls = &e.Event, calls(o)
		return v
	}}
}

// DialogClosed tells how a dialog ended. Its outcome changes nothing.
func DialogClosed(e supervise.TellClosed) lifecycle.Question {
	return lifecycle.Question{Hook: abi.HookDialogClosed, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append}
}

// Navigate asks whether a document may be loaded.
func Navigate(e supervise.AskNavigate) Ask {
	v := supervise.NavigateVerdict{Token: e.Token}
	q := lifecycle.Question{Hook: abi.HookNavigate, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: decodes(&v.Verdict)}
	return Ask{e.Token, e.Until, q, func(o lifecycle.Outcome) supervise.Event {
		v.Abstained, v.Fault, v.Provenance = abstained(o), o.Fault, Provenance(o)
		return v
	}}
}

// Request asks what to do with a request.
func Request(e supervise.AskRequest) Ask {
	v := supervise.RequestVerdict{Token: e.Token}
	e.Event.URL = secret.WithoutUser(e.Event.URL)
	q := lifecycle.Question{Hook: abi.HookRequest, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: decodes(&v.Verdict)}
	return Ask{e.Token, e.Until, q, func(o lifecycle.Outcome) supervise.Event {
		v.Abstained, v.Fault, v.Provenance = abstained(o), o.Fault, Provenance(o)
		return v
	}}
}
