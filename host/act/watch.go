package act

import (
	"cmp"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"

	cdproto "github.com/chromedp/cdproto/cdp"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

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
	loader    cdproto.LoaderID
	idle      map[cdproto.LoaderID]bool // documents whose network is idle
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
	w = &pageWatch{tab: tab, newest: map[string][]byte{}, idle: map[cdproto.LoaderID]bool{}, arrivals: map[uint64]page.Arrival{}, bound: map[target.SessionID]bool{}, before: map[string]bool{}, changed: make(chan struct{})}
	for _, known := range t.Snapshot().Targets {
		w.before[known.ID] = true
	}
	return w, t.Link.Watch(w)
}

// Hear notes an event of a tab, or with none of the browser, if it is about what is watched.
func (w *pageWatch) Hear(tab target.ID, e engine.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case tab == w.tab:
		w.note(e)
	case tab != "":
		w.noteOpened(tab, e)
	case e.Method == engine.EventAttached:
		w.noteAttached(e)
	case e.Method == download.EventProgress:
		w.noteProgress(e.Params)
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

func (w *pageWatch) note(e engine.Event) {
	w.newest[e.Method] = e.Params
	switch e.Method {
	case engine.EventRequested:
		w.noteRequested(e.Params)
	case engine.EventStopped:
		w.stopped = w.stopped || !w.sure && w.ofTop(e.Params)
	case engine.EventNavigated:
		w.noteNavigated(e)
	case engine.EventWithin:
		w.noteWithin(e)
	case engine.EventDownload:
		w.noteDownload(e.Params)
	case engine.EventDownloaded:
		w.noteProgress(e.Params)
	case engine.EventLifecycle:
		w.noteLifecycle(e.Params)
	case engine.EventWindow:
		w.noteWindow(e.Params)
	case engine.EventBinding:
		w.noteArrival(e.Params)
	}
}

// ofTop tells whether an event is about the tab's top frame, whose id is the tab's.
func (w *pageWatch) ofTop(params []byte) bool {
	var e struct {
		Frame string `json:"frameId"`
	}
	return cdp.Unmarshal(params, &e) == nil && e.Frame == string(w.tab)
}

func (w *pageWatch) noteRequested(params []byte) {
	var e cdppage.EventFrameRequestedNavigation
	if cdp.Unmarshal(params, &e) != nil {
		return
	}
	w.foreign = cmp.Or(foreign(e.URL), w.foreign)
	if e.FrameID == cdproto.FrameID(w.tab) && e.Disposition == cdppage.ClientNavigationDispositionCurrentTab {
		w.going, w.stopped, w.wanted = true, false, e.URL
	}
}

// errorPage is the address of the browser's own page about a document that did not come.
const errorPage = "chrome-error://chromewebdata/"

func (w *pageWatch) noteNavigated(e engine.Event) {
	switch navigated, ok := e.Decoded.(supervise.FrameNavigated); {
	case !ok:
	case navigated.Frame.ID == cdproto.FrameID(w.tab):
		w.going, w.arrived, w.loader = false, navigated.Frame.URL, navigated.Frame.Loader
		if navigated.Frame.ErrorPage {
			w.arrived = errorPage
		}
	case w.below:
		w.going = false
	}
}

func (w *pageWatch) noteWithin(e engine.Event) {
	switch within, ok := e.Decoded.(supervise.NavigatedWithinDocument); {
	case !ok:
	case within.Frame == cdproto.FrameID(w.tab):
		w.going, w.arrived = false, within.URL
	case w.below:
		w.going = false
	}
}

func (w *pageWatch) noteLifecycle(params []byte) {
	var e cdppage.EventLifecycleEvent
	if cdp.Unmarshal(params, &e) == nil && e.FrameID == cdproto.FrameID(w.tab) && e.Name == "networkIdle" {
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
