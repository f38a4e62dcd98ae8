package host

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

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
