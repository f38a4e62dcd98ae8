package trial

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// Request is one call that is to be tried.
type Request struct {
	Hook  string // a word, or the name of the export; empty: the module's only one
	Event []byte // JSON as abi/hermes.proto names it; empty: the event of the self-test
	KV    Store  // the store of the plugin for the task; nil: the capability kv is not granted
	State State  // the host's state; nil: the capability state is not granted
}

// Outcome is what came of a call.
type Outcome struct {
	Hook     abi.Hook        `json:"hook"`
	Status   string          `json:"status"` // decided, abstain, error or fault
	Verdict  json.RawMessage `json:"verdict,omitempty"`
	Reason   string          `json:"reason,omitempty"` // of an error
	Fault    *Fault          `json:"fault,omitempty"`
	Log      []Line          `json:"log,omitempty"`
	KV       Store           `json:"kv,omitempty"` // the store after the call
	Fuel     int64           `json:"fuel"`         // in units; the same on every machine
	Duration time.Duration   `json:"duration_ns"`  // in the guest, in nanoseconds
}

// Fault is how a module's code failed.
type Fault struct {
	Kind   string   `json:"kind"`
	Detail string   `json:"detail"`
	Output string   `json:"output,omitempty"` // the last line that the guest printed: a panic's message
	Trace  []string `json:"trace,omitempty"`  // innermost function first; names where the module has them
}

// Run loads a module and calls it once. That the module abstains, fails or faults is an outcome; the error is that it
// was refused, or that the request is wrong: an [*EventError] or a [*HookError].
func Run(ctx context.Context, wasm []byte, opts module.Options, r Request) (Outcome, error) {
	log := new(recorder)
	opts.Logger = slog.New(log)
	if err := module.Try(ctx, wasm, opts, calls(wasm, r.Hook, r.Event)...); err != nil {
		return Outcome{}, err
	}
	m, err := module.Open(ctx, wasm, opts)
	if err != nil {
		return Outcome{}, err
	}
	defer func() { _ = m.Close() }() // its answer counts
	hook, err := ChooseHook(r.Hook, m.Hooks())
	if err != nil {
		return Outcome{}, err
	}
	event, err := eventOf(hook, r.Event)
	if err != nil {
		return Outcome{}, err
	}
	environment := environmentOf(r)
	result, err := m.CallIn(ctx, environment, hook, event)
	out := Outcome{Hook: hook, Fuel: result.Fuel, Duration: result.Duration, Log: log.take()}
	if r.KV != nil {
		out.KV = storeOf(environment.KV)
	}
	var fault *module.Fault
	if errors.As(err, &fault) {
		out.Status, out.Fault = "fault", describe(fault)
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.Status, out.Reason = result.Status.String(), result.Reason
	if result.Status == abi.StatusDecided && hook != abi.HookDialogClosed {
		out.Verdict, err = verdictOf(hook, result.Verdict)
	}
	return out, err
}

// calls is the call of a request, for the module's trial; none where the request or the module is wrong, which is told
// later.
func calls(wasm []byte, word string, text []byte) []module.TrialCall {
	report, err := module.Inspect(wasm)
	if err != nil {
		return nil
	}
	hook, err := ChooseHook(word, report.Hooks)
	if err != nil {
		return nil
	}
	event, err := eventOf(hook, text)
	if err != nil {
		return nil
	}
	return []module.TrialCall{{Hook: hook, Event: event}}
}

// EventError says what is wrong with an event.
type EventError struct {
	Hook abi.Hook
	Err  error
}

// Error names the hook whose event it should be.
func (e *EventError) Error() string { return fmt.Sprintf("the event is none of %s: %v", e.Hook, e.Err) }

// Unwrap returns the cause.
func (e *EventError) Unwrap() error { return e.Err }

func eventOf(hook abi.Hook, text []byte) ([]byte, error) {
	if len(text) == 0 {
		event, ok := module.MadeUpEvent(hook)
		if !ok {
			return nil, &EventError{hook, errors.New("there is no made-up one; give one")}
		}
		return event, nil
	}
	event, err := abijson.ParseEvent(hook, text)
	if err != nil {
		return nil, &EventError{hook, err}
	}
	return event, nil
}

func verdictOf(hook abi.Hook, verdict []byte) (json.RawMessage, error) {
	text, err := abijson.Verdict(hook, verdict)
	if err != nil {
		return nil, fmt.Errorf("the verdict is none of %s: %w", hook, err)
	}
	return text, nil
}

func describe(f *module.Fault) *Fault {
	out := &Fault{Kind: f.Kind.String(), Detail: f.Detail, Output: f.Output}
	if trace := strings.TrimSpace(f.Trace); trace != "" {
		out.Trace = strings.Split(trace, "\n")
	}
	return out
}

// Summary is one line about a call that gave no verdict.
func (o Outcome) Summary() string {
	if o.Fault != nil {
		text := fmt.Sprintf("%s: %s: %s", o.Hook, o.Fault.Kind, o.Fault.Detail)
		if o.Fault.Output != "" {
			text += "; it last wrote: " + o.Fault.Output
		}
		return text
	}
	return fmt.Sprintf("%s: the module could not decide: %s", o.Hook, cmp.Or(o.Reason, "it gave no reason"))
}
