package engine

import (
	"slices"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// The events that tell an action what effect it had.
const (
	EventRequested  = "Page.frameRequestedNavigation"
	EventStopped    = "Page.frameStoppedLoading"
	EventNavigated  = "Page.frameNavigated"
	EventWithin     = "Page.navigatedWithinDocument"
	EventChooser    = "Page.fileChooserOpened"
	EventDownload   = "Page.downloadWillBegin"
	eventDownloaded = "Page.downloadProgress"
	eventLifecycle  = "Page.lifecycleEvent"
	EventWindow     = "Page.windowOpen"
	EventBinding    = "Runtime.bindingCalled"
	eventDrag       = "Input.dragIntercepted"
)

// watched are the events that watchers hear.
var watched = []string{
	EventRequested, EventStopped, EventNavigated, EventWithin, EventChooser, EventDownload, eventDownloaded, eventLifecycle,
	eventDrag, EventWindow, download.EventBegan, download.EventProgress, EventAttached, EventBinding,
}

// EventAttached announces new tabs.
const EventAttached = "Target.attachedToTarget"

// Event is what a [Watcher] hears.
type Event struct {
	Method string
	Params []byte
	// Decoded is the event for the state machine; nil if it takes no events of that method.
	Decoded supervise.Event
}

// Watcher hears the events of watched: those of a tab, and with an empty tab those of the browser's own session. It
// hears them after the snapshot that shows their effect was published.
type Watcher interface {
	Hear(tab target.ID, e Event)
}

// Watch makes a watcher hear events until stop is called.
func (l *Link) Watch(w Watcher) (stop func()) {
	l.inbox.put(onOwner(func() { l.watches[w] = true }))
	return func() { l.inbox.put(onOwner(func() { delete(l.watches, w) })) }
}

// observe hands an event to the watchers, once the snapshot that shows its effect is published.
func (l *Link) observe(e Event, session target.SessionID) {
	if len(l.watches) == 0 || !slices.Contains(watched, e.Method) {
		return
	}
	var tab target.ID
	if session != "" {
		if tab = l.state.PageOf(session); tab == "" {
			return
		}
	}
	for w := range l.watches {
		l.afterPublish = append(l.afterPublish, func() { w.Hear(tab, e) })
	}
}
