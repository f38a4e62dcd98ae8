package host

import (
	"slices"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// The events from which an action learns what came of it.
const (
	eventRequested  = "Page.frameRequestedNavigation"
	eventStopped    = "Page.frameStoppedLoading"
	eventNavigated  = "Page.frameNavigated"
	eventWithin     = "Page.navigatedWithinDocument"
	eventChooser    = "Page.fileChooserOpened"
	eventDownload   = "Page.downloadWillBegin"
	eventDownloaded = "Page.downloadProgress"
	eventLifecycle  = "Page.lifecycleEvent"
	eventWindow     = "Page.windowOpen"
	eventBinding    = "Runtime.bindingCalled"
	eventDrag       = "Input.dragIntercepted"
)

// watched are the events that a watch notes.
var watched = []string{
	eventRequested, eventStopped, eventNavigated, eventWithin, eventChooser, eventDownload, eventDownloaded, eventLifecycle,
	eventDrag, eventWindow, eventAnyDownload, eventAnyDownloaded, eventAttached, eventBinding,
}

// eventAttached tells of new tabs.
const eventAttached = "Target.attachedToTarget"

// watcher hears the events of [watched], when the snapshot has them, too: those of a tab, and with no tab those of the
// browser's own session.
type watcher interface {
	Hear(tab target.ID, method string, params []byte)
}

// watch makes a watcher hear events until stop is called.
func (l *link) watch(w watcher) (stop func()) {
	l.inbox.put(onOwner(func() { l.watches[w] = true }))
	return func() { l.inbox.put(onOwner(func() { delete(l.watches, w) })) }
}

// observe hands an event to those who watch its tab. They are told when the snapshot has it, too.
func (l *link) observe(m cdp.Message) {
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
func (l *link) observeBrowser(m cdp.Message) {
	if m.Method != eventAttached {
		l.downloads.note(m.Method, m.Params)
	}
	for w := range l.watches {
		l.later = append(l.later, func() { w.Hear("", m.Method, m.Params) })
	}
}
