package act

import (
	"strconv"
	"strings"
	"sync"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// pageWatch records what happens to a tab during an action.
type pageWatch struct {
	tab target.ID

	mu            sync.Mutex
	newest        map[string][]byte         // events by their method
	navigating    bool                      // the top frame is about to have another document
	pendingURL    string                    // the URL of that
	stopped       bool                      // loading stopped without that document
	halted        bool                      // the document that is there is no longer loaded
	ignoreStops   bool                      // loading may stop before the document is announced
	maybeSubframe bool                      // it may be a frame below the top one that navigates
	unloaded      map[string]bool           // frames whose requested documents may be downloads: true once loading stopped
	external      string                    // a URL of an external protocol that the tab asked for
	committedURL  string                    // the URL of the last navigation that was committed
	failed        bool                      // with the browser's error page in place of that
	windowURLs    []string                  // the URLs for which the tab asked for windows
	aside         []string                  // the URLs that a click opens in a tab or window without an opener
	opened        []*openedTab              // tabs that the tab, or one of these, opened
	openBefore    map[string]bool           // tabs that were open at the beginning
	arrivals      map[uint64]input.Arrival  // the last announcement for each input, by the id of its aim
	delivered     bool                      // the page received input
	loadsStopped  time.Time                 // when the action stopped what the tab was loading; zero: it did not
	bindings      map[target.SessionID]bool // sessions that announce arrivals
	changed       chan struct{}             // closed and replaced with each event
}

// startWatch starts to record what happens to the tab; stop ends that.
func (d *driver) startWatch() (stop func()) {
	d.watch = &pageWatch{
		tab: d.tab, newest: map[string][]byte{}, unloaded: map[string]bool{}, openBefore: map[string]bool{},
		arrivals: map[uint64]input.Arrival{}, bindings: map[target.SessionID]bool{}, changed: make(chan struct{}),
	}
	for _, known := range d.pages.Snapshot().Targets {
		d.watch.openBefore[known.ID] = true
	}
	return d.pages.Link.Watch(d.watch)
}

// Hear records an event of a tab, or, with an empty tab, of the browser, if it concerns the watched tab.
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
		w.halted = w.halted || w.ofTop(e.Params)
		w.stopped = w.stopped || !w.ignoreStops && w.ofTop(e.Params)
		if frame := frameOf(e.Params); !w.ignoreStops {
			if _, asked := w.unloaded[frame]; asked {
				w.unloaded[frame] = true
			}
		}
	case engine.EventNavigated:
		w.noteNavigated(e)
	case engine.EventWithin:
		w.noteSameDocument(e)
	case engine.EventDownload:
		delete(w.unloaded, frameOf(e.Params))
		if w.ofTop(e.Params) {
			w.navigating = false // the URL of the top frame was a download
		}
	case engine.EventWindow:
		w.noteWindow(e.Params)
	case engine.EventBinding:
		w.noteArrival(e.Params)
	}
}

// ofTop reports whether an event is about the tab's top frame, whose id is the tab's.
func (w *pageWatch) ofTop(params []byte) bool { return frameOf(params) == string(w.tab) }

// frameOf is the frame that an event is about.
func frameOf(params []byte) string {
	var e struct {
		Frame string `json:"frameId"`
	}
	_ = cdp.Unmarshal(params, &e) // then it is none
	return e.Frame
}

func (w *pageWatch) noteRequested(params []byte) {
	var e cdppage.EventFrameRequestedNavigation
	if cdp.Unmarshal(params, &e) != nil {
		return
	}
	w.noteExternal(e.URL)
	if e.Disposition == cdppage.ClientNavigationDispositionCurrentTab {
		w.unloaded[string(e.FrameID)] = false
	}
	if e.FrameID == cdproto.FrameID(w.tab) && e.Disposition == cdppage.ClientNavigationDispositionCurrentTab {
		w.navigating, w.stopped, w.pendingURL = true, false, e.URL
	}
	if e.Disposition == cdppage.ClientNavigationDispositionNewTab || e.Disposition == cdppage.ClientNavigationDispositionNewWindow {
		w.aside = append(w.aside, e.URL)
	}
}

