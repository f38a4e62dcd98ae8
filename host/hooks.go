package host

import (
	"context"
	"errors"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// outcome is what a hook's chain of modules came to.
type outcome struct {
	decided    bool
	fault      string
	err        error // the cause of a fault, where a call failed
	provenance supervise.Provenance
	calls      []supervise.HookCall
}

// ask calls the modules that serve a hook, in order, until one decides; see [lifecycle.Engine.Ask].
func (h *Host) ask(ctx context.Context, hook abi.Hook, task string, header *abi.Header, encode func([]byte) []byte, decode plugin.Decode) outcome {
	return h.askQuestion(ctx, lifecycle.Question{Hook: hook, Task: task, Header: header, Encode: encode, Decode: decode})
}

func (h *Host) askQuestion(ctx context.Context, q lifecycle.Question) outcome {
	got := h.plugins.Ask(ctx, q)
	out := outcome{decided: got.Decided, fault: got.Fault, err: got.Err, provenance: supervise.Provenance{Sequence: got.Sequence}}
	for i, c := range got.Calls {
		call := supervise.HookCall{
			Module: c.Module, Generation: c.Generation, SHA256: c.SHA256, ConfigHash: c.ConfigHash, Sequence: got.Sequence,
			Outcome: string(c.Outcome), Duration: c.Duration, Config: c.Config, TaskConfig: c.TaskConfig,
		}
		if last := i == len(got.Calls)-1; last && got.Fault != "" && c.Outcome != journal.OutcomeDecided && c.Outcome != journal.OutcomeAbstained {
			call.Outcome, call.Fault = string(journal.OutcomeFault), got.Fault
		}
		out.calls = append(out.calls, call)
		if got.Decided && c.Outcome != journal.OutcomeDecided {
			continue // it left the decision of another as it was
		}
		out.provenance.Module, out.provenance.Generation = c.Module, c.Generation
		out.provenance.SHA256, out.provenance.ConfigHash = c.SHA256, c.ConfigHash
		out.provenance.Duration = c.Duration
	}
	return out
}

var errUnknownAction = errors.New("the verdict's action is none of hold, accept, dismiss")

// askDialog asks the dialog hook off the owner's goroutine; the verdict comes back through the inbox.
func (l *link) askDialog(e supervise.AskDialog) {
	l.work.Go(func() {
		verdict := supervise.DialogVerdict{Token: e.Token}
		out := l.host.ask(l.ctx, abi.HookDialog, e.Task, &e.Event.Header, e.Event.Append, func(b []byte) error {
			if err := verdict.Verdict.Unmarshal(b); err != nil {
				return err
			}
			if a := verdict.Verdict.Action; a < abi.DialogActionHold || a > abi.DialogActionDismiss {
				return errUnknownAction
			}
			return nil
		})
		verdict.Abstained, verdict.Fault, verdict.Provenance = !out.decided && out.fault == "", out.fault, out.provenance
		e.Event.Header.TaskConfig = nil // explanations leave it out, and mask its secrets: the calls have it
		verdict.Event, verdict.Calls = &e.Event, out.calls
		l.inbox.put(supervise.Event(verdict))
	})
}

// askFrames asks the frames hook likewise. Its modules compose: each sees the frames that the one before it kept.
func (l *link) askFrames(e supervise.AskFrames) {
	l.work.Go(func() {
		trim := newFramesTrim(&e.Event)
		out := l.host.askQuestion(l.ctx, lifecycle.Question{
			Hook: abi.HookFrames, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: trim.decode, Next: trim.next,
		})
		verdict := supervise.FramesVerdict{Token: e.Token, Verdict: trim.result()}
		verdict.Abstained, verdict.Fault, verdict.Provenance = !out.decided && out.fault == "", out.fault, out.provenance
		e.Event.Header.TaskConfig = nil // as in askDialog
		verdict.Event, verdict.Calls = &e.Event, out.calls
		l.inbox.put(supervise.Event(verdict))
	})
}

// tellClosed tells the dialog-closed hook, whose outcome changes nothing.
func (l *link) tellClosed(e supervise.TellClosed) {
	if !l.host.plugins.Serves(abi.HookDialogClosed) {
		return
	}
	l.work.Go(func() {
		out := l.host.ask(l.ctx, abi.HookDialogClosed, e.Task, &e.Event.Header, e.Event.Append, nil)
		if out.fault != "" {
			l.log.Warn("plugin fault", "task", e.Task, "dialog", e.Event.DialogID, "fault", out.fault)
		}
	})
}
