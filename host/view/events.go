package view

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// EventKind is the kind of an [Event].
type EventKind string

// The kinds of events.
const (
	EventDialogOpened   EventKind = "dialog_opened"
	EventDialogClosed   EventKind = "dialog_closed"
	EventTargetAttached EventKind = "target_attached"
	EventTargetGone     EventKind = "target_gone"
	EventTargetCrashed  EventKind = "target_crashed"
	EventConsole        EventKind = "console"
	EventPluginFault    EventKind = "plugin_fault"
	EventDisconnected   EventKind = "disconnected"
	// EventBridged says that the dialogs of the task go through the bridge from now on. Its reason says why.
	EventBridged     EventKind = "bridged"
	EventReconnected EventKind = "reconnected"
	// EventNavigationDenied says that a plugin, or the host's fallback, denied a navigation.
	EventNavigationDenied EventKind = "navigation_denied"
	// EventPluginChanged says in its reason that the host promoted or dropped a candidate by itself.
	EventPluginChanged EventKind = "plugin_changed"
	// EventNavigationRewritten says that a plugin sent a navigation elsewhere.
	EventNavigationRewritten EventKind = "navigation_rewritten"
	// EventDownload says that a download began or ended.
	EventDownload EventKind = "download"
)

// Event is one thing that happened to a task; which fields are set depends on its kind.
type Event struct {
	Kind    EventKind       `json:"kind"`
	TaskID  string          `json:"task_id"`
	Dialog  *Dialog         `json:"dialog,omitempty"`
	Target  *Target         `json:"target,omitempty"`
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