// noteExternal records a URL that the tab asked for if it is one of an external protocol.
func (w *pageWatch) noteExternal(url string) {
	if externalScheme(url) != "" {
		w.external = pagetext.Shorten(url, maxExternal)
	}
}

// maxExternal caps a URL of an external protocol, in bytes.
const maxExternal = 2048

func (w *pageWatch) noteNavigated(e engine.Event) {
	navigated, ok := e.Decoded.(supervise.FrameNavigated)
	delete(w.unloaded, string(navigated.Frame.ID))
	switch {
	case !ok:
	case navigated.Frame.ID == cdproto.FrameID(w.tab):
		w.navigating, w.committedURL, w.failed, w.halted = false, navigated.Frame.URL, navigated.Frame.ErrorPage, false
	case w.maybeSubframe:
		w.navigating = false
	}
}

func (w *pageWatch) noteSameDocument(e engine.Event) {
	within, ok := e.Decoded.(supervise.NavigatedWithinDocument)
	delete(w.unloaded, string(within.Frame))
	switch {
	case !ok:
	case within.Frame == cdproto.FrameID(w.tab):
		w.navigating, w.committedURL = false, within.URL
	case w.maybeSubframe:
		w.navigating = false
	}
}

// latest returns the newest event of a method.
func (w *pageWatch) latest(method string) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.newest[method]
}

// drop removes the newest event of a method.
func (w *pageWatch) drop(method string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.newest, method)
}

// whenLoadsStopped returns when the action stopped what the tab was loading; zero: it did not.
func (w *pageWatch) whenLoadsStopped() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.loadsStopped
}

// inspect calls f while no event is recorded, and returns a channel that is closed with the next event.
func (w *pageWatch) inspect(f func(*pageWatch)) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(w)
	return w.changed
}

// Announce implements [input.Actor]. The binding exists only in our world, where the page's scripts cannot call it.
func (d *driver) Announce(frame cdproto.FrameID) error {
	place, err := d.op.Locate(supervise.FrameSelector{Target: d.tab, Frame: frame})
	if err != nil || d.watch == nil || !d.watch.addBinding(place.Session) {
		return err
	}
	d.op.Task().Tell(place.Session, runtime.CommandAddBinding, &runtime.AddBindingParams{
		Name: input.ArrivalBinding, ExecutionContextName: isolatedWorldName,
	})
	return nil
}

// Announced implements [input.Actor].
func (d *driver) Announced(id uint64) input.Arrival {
	if d.watch == nil {
		return ""
	}
	d.watch.mu.Lock()
	defer d.watch.mu.Unlock()
	return d.watch.arrivals[id]
}

// addBinding records that a session has the binding; it is false if that was already known.
func (w *pageWatch) addBinding(session target.SessionID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	had := w.bindings[session]
	w.bindings[session] = true
	return !had
}

// noteArrival records what one of our listeners announces.
func (w *pageWatch) noteArrival(params []byte) {
	var e runtime.EventBindingCalled
	if cdp.Unmarshal(params, &e) != nil || e.Name != input.ArrivalBinding {
		return
	}
	number, what, _ := strings.Cut(e.Payload, " ")
	id, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return
	}
	w.arrivals[id] = input.Arrival(what)
	w.delivered = w.delivered || w.arrivals[id].IsDelivery()
}

// isUndelivered reports whether listeners for the action's input were installed in a page of the tab and none has
// announced any.
func (w *pageWatch) isUndelivered() (undelivered bool) {
	w.inspect(func(w *pageWatch) { undelivered = len(w.bindings) > 0 && !w.delivered })
	return undelivered
}

// isDelivered reports whether a page of the tab has received input of the action, though its handlers may not have
// returned. The watch's channel is closed when that changes.
func (w *pageWatch) isDelivered() (delivered bool) {
	w.inspect(func(w *pageWatch) { delivered = w.delivered })
	return delivered
}
