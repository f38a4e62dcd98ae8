package host

import (
	"sync"
	"sync/atomic"

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
	// EventBridged says that the task's dialogs go through the bridge from now on, and its reason why.
	EventBridged     EventKind = "bridged"
	EventReconnected EventKind = "reconnected"
	// EventNavigationDenied says that a plugin, or the host's fallback, denied a navigation.
	EventNavigationDenied EventKind = "navigation_denied"
)

// Event is one thing that happened to a task; which fields are set depends on its kind.
type Event struct {
	Kind    EventKind       `json:"kind"`
	TaskID  string          `json:"task_id"`
	Dialog  *Dialog         `json:"dialog,omitempty"`
	Target  *Target         `json:"target,omitempty"`
	Console *ConsoleMessage `json:"console,omitempty"`
	// Navigation is the one that was denied.
	Navigation *DeniedNavigation `json:"navigation,omitempty"`
	// Reason is of a fault or of a lost connection.
	Reason string `json:"reason,omitempty"`
}

// Subscription receives the events of a task in order. It is bounded: when its reader is too slow, new events are dropped
// and counted, and the supervisor goes on.
type Subscription struct {
	// C is closed when the subscription, the task or the host is closed.
	C       <-chan Event
	events  chan Event
	dropped atomic.Uint64
	hub     *hub
}

// Dropped is how many events were lost because C was full.
func (s *Subscription) Dropped() uint64 { return s.dropped.Load() }

// Close ends the subscription.
func (s *Subscription) Close() { s.hub.remove(s) }

// hub hands the events of a task to its subscriptions.
type hub struct {
	mu     sync.Mutex
	subs   map[*Subscription]struct{}
	closed bool
}

func (h *hub) subscribe(buffer int) *Subscription {
	s := &Subscription{events: make(chan Event, max(buffer, 1)), hub: h}
	s.C = s.events
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		close(s.events)
		return s
	}
	if h.subs == nil {
		h.subs = map[*Subscription]struct{}{}
	}
	h.subs[s] = struct{}{}
	return s
}

func (h *hub) remove(s *Subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.subs[s]; ok {
		delete(h.subs, s)
		close(s.events)
	}
}

func (h *hub) publish(e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.subs {
		select {
		case s.events <- e:
		default:
			s.dropped.Add(1)
		}
	}
}

func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for s := range h.subs {
		close(s.events)
	}
	clear(h.subs)
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

	supervise.NotifyNavigationDenied: EventNavigationDenied,
}

func publicEvent(n supervise.Notify) Event {
	e := Event{Kind: eventKinds[n.Kind], TaskID: n.Task, Reason: n.Fault}
	switch n.Kind {
	case supervise.NotifyDialogOpened, supervise.NotifyDialogClosed:
		d := publicDialog(n.Dialog)
		e.Dialog = &d
	case supervise.NotifyTargetAttached, supervise.NotifyTargetGone, supervise.NotifyTargetCrashed:
		t := publicTarget(n.Target, nil)
		e.Target = &t
	case supervise.NotifyConsole:
		c := publicConsole(n.Entry)
		e.Console = &c
	case supervise.NotifyNavigationDenied:
		d := publicDenial(n.Denial)
		e.Navigation = &d
	case supervise.NotifyFault:
		if n.Dialog.ID != "" {
			d := publicDialog(n.Dialog)
			e.Dialog = &d
		}
	}
	return e
}
