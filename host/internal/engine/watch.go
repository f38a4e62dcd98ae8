package engine

import (
	"slices"

	"github.com/chromedp/cdproto/target"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
)

// The events from which an action learns what came of it.
const (
	EventRequested  = "Page.frameRequestedNavigation"
	EventStopped    = "Page.frameStoppedLoading"
	EventNavigated  = "Page.frameNavigated"
	EventWithin     = "Page.navigatedWithinDocument"
	EventChooser    = "Page.fileChooserOpened"
	EventDownload   = "Page.downloadWillBegin"
	EventDownloaded = "Page.downloadProgress"
	EventLifecycle  = "Page.lifecycleEvent"
	EventWindow     = "Page.windowOpen"
	EventBinding    = "Runtime.bindingCalled"
	eventDrag       = "Input.dragIntercepted"
)

// watched are the events that a watch notes.
var watched = []string{
	EventRequested, EventStopped, EventNavigated, EventWithin, EventChooser, EventDownload, EventDownloaded, EventLifecycle,
	eventDrag, EventWindow, download.EventBegan, download.EventProgress, EventAttached, EventBinding,
}

// EventAttached tells of new tabs.
const EventAttached = "Target.attachedToTarget"

// Watcher hears the events of [watched], when the snapshot has them, too: those of a tab, and with no tab those of the
// browser's own session.
type Watcher interface {
	Hear(tab target.ID, method string, params []byte)
}

// Watch makes a watcher hear events until stop is called.
func (l *Link) Watch(w Watcher) (stop func()) {
	l.inbox.put(onOwner(func() { l.watches[w] = true }))
	return func() { l.inbox.put(onOwner(func() { delete(l.watches, w) })) }
}

// observe hands an event to those who watch its tab. They are told when the snapshot has it, too.
func (l *Link) observe(m cdp.Message) {
	if len(l.watches) == 0 && m.SessionID != "" || !slices.Contains(watched, m.Method) {
		return
	}
	if m.SessionID == "" {
		l.observeBrowser(m)
		return
	}
	tab := l.state.PageOf(target.SessionID(m.SessionID))
	for w := range l.watches {
		if tab != "" {
			l.later = append(l.later, func() { w.Hear(tab, m.Method, m.Params) })
		}
	}
}

// observeBrowser hands on what the browser's own session tells.
func (l *Link) observeBrowser(m cdp.Message) {
	if m.Method != EventAttached {
		l.Downloads.Note(m.Method, m.Params)
	}
	for w := range l.watches {
		l.later = append(l.later, func() { w.Hear("", m.Method, m.Params) })
	}
}
