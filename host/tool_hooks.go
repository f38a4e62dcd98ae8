package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// ToolUse is a call of a tool by an agent, on which plugins decide.
type ToolUse struct {
	Task, Tool, Source, Client string
	Arguments                  map[string]any
	TargetID, URL, Origin      string // of the tab that the call is about; empty without one
	ReadOnly, Destructive      bool
	Confirmed                  bool // BeforeTool sets it: a person has allowed this call, for the document in URL
}

// ToolOutcome is the result of such a call.
type ToolOutcome struct {
	Text       string
	Structured map[string]any
	IsError    bool
	Pictures   int // dropping them leaves 0
}

// DecidesOnTools reports whether plugins decide on calls of tools, and on their results.
func (h *Host) DecidesOnTools() (before, after bool) {
	return h.plugins.Serves(abi.HookBeforeTool), h.plugins.Serves(abi.HookAfterTool)
}

// BeforeTool asks the plugins about a call, and reports whether they changed its arguments. The error is a
// [*ToolDeniedError]. The tool checks changed arguments like those of the agent: both are untrusted.
func (h *Host) BeforeTool(ctx context.Context, u *ToolUse) (changed bool, err error) {
	defer fault.During("before_tool", &err)
	return h.askTool(ctx, abi.HookBeforeTool, u, nil)
}

// AfterTool asks the plugins about the result of a call, and reports whether they changed it. The error is a
// [*ToolDeniedError]: the caller must not get the result.
func (h *Host) AfterTool(ctx context.Context, u ToolUse, o *ToolOutcome) (changed bool, err error) {
	defer fault.During("after_tool", &err)
	return h.askTool(ctx, abi.HookAfterTool, &u, o)
}

// askTool asks the plugins of a hook, all of which must allow the call or result. Each sees what the one before made of
// it.
func (h *Host) askTool(ctx context.Context, hook abi.Hook, u *ToolUse, o *ToolOutcome) (changed bool, err error) {
	denied := &ToolDeniedError{Tool: u.Tool, After: o != nil}
	event, err := toolEvent(u, o)
	if err != nil { // what a module cannot be told cannot be allowed by it, whatever happens to faults
		denied.FailedClosed, denied.Reason = true, err.Error()
		return false, denied
	}
	var verdict abi.ToolVerdict
	var decided []abi.ToolVerdict
	next := func() bool {
		decided = append(decided, verdict)
		if verdict.Action == abi.ToolActionChange {
			changed = true
			change(event, o, &verdict)
		}
		return verdict.Action != abi.ToolActionDeny
	}
	out := h.plugins.Ask(ctx, lifecycle.Question{
		Hook: hook, Task: u.Task, Header: &event.Header, Encode: event.Append, Next: next,
		Decode: func(b []byte) error {
			if err := verdict.Unmarshal(b); err != nil {
				return err
			}
			if verdict.Action == abi.ToolActionAsk && o != nil {
				return errors.New("the verdict has the action ask, which is for calls only: this one has been made")
			}
			return abijson.CheckAction(&verdict)
		},
	})
	switch closed := !h.options.ToolFailOpen; {
	case out.Fault != "" && closed:
		denied.FailedClosed, denied.Reason = true, pagetext.Lines(out.Fault)
	case out.Fault == "" && verdict.Action == abi.ToolActionDeny:
		denied.Plugin, denied.Reason, denied.Rule = out.Calls[len(out.Calls)-1].Module, pagetext.Lines(verdict.Reason), pagetext.Lines(verdict.Rule)
	default:
		u.Arguments = abijson.ToMap(event.Arguments)
		if err := h.askOperator(ctx, u, asking(out.Calls, decided)); err != nil {
			return false, err
		}
		if changed && o != nil {
			o.Text, o.Structured, o.Pictures = event.Text, abijson.ToMap(event.Structured), int(event.Pictures)
		}
		return changed, nil
	}
	generation := 0
	if n := len(out.Calls); n > 0 {
		generation = out.Calls[n-1].Generation
	}
	// Neither the reason nor the arguments: both may repeat what a page said.
	h.log.Info("tool denied", "task", u.Task, "tool", u.Tool, "after", denied.After, "plugin", denied.Plugin, "generation", generation, "call", out.Sequence, "failed_closed", denied.FailedClosed)
	return false, denied
}

// change makes of an event what a module made of the call, or of the result.
func change(event *abi.ToolUseEvent, o *ToolOutcome, v *abi.ToolVerdict) {
	if o == nil {
		event.Arguments = v.Arguments
		return
	}
	event.Text, event.Structured = v.Text, v.Structured
	if v.DropPictures {
		event.Pictures = 0
	}
}

