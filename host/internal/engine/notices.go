package engine

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

func (l *Link) notify(e supervise.Notify) {
	l.logNotice(e)
	if e.Kind == supervise.NotifyDownload {
		l.followDownload(e.Task, e.Download)
	}
	if t := l.tasks[e.Task]; t != nil {
		at := time.Now()
		l.afterPublish = append(l.afterPublish, func() { t.observer.Publish(view.EventOf(e, at)) })
	}
}

// logNotice logs decisions with their provenance, and never what a page said.
func (l *Link) logNotice(e supervise.Notify) {
	switch e.Kind {
	case supervise.NotifyFault:
		by := e.Dialog.Decision
		l.Log.Warn("plugin fault, the fallback decides", "task", e.Task, "dialog", e.Dialog.ID, "plugin", by.Module, "generation", by.Generation, "fault", e.Fault)
	case supervise.NotifyDialogOpened:
		l.Log.Info("dialog opened", "task", e.Task, "dialog", e.Dialog.ID, "type", e.Dialog.Type.String())
	case supervise.NotifyDialogClosed:
		d, by := e.Dialog, e.Dialog.Decision
		l.Log.Info("dialog closed", "task", e.Task, "dialog", d.ID, "type", d.Type.String(), "closed_by", d.ClosedBy.String(), "reason", d.CloseReason,
			"plugin", by.Module, "generation", by.Generation, "sha256", by.SHA256, "call", by.Sequence, "rule", by.Rule, "open_for", d.ClosedAt.Sub(d.OpenedAt))
	case supervise.NotifyBridged:
		l.Log.Warn("dialogs go through the bridge from now on", "task", e.Task, "reason", e.Fault)
	case supervise.NotifyNavigationDenied:
		l.logDenial(e)
	case supervise.NotifyTargetCrashed:
		l.Log.Warn("a tab crashed", "task", e.Task, "target", e.Target.ID)
	}
}

// logDenial logs neither URL nor reason: both may repeat what a page said.
func (l *Link) logDenial(e supervise.Notify) {
	d, by := e.Denial, e.Denial.Decision
	l.Log.Info("navigation denied", "task", e.Task, "target", d.Target, "frame", d.Frame, "plugin", by.Module, "generation", by.Generation, "sha256", by.SHA256,
		"call", by.Sequence, "rule", by.Rule, "failed_closed", d.FailedClosed)
}

func (l *Link) publish(task string) {
	t := l.tasks[task]
	if v, ok := l.state.View(task); ok && t != nil {
		t.Publish(view.NewSnapshot(v, t.Snapshot()))
	}
}

// forget removes a task and ends it for its readers.
func (l *Link) forget(t *Task) {
	if l.tasks[t.id] == t {
		delete(l.tasks, t.id)
	}
	t.End()
}
