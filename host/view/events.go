package view

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// EventKind is the kind of an [Event].
type EventKind string

// The kinds of events.
const (
	// EventDialogOpened says that a dialog opened, and waits for an answer unless a plugin has given one.
	EventDialogOpened EventKind = "dialog_opened"
	// EventDialogClosed says that a dialog closed, with who closed it, by which rule.
	EventDialogClosed EventKind = "dialog_closed"
	// EventTargetAttached says that a tab, popup, worker or frame of another process belongs to the task from now on.
	EventTargetAttached EventKind = "target_attached"
	// EventTargetGone says that one closed, or left the task.
	EventTargetGone EventKind = "target_gone"
	// EventTargetCrashed says that the process of one crashed.
	EventTargetCrashed EventKind = "target_crashed"
	// EventConsole says that a page logged something, or threw an exception that nothing caught.
	EventConsole EventKind = "console"
	// EventPluginFault says that a module failed to decide, with the dialog that it was asked about, if any.
	EventPluginFault EventKind = "plugin_fault"
	// EventDisconnected says that the connection to the browser is lost.
	EventDisconnected EventKind = "disconnected"
	// EventBridged says that the dialogs of the task go through the bridge from now on. Its reason says why.
	EventBridged EventKind = "bridged"
	// EventReconnected says that the connection to the browser is restored.
	EventReconnected EventKind = "reconnected"
	// EventNavigationDenied says that a plugin, or the host's fallback, denied a navigation.
	EventNavigationDenied EventKind = "navigation_denied"
	// EventPluginChanged says that the host promoted or dropped a candidate by itself. Its reason says why.
	EventPluginChanged EventKind = "plugin_changed"
	// EventNavigationRewritten says that a plugin sent a navigation elsewhere.
	EventNavigationRewritten EventKind = "navigation_rewritten"
	// EventDownload says that a download began or ended.
	EventDownload EventKind = "download"
)

// Event is one thing that happened to a task; which fields are set depends on its kind.
type Event struct {
	// Kind is what happened.
	Kind EventKind `json:"kind"`
	// TaskID is the task to which it happened.
	TaskID string `json:"task_id"`
	// Dialog is the dialog that opened or closed, or that a module failed on.
	Dialog *Dialog `json:"dialog,omitempty"`
	// Target is the tab, popup, worker or frame.
	Target *Target `json:"target,omitempty"`
	// Console is the message.
	Console *ConsoleMessage `json:"console,omitempty"`
	// At is when it happened.
	At UnixTime `json:"at,omitzero"`
	// Navigation is the denied or rewritten navigation.
	Navigation *DeniedNavigation `json:"navigation,omitempty"`
	// Download is the one that began or ended.
	Download *Download `json:"download,omitempty"`
	// Reason explains a fault, a lost connection or the switch to the bridge.
	Reason string `json:"reason,omitempty"`
}

var eventKinds = map[supervise.NotifyKind]EventKind{
	supervise.NotifyDialogOpened:   EventDialogOpened,
	supervise.NotifyDialogClosed:   EventDialogClosed,
	supervise.NotifyTargetAttached: EventTargetAttached,
	supervise.NotifyTargetGone:     EventTargetGone,
	supervise.NotifyTargetCrashed:  EventTargetCrashed,
	supervise.NotifyConsole:        EventConsole,
	supervise.NotifyFault:          EventPluginFault,
	supervise.NotifyDisconnected:   EventDisconnected,
	supervise.NotifyBridged:        EventBridged,
	supervise.NotifyReconnected:    EventReconnected,

	supervise.NotifyNavigationDenied:    EventNavigationDenied,
	supervise.NotifyNavigationRewritten: EventNavigationRewritten,
	supervise.NotifyDownload:            EventDownload,
}

// EventOf returns a notification of the state machine as callers see it.
func EventOf(n supervise.Notify, at time.Time) Event {
	e := Event{Kind: eventKinds[n.Kind], TaskID: n.Task, At: UnixTime{at}, Reason: n.Fault}
	switch n.Kind {
	case supervise.NotifyDialogOpened, supervise.NotifyDialogClosed:
		d := DialogOf(n.Dialog)
		e.Dialog = &d
	case supervise.NotifyTargetAttached, supervise.NotifyTargetGone, supervise.NotifyTargetCrashed:
		t := TargetOf(n.Target, nil)
		e.Target = &t
	case supervise.NotifyConsole:
		c := consoleOf(n.Entry)
		e.Console = &c
	case supervise.NotifyNavigationDenied, supervise.NotifyNavigationRewritten:
		d := denialOf(n.Denial)
		e.Navigation = &d
	case supervise.NotifyDownload:
		d := downloadOf(n.Download)
		e.Download = &d
	case supervise.NotifyFault:
		if n.Dialog.ID != "" {
			d := DialogOf(n.Dialog)
			e.Dialog = &d
		}
	}
	return e
}