// toolEvent is what modules are told. The error says that an argument or a result has no form in which they could be.
func toolEvent(u *ToolUse, o *ToolOutcome) (*abi.ToolUseEvent, error) {
	arguments, err := abijson.FromMap(u.Arguments)
	if err != nil {
		return nil, fmt.Errorf("the arguments: %w", err)
	}
	e := &abi.ToolUseEvent{
		Header: abi.Header{TaskID: u.Task}, Tool: u.Tool, Source: u.Source, Client: u.Client, Arguments: arguments,
		TargetID: u.TargetID, URL: pagetext.Shorten(u.URL, abi.MaxFrameURLBytes), Origin: u.Origin, ReadOnly: u.ReadOnly, Destructive: u.Destructive,
	}
	if o != nil {
		structured, err := abijson.FromMap(o.Structured)
		if err != nil {
			return nil, fmt.Errorf("the result: %w", err)
		}
		e.Text, e.Structured, e.IsError, e.Pictures = o.Text, structured, o.IsError, uint32(o.Pictures)
	}
	return e, nil
}

// The limits of the arguments and of the reason in the question about a call, in bytes.
const (
	maxAskedArguments = 3000 // nobody reads more, and nobody may allow what is not shown
	maxAskedReason    = 1000
)

// wish is a module's wish that the operator decides on a call.
type wish struct{ plugin, reason, rule string }

// asking returns the wishes of the modules that decided, in their order.
func asking(calls []lifecycle.Call, decided []abi.ToolVerdict) (list []wish) {
	for _, c := range calls {
		if c.Outcome != journal.OutcomeDecided || len(decided) == 0 {
			continue
		}
		if v := decided[0]; v.Action == abi.ToolActionAsk {
			list = append(list, wish{c.Module, pagetext.Lines(v.Reason), pagetext.Lines(v.Rule)})
		}
		decided = decided[1:]
	}
	return list
}

// askOperator asks the person who runs the host for each module that wishes it, after all others have allowed the call.
// The error is a [*ToolDeniedError] unless the answer is yes; or the context's.
func (h *Host) askOperator(ctx context.Context, u *ToolUse, wishes []wish) error {
	for _, w := range wishes {
		denied := &ToolDeniedError{Tool: u.Tool, Plugin: w.plugin, Rule: w.rule}
		arguments, err := json.Marshal(u.Arguments)
		if err != nil {
			return err
		}
		if n := len(arguments); n > maxAskedArguments {
			denied.Reason = fmt.Sprintf("it asks the operator, who could not see all %d bytes of the arguments, at most %d are shown: do it in several calls", n, maxAskedArguments)
			return denied
		}
		t := h.Task(u.Task)
		if t == nil {
			denied.Reason = "it asks the operator, who can be asked only once the task has a browser: first call a tool that needs no answer, or have the operator start the task (hermes-cdp connect)"
			return denied
		}
		answer, why, err := t.decide(ctx, callQuestion(u, w, arguments), h.options.ToolAskTimeout)
		switch {
		case err != nil:
			return err
		case why != "":
			denied.Reason = "it asked the operator: " + why
		case !isYes(answer):
			denied.Reason = "it asked the operator, who did not allow it: " + pagetext.Lines(answer)
		default:
			u.Confirmed = true
			h.log.Info("tool allowed by the operator", "task", u.Task, "tool", u.Tool, "module", w.plugin)
			continue
		}
		h.log.Info("tool denied", "task", u.Task, "tool", u.Tool, "module", w.plugin, "by_operator", why == "")
		return denied
	}
	return nil
}

// callQuestion is what the operator is asked.
func callQuestion(u *ToolUse, w wish, arguments []byte) Question {
	at := ""
	if u.Origin != "" {
		at = " on " + u.Origin
	}
	return Question{
		Plugin: w.plugin, Tab: u.TargetID,
		Text: fmt.Sprintf("May the agent call %s%s with %s? %s (Answer yes to allow it; anything else denies it.)",
			u.Tool, at, arguments, pagetext.Shorten(w.reason, maxAskedReason)),
	}
}

func isYes(answer string) bool {
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "yes", "y", "allow", "ok":
		return true
	}
	return false
}

// decide asks a question, and withdraws it if nobody answers in time; why says then what happened.
func (t *Task) decide(ctx context.Context, q Question, limit time.Duration) (answer, why string, err error) {
	one, err := t.hold.ask(q)
	if err != nil {
		return "", err.Error(), nil
	}
	defer t.hold.drop(one)
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-one.answered:
		return one.answer, "", nil
	case <-timer.C:
		return "", fmt.Sprintf("nobody answered within %s", fault.Seconds(limit)), nil
	case <-t.Done():
		return "", "the task has ended", nil
	case <-ctx.Done():
		return "", "", fault.Stopped(context.Cause(ctx), context.Cause(ctx))
	}
}
