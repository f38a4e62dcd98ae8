package engine

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/hooks"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// ask asks the modules off the owner's goroutine. The verdict comes back through the inbox. A question that waits in
// the queue for an instance leaves it when its time is over or it is withdrawn, so that a question whose answer is no
// longer needed delays no other.
func (l *Link) ask(a hooks.Ask) {
	wait, cancel := context.WithDeadline(l.ctx, a.Until)
	l.asks[a.Token] = cancel
	a.Question.Wait = wait
	l.work.Go(func() {
		defer cancel()
		l.inbox.put(a.Verdict(l.group.plugins.Ask(l.ctx, a.Question)))
	})
}

// withdraw cancels a question whose answer is no longer needed.
func (l *Link) withdraw(token supervise.Token) {
	if cancel, ok := l.asks[token]; ok {
		delete(l.asks, token)
		cancel()
	}
}

// askRequest asks the request hook.
func (l *Link) askRequest(e supervise.AskRequest) {
	if t := l.tasks[e.Task]; t != nil {
		e.Event.Headers = t.network.WithoutSecrets(e.Headers)
	}
	l.ask(hooks.Request(e))
}

// tellClosed tells the dialog-closed hook, whose outcome changes nothing.
func (l *Link) tellClosed(e supervise.TellClosed) {
	if !l.group.plugins.Serves(abi.HookDialogClosed) {
		return
	}
	l.work.Go(func() {
		wait, cancel := context.WithDeadline(l.ctx, e.Until)
		defer cancel()
		q := hooks.DialogClosed(e)
		q.Wait = wait
		if out := l.group.plugins.Ask(l.ctx, q); out.Fault != "" {
			by := hooks.Provenance(out)
			l.Log.Warn("plugin fault", "task", e.Task, "dialog", e.Event.DialogID, "plugin", by.Module, "generation", by.Generation, "fault", out.Fault)
		}
	})
}

// SnapshotDeciders tells which modules decide on readings now; see [lifecycle.Engine.Deciders].
func (t *Task) SnapshotDeciders() string { return t.Link.group.plugins.Deciders(abi.HookSnapshot) }

// AskSnapshot asks the modules about a part of a reading, which the event has as they leave it afterwards.
func (t *Task) AskSnapshot(ctx context.Context, e *abi.SnapshotEvent) hooks.Left {
	wait, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	g := t.Link.group
	e.Header.TaskID = t.id
	q, left := hooks.Snapshot(e, g.options.SnapshotFailOpen)
	q.Wait = wait
	return left(g.plugins.Ask(ctx, q))
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
