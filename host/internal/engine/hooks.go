package engine

import (
	"context"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Outcome is the combined result of the modules that serve a hook.
type Outcome struct {
	Decided    bool
	Fault      string
	err        error // the cause of a fault, if a call failed
	provenance supervise.Provenance
	Calls      []supervise.HookCall
}

// abstained reports whether no module decided, without a fault.
func (o Outcome) abstained() bool { return !o.Decided && o.Fault == "" }

// askModules asks the modules off the owner's goroutine. then turns the outcome into an event, which comes back through
// the inbox. A question that waits in the queue for an instance leaves it when its time is over or it is withdrawn, so
// that a question whose answer is no longer needed delays no other.
func (l *Link) askModules(token supervise.Token, until time.Time, q lifecycle.Question, then func(Outcome) supervise.Event) {
	wait, cancel := context.WithDeadline(l.ctx, until)
	l.asks[token] = cancel
	q.Wait = wait
	l.work.Go(func() {
		defer cancel()
		l.inbox.put(then(l.group.Ask(l.ctx, q)))
	})
}

// withdraw cancels a question whose answer is no longer needed.
func (l *Link) withdraw(token supervise.Token) {
	if cancel, ok := l.asks[token]; ok {
		delete(l.asks, token)
		cancel()
	}
}

// Ask calls the modules that serve a hook, in order, until one decides; see [lifecycle.Engine.Ask].
func (g *Group) Ask(ctx context.Context, q lifecycle.Question) Outcome {
	got := g.plugins.Ask(ctx, q)
	out := Outcome{Decided: got.Decided, Fault: got.Fault, err: got.Err, provenance: supervise.Provenance{Sequence: got.Sequence}}
	for i, c := range got.Calls {
		call := supervise.HookCall{
			Module: c.Module, Generation: c.Generation, SHA256: c.SHA256, ConfigHash: c.ConfigHash, Sequence: got.Sequence,
			Outcome: string(c.Outcome), Duration: c.Duration, Config: c.Config, TaskConfig: c.TaskConfig,
		}
		if last := i == len(got.Calls)-1; last && got.Fault != "" && c.Outcome != journal.OutcomeDecided && c.Outcome != journal.OutcomeAbstained {
			call.Outcome, call.Fault = string(journal.OutcomeFault), got.Fault
		}
		out.Calls = append(out.Calls, call)
		if got.Decided && c.Outcome != journal.OutcomeDecided {
			continue // it did not change another module's decision
		}
		out.provenance.Module, out.provenance.Generation = c.Module, c.Generation
		out.provenance.SHA256, out.provenance.ConfigHash = c.SHA256, c.ConfigHash
		out.provenance.Duration = c.Duration
	}
	return out
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

// askDialog asks the dialog hook.
func (l *Link) askDialog(e supervise.AskDialog) {
	verdict := supervise.DialogVerdict{Token: e.Token}
	q := lifecycle.Question{Hook: abi.HookDialog, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: decodes(&verdict.Verdict)}
	l.askModules(e.Token, e.Until, q, func(out Outcome) supervise.Event {
		verdict.Abstained, verdict.Fault, verdict.Provenance = out.abstained(), out.Fault, out.provenance
		e.Event.Header.TaskConfig = nil // explanations show it with the calls instead, with its secrets masked
		verdict.Event, verdict.Calls = &e.Event, out.Calls
		return verdict
	})
}

// askFrames asks the frames hook. Its modules compose: each sees the frames that the one before it kept.
func (l *Link) askFrames(e supervise.AskFrames) {
	trim := newFramesTrim(&e.Event)
	q := lifecycle.Question{
		Hook: abi.HookFrames, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: trim.decode, Next: trim.next,
	}
	l.askModules(e.Token, e.Until, q, func(out Outcome) supervise.Event {
		verdict := supervise.FramesVerdict{Token: e.Token, Verdict: trim.result()}
		verdict.Abstained, verdict.Fault, verdict.Provenance = out.abstained(), out.Fault, out.provenance
		e.Event.Header.TaskConfig = nil // as in askDialog
		verdict.Event, verdict.Calls = &e.Event, out.Calls
		return verdict
	})
}

// tellClosed tells the dialog-closed hook, whose outcome changes nothing.
func (l *Link) tellClosed(e supervise.TellClosed) {
	if !l.group.plugins.Serves(abi.HookDialogClosed) {
		return
	}
	l.work.Go(func() {
		wait, cancel := context.WithDeadline(l.ctx, e.Until)
		defer cancel()
		out := l.group.Ask(l.ctx, lifecycle.Question{
			Hook: abi.HookDialogClosed, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Wait: wait,
		})
		if out.Fault != "" {
			l.Log.Warn("plugin fault", "task", e.Task, "dialog", e.Event.DialogID, "plugin", out.provenance.Module,
				"generation", out.provenance.Generation, "fault", out.Fault)
		}
	})
}

// askBridgeScript asks for the bridge script of a task.
func (l *Link) askBridgeScript(e supervise.AskBridgeScript) {
	v := &supervise.BridgeVerdict{Token: e.Token}
	l.askBridge(v, e.Until, lifecycle.Question{
		Hook: abi.HookBridgeScript, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: v.Script.Unmarshal,
	})
}

// askBridgeRequest asks what a pause or an intercepted request means.
func (l *Link) askBridgeRequest(e supervise.AskBridgeRequest) {
	v := &supervise.BridgeVerdict{Token: e.Token}
	l.askBridge(v, e.Until, lifecycle.Question{
		Hook: abi.HookBridgeRequest, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: v.Request.Unmarshal,
	})
}

// askBridgeReply asks how to encode an answer.
func (l *Link) askBridgeReply(e supervise.AskBridgeReply) {
	v := &supervise.BridgeVerdict{Token: e.Token}
	l.askBridge(v, e.Until, lifecycle.Question{
		Hook: abi.HookBridgeReply, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: v.Reply.Unmarshal,
	})
}

// askBridge asks a question of the dialog bridge, whose answer is decoded into v.
func (l *Link) askBridge(v *supervise.BridgeVerdict, until time.Time, q lifecycle.Question) {
	l.askModules(v.Token, until, q, func(out Outcome) supervise.Event {
		v.Abstained, v.Fault, v.Provenance = out.abstained(), out.Fault, out.provenance
		return *v
	})
}

// hooksChanged is an inbox item: other modules may be in service. The owner looks for itself, so that the last of
// several changes counts in whatever order the items arrive.
type hooksChanged struct{}

// HooksChanged tells every connection that other modules are in service. It is called after the change.
func (g *Group) HooksChanged() {
	_, live := g.tallies.now()
	for _, l := range live {
		l.inbox.put(hooksChanged{})
	}
}

// updateHooks intercepts navigations, and all requests, if, and only if, a module serves the hook for them.
func (l *Link) updateHooks() {
	serves := l.group.plugins.Serves
	l.apply(supervise.HooksChanged{Navigate: serves(abi.HookNavigate), Request: serves(abi.HookRequest), Console: serves(abi.HookConsole)})
}

// askNavigate asks the navigate hook.
func (l *Link) askNavigate(e supervise.AskNavigate) {
	v := supervise.NavigateVerdict{Token: e.Token}
	q := lifecycle.Question{Hook: abi.HookNavigate, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: decodes(&v.Verdict)}
	l.askModules(e.Token, e.Until, q, func(out Outcome) supervise.Event {
		v.Abstained, v.Fault, v.Provenance = out.abstained(), out.Fault, out.provenance
		return v
	})
}

// logDenial logs neither URL nor reason: both may repeat what a page said.
func (l *Link) logDenial(e supervise.Notify) {
	d, by := e.Denial, e.Denial.Decision
	l.Log.Info("navigation denied", "task", e.Task, "target", d.Target, "frame", d.Frame, "plugin", by.Module, "generation", by.Generation, "sha256", by.SHA256,
		"call", by.Sequence, "rule", by.Rule, "failed_closed", d.FailedClosed)
}
