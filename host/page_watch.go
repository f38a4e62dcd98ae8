package host

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	protocol "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	connection "github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// The events of the Page domain from which an action learns what came of it.
const (
	eventRequested  = "Page.frameRequestedNavigation"
	eventStopped    = "Page.frameStoppedLoading"
	eventNavigated  = "Page.frameNavigated"
	eventWithin     = "Page.navigatedWithinDocument"
	eventChooser    = "Page.fileChooserOpened"
	eventDownload   = "Page.downloadWillBegin"
	eventDownloaded = "Page.downloadProgress"
	eventLifecycle  = "Page.lifecycleEvent"
)

// watched are the events that a watch notes.
var watched = []string{
	eventRequested, eventStopped, eventNavigated, eventWithin, eventChooser, eventDownload, eventDownloaded, eventLifecycle,
	page.DragIntercepted,
}

// maxWatchedDownloads bounds what one action is told of.
const maxWatchedDownloads = 20

// pageWatch notes what happens to a tab while an action is under way.
type pageWatch struct {
	tab target.ID

	mu        sync.Mutex
	newest    map[string][]byte
	going     bool   // the top frame is about to have another document
	wanted    string // and its address
	stopped   bool   // it has not got one, and stopped
	sure      bool   // but that is no sign
	arrived   string // the address that the tab has got
	loader    cdp.LoaderID
	idle      map[cdp.LoaderID]bool // documents whose network is idle
	downloads []watchedDownload
	changed   chan struct{} // closed and replaced with each event
}

type watchedDownload struct {
	Download
	guid string
}

type (
	beginWatch struct{ watch *pageWatch }
	endWatch   struct{ watch *pageWatch }
)

// watchTab begins to note what happens to a tab; stop ends it.
func (t *Task) watchTab(tab target.ID) (w *pageWatch, stop func()) {
	w = &pageWatch{tab: tab, newest: map[string][]byte{}, idle: map[cdp.LoaderID]bool{}, changed: make(chan struct{})}
	t.link.inbox.put(beginWatch{w})
	return w, func() { t.link.inbox.put(endWatch{w}) }
}

// observe hands an event to those who watch its tab. They are told when the snapshot has it, too.
func (l *link) observe(m connection.Message) {
	if len(l.watches) == 0 || !slices.Contains(watched, m.Method) {
		return
	}
	tab := l.state.PageOf(target.SessionID(m.SessionID))
	for w := range l.watches {
		if w.tab == tab && tab != "" {
			l.later = append(l.later, func() { w.note(m.Method, m.Params) })
		}
	}
}

func (w *pageWatch) note(method string, params []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
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
	}
	close(w.changed)
	w.changed = make(chan struct{})
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
	if unmarshal(params, &e) == nil && e.FrameID == cdp.FrameID(w.tab) && e.Disposition == protocol.ClientNavigationDispositionCurrentTab {
		w.going, w.stopped, w.wanted = true, false, e.URL
	}
}

func (w *pageWatch) noteNavigated(params []byte) {
	var e protocol.EventFrameNavigated
	if unmarshal(params, &e) == nil && e.Frame != nil && e.Frame.ID == cdp.FrameID(w.tab) {
		w.going, w.arrived, w.loader = false, e.Frame.URL+e.Frame.URLFragment, e.Frame.LoaderID
	}
}

func (w *pageWatch) noteWithin(params []byte) {
	var e protocol.EventNavigatedWithinDocument
	if unmarshal(params, &e) == nil && e.FrameID == cdp.FrameID(w.tab) {
		w.going, w.arrived = false, e.URL
	}
}

func (w *pageWatch) noteLifecycle(params []byte) {
	var e protocol.EventLifecycleEvent
	if unmarshal(params, &e) == nil && e.FrameID == cdp.FrameID(w.tab) && e.Name == "networkIdle" {
		w.idle[e.LoaderID] = true
	}
}

func (w *pageWatch) noteDownload(params []byte) {
	var e struct {
		GUID string `json:"guid"`
		URL  string `json:"url"`
		Name string `json:"suggestedFilename"`
	}
	if unmarshal(params, &e) == nil && len(w.downloads) < maxWatchedDownloads {
		w.going = false
		w.downloads = append(w.downloads, watchedDownload{Download{URL: plainURL(e.URL), Name: fileName(e.Name), State: DownloadStarted}, e.GUID})
	}
}

func (w *pageWatch) noteProgress(params []byte) {
	var e struct {
		GUID     string  `json:"guid"`
		Received float64 `json:"receivedBytes"`
		State    string  `json:"state"`
	}
	if unmarshal(params, &e) != nil {
		return
	}
	for i := range w.downloads {
		d := &w.downloads[i]
		if d.guid != e.GUID {
			continue
		}
		d.Bytes = int64(e.Received)
		switch e.State {
		case "completed":
			d.State = DownloadComplete
		case "canceled":
			d.State = DownloadCanceled
		}
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

// keep notes where the file of a download was put.
func (w *pageWatch) keep(guid, path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.downloads {
		if w.downloads[i].guid == guid {
			w.downloads[i].Path = path
		}
	}
}

// look calls f with the watch at rest, and gives a channel that is closed with the next event.
func (w *pageWatch) look(f func(*pageWatch)) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(w)
	return w.changed
}

// plainURL is an address without its query and fragment, which may hold what is secret; data: and blob: are cut to that.
func plainURL(url string) string {
	if scheme, _, ok := strings.Cut(url, ":"); ok && (scheme == "data" || scheme == "blob") {
		return scheme + ":"
	}
	url, _, _ = strings.Cut(url, "#")
	url, _, _ = strings.Cut(url, "?")
	return url
}

// maxFileName is how long the name of a download may be, in bytes.
const maxFileName = 150

// fileName makes a name that a page suggests safe to be one in a folder of ours.
func fileName(suggested string) string {
	name := path.Base(strings.ReplaceAll(suggested, `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"/|?*`, r) || pagetext.Unprintable(r) {
			return '_'
		}
		return r
	}, name)
	name = strings.Trim(name, ". ")
	if name == "" || name == "/" {
		name = "download"
	}
	if ext := path.Ext(name); len(name) > maxFileName && len(ext) < maxFileName/2 {
		return pagetext.Shorten(name, maxFileName-len(ext)) + ext
	}
	return pagetext.Shorten(name, maxFileName)
}
