package host

import (
	"cmp"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	protocol "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	connection "github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
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
	// Of the browser's own session: they come when the tab that began a download is closed already, but only while somebody
	// waits for a file.
	eventAnyDownload   = "Browser.downloadWillBegin"
	eventAnyDownloaded = "Browser.downloadProgress"
)

// watched are the events that a watch notes.
var watched = []string{
	eventRequested, eventStopped, eventNavigated, eventWithin, eventChooser, eventDownload, eventDownloaded, eventLifecycle,
	page.DragIntercepted, eventWindow, eventAnyDownload, eventAnyDownloaded, eventAttached, eventBinding,
}

// eventAttached tells of new tabs.
const eventAttached = "Target.attachedToTarget"

// pageWatch notes what happens to a tab while an action is under way.
type pageWatch struct {
	tab target.ID

	mu        sync.Mutex
	newest    map[string][]byte
	going     bool   // the top frame is about to have another document
	wanted    string // and its address
	stopped   bool   // it has not got one, and stopped
	sure      bool   // but that is no sign
	foreign   string // the scheme of an address for another program that the tab asked for
	below     bool   // it may be a frame below the top one that is about to
	arrived   string // the address that the tab has got
	loader    cdp.LoaderID
	idle      map[cdp.LoaderID]bool // documents whose network is idle
	downloads []watchedDownload
	windows   []string                  // the addresses for which the tab asked for windows
	opened    []*openedTab              // that came from the tab, or from these
	before    map[string]bool           // tabs that there were at the beginning
	arrivals  map[uint64]page.Arrival   // what was announced last of each input that was listened for
	delivered bool                      // input arrived
	bound     map[target.SessionID]bool // that announce arrivals
	changed   chan struct{}             // closed and replaced with each event
}

// watchTab begins to note what happens to a tab; stop ends it.
func (t *Task) watchTab(tab target.ID) (w *pageWatch, stop func()) {
	w = &pageWatch{tab: tab, newest: map[string][]byte{}, idle: map[cdp.LoaderID]bool{}, arrivals: map[uint64]page.Arrival{}, bound: map[target.SessionID]bool{}, before: map[string]bool{}, changed: make(chan struct{})}
	for _, known := range t.Snapshot().Targets {
		w.before[known.ID] = true
	}
	l := t.link
	l.inbox.put(onOwner(func() { l.watches[w] = true }))
	return w, func() { l.inbox.put(onOwner(func() { delete(l.watches, w) })) }
}

// observe hands an event to those who watch its tab. They are told when the snapshot has it, too.
func (l *link) observe(m connection.Message) {
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
			l.later = append(l.later, func() { w.hear(tab, m.Method, m.Params) })
		}
	}
}

// observeBrowser hands on what the browser's own session tells.
func (l *link) observeBrowser(m connection.Message) {
	if m.Method != eventAttached {
		l.downloads.note(m.Method, m.Params)
	}
	for w := range l.watches {
		l.later = append(l.later, func() { w.hear("", m.Method, m.Params) })
	}
}

// hear notes an event of a tab, or with none of the browser, if it is about what is watched.
func (w *pageWatch) hear(tab target.ID, method string, params []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case tab == w.tab:
		w.note(method, params)
	case tab != "":
		w.noteOpened(tab, method, params)
	case method == eventAttached:
		w.noteAttached(params)
	case method == eventAnyDownloaded:
		w.noteProgress(params)
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

func (w *pageWatch) note(method string, params []byte) {
	w.newest[method] = params
	switch method {
	case eventRequested:
		w.noteRequested(params)
	case eventStopped:
		w.stopped = w.stopped || !w.sure && w.ofTop(params)
	case eventNavigated:
		w.noteNavigated(params)
	case eventWithin:
		w.noteWithin(params)
	case eventDownload:
		w.noteDownload(params)
	case eventDownloaded:
		w.noteProgress(params)
	case eventLifecycle:
		w.noteLifecycle(params)
	case eventWindow:
		w.noteWindow(params)
	case eventBinding:
		w.noteArrival(params)
	}
}

// ofTop tells whether an event is about the tab's top frame, whose id is the tab's.
func (w *pageWatch) ofTop(params []byte) bool {
	var e struct {
		Frame string `json:"frameId"`
	}
	return unmarshal(params, &e) == nil && e.Frame == string(w.tab)
}

func (w *pageWatch) noteRequested(params []byte) {
	var e protocol.EventFrameRequestedNavigation
	if unmarshal(params, &e) != nil {
		return
	}
	w.foreign = cmp.Or(foreign(e.URL), w.foreign)
	if e.FrameID == cdp.FrameID(w.tab) && e.Disposition == protocol.ClientNavigationDispositionCurrentTab {
		w.going, w.stopped, w.wanted = true, false, e.URL
	}
}

func (w *pageWatch) noteNavigated(params []byte) {
	var e protocol.EventFrameNavigated
	switch {
	case unmarshal(params, &e) != nil || e.Frame == nil:
	case e.Frame.ID == cdp.FrameID(w.tab):
		w.going, w.arrived, w.loader = false, e.Frame.URL+e.Frame.URLFragment, e.Frame.LoaderID
	case w.below:
		w.going = false
	}
}

func (w *pageWatch) noteWithin(params []byte) {
	var e protocol.EventNavigatedWithinDocument
	switch {
	case unmarshal(params, &e) != nil:
	case e.FrameID == cdp.FrameID(w.tab):
		w.going, w.arrived = false, e.URL
	case w.below:
		w.going = false
	}
}

func (w *pageWatch) noteLifecycle(params []byte) {
	var e protocol.EventLifecycleEvent
	if unmarshal(params, &e) == nil && e.FrameID == cdp.FrameID(w.tab) && e.Name == "networkIdle" {
		w.idle[e.LoaderID] = true
	}
}

// seen gives the newest event of a method.
func (w *pageWatch) seen(method string) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.newest[method]
}

// forget drops the newest event of a method.
func (w *pageWatch) forget(method string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.newest, method)
}

// look calls f with the watch at rest, and gives a channel that is closed with the next event.
func (w *pageWatch) look(f func(*pageWatch)) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(w)
	return w.changed
}
