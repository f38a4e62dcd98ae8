package host

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// outcome is what a hook's chain of modules came to.
type outcome struct {
	decided    bool
	fault      string
	provenance supervise.Provenance
	calls      []supervise.HookCall
}

// ask calls the modules that serve a hook, in order, until one decides. A module that abstains passes the event on; one
// that faults or reports an error ends the chain: the host's fallback is the safe answer, not the next module's guess.
func (h *Host) ask(ctx context.Context, hook abi.Hook, task string, header *abi.Header, encode func([]byte) []byte, decode plugin.Decode) outcome {
	h.asking.Add(1)
	defer h.asking.Add(-1)
	header.Sequence = h.sequence.Add(1)
	header.TimeUnixNano = time.Now().UnixNano()
	header.RandomSeed = randomSeed()
	out := outcome{provenance: supervise.Provenance{Sequence: header.Sequence}}
	for _, p := range h.plugins.serving(hook) {
		header.TaskConfig = h.taskConfig(task, p.name)
		lease, err := p.slot.Acquire()
		if err != nil {
			out.fault = err.Error()
			return out
		}
		module := lease.Module()
		info := module.Info()
		out.provenance.Module, out.provenance.SHA256, out.provenance.ConfigHash = info.Name, info.SHA256, info.ConfigSHA256
		result, err := module.Call(ctx, hook, encode(nil), decode)
		out.provenance.Duration = result.Duration
		if err := lease.Release(); err != nil {
			h.log.Warn("a retired plugin did not close cleanly", "plugin", info.Name, "error", err)
		}
		call := supervise.HookCall{
			Module: info.Name, SHA256: info.SHA256, ConfigHash: info.ConfigSHA256, Sequence: header.Sequence, Outcome: "abstained",
			Duration: result.Duration,
		}
		switch {
		case err != nil:
			out.fault = err.Error()
		case result.Status == abi.StatusError:
			out.fault = "plugin " + info.Name + " could not decide: " + result.Reason
		case result.Status == abi.StatusDecided:
			out.decided, call.Outcome = true, "decided"
		}
		if out.fault != "" {
			call.Outcome, call.Fault = "fault", out.fault
		}
		out.calls = append(out.calls, call)
		if out.decided || out.fault != "" {
			return out
		}
	}
	return out
}

func randomSeed() []byte {
	seed := make([]byte, 16)
	_, _ = rand.Read(seed) // never fails: crypto/rand ends the process instead
	return seed
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
		e.Event.Header.TaskConfig = nil // it may hold secrets, which explanations are not to show
		verdict.Event, verdict.Calls = &e.Event, out.calls
		l.inbox.put(supervise.Event(verdict))
	})
}

// askFrames asks the frames hook likewise.
func (l *link) askFrames(e supervise.AskFrames) {
	l.work.Go(func() {
		verdict := supervise.FramesVerdict{Token: e.Token}
		out := l.host.ask(l.ctx, abi.HookFrames, e.Task, &e.Event.Header, e.Event.Append, func(b []byte) error {
			if err := verdict.Verdict.Unmarshal(b); err != nil {
				return err
			}
			return supervise.CheckKept(verdict.Verdict.Kept, len(e.Event.Frames))
		})
		verdict.Abstained, verdict.Fault, verdict.Provenance = !out.decided && out.fault == "", out.fault, out.provenance
		e.Event.Header.TaskConfig = nil // it may hold secrets, which explanations are not to show
		verdict.Event, verdict.Calls = &e.Event, out.calls
		l.inbox.put(supervise.Event(verdict))
	})
}

// tellClosed tells the dialog-closed hook, whose outcome changes nothing.
func (l *link) tellClosed(e supervise.TellClosed) {
	if len(l.host.plugins.serving(abi.HookDialogClosed)) == 0 {
		return
	}
	l.work.Go(func() {
		out := l.host.ask(l.ctx, abi.HookDialogClosed, e.Task, &e.Event.Header, e.Event.Append, nil)
		if out.fault != "" {
			l.log.Warn("plugin fault", "task", e.Task, "dialog", e.Event.DialogID, "fault", out.fault)
		}
	})
}
